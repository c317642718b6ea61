import {readFile} from 'node:fs/promises'
import {CrossplaneError} from '../../errors.js'
import type {InputFile} from '../../render/written-input.js'

/** Reads the files given with a flag; `-` is standard input. */
export async function readInputFiles(names: readonly string[], flag = '-f'): Promise<InputFile[]> {
  return await Promise.all(
    names.map(async name => (name === '-' ? await readStandardInput() : await readNamed(name, flag))),
  )
}

async function readNamed(name: string, flag: string): Promise<InputFile> {
  try {
    return {name, bytes: await readFile(name)}
  } catch (error) {
    throw new CrossplaneError('not-found', `the file ${name} given with ${flag} cannot be read`, {
      cause: error,
    })
  }
}

async function readStandardInput(): Promise<InputFile> {
  const chunks: Uint8Array[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
  return {name: 'standard input', bytes: Buffer.concat(chunks)}
}
