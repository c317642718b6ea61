import {CrossplaneError} from '../../errors.js'
import type {InputFile} from '../../render/written-input.js'
import {MAX_FILE_BYTES} from '../../yaml/source-text.js'
import {readNamedFile, readStream} from '../wire.js'

/** Reads the files given with a flag; `-` is standard input. Throws `not-found`, `read-failed`, `limit-exceeded`. */
export async function readInputFiles(names: readonly string[], flag = '-f'): Promise<InputFile[]> {
  return await Promise.all(
    names.map(async name => (name === '-' ? await readStandardInput() : await readFlagFile(name, flag))),
  )
}

async function readFlagFile(name: string, flag: string): Promise<InputFile> {
  try {
    return {name, bytes: await readNamedFile(name, MAX_FILE_BYTES)}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    throw new CrossplaneError(error.code, error.message, {
      cause: error.cause,
      suggestions: [`Check the value of ${flag}.`],
    })
  }
}

async function readStandardInput(): Promise<InputFile> {
  const name = 'standard input'
  return {name, bytes: await readStream(process.stdin, name, MAX_FILE_BYTES)}
}
