import {dirname, isAbsolute, join} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import type {InputFiles} from '../../pipeline/request/input-files.js'
import type {InputFile} from '../../render/written-input.js'
import {MAX_FILE_BYTES} from '../../yaml/source-text.js'
import {readNamedFile, readNamedInput, readStream} from '../wire.js'

/** The files that a command line names, and standard input. A declaration or lock in several files is read as one. */
export const inputFiles: InputFiles = {
  read: async (name, flag) => {
    if (name === '-') return await readStandardInput(flag)
    // Loaded here: most inputs are neither.
    const {lockInFolder, declarationInFolder} = await import('./entry-folder.js')
    if (flag === '--lock-file') return (await lockInFolder(name)) ?? (await readFlagFile(name, flag))
    const file = await readFlagFile(name, flag)
    return flag === '--declaration' ? await declarationInFolder(file) : file
  },
  beside: (file, path) => (isAbsolute(path) || file === '-' ? path : join(dirname(file), path)),
}

/** Opens files that are only read, and can be pipes; a lock file stays a regular file. */
const MAY_BE_PIPES = ['-f', '--declaration', '--assume', '--runtime', '--identity-token']

async function readFlagFile(name: string, flag: string): Promise<InputFile> {
  const read = MAY_BE_PIPES.includes(flag) ? readNamedInput : readNamedFile
  try {
    return {name, bytes: await read(name, MAX_FILE_BYTES)}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const {code, message, cause} = error
    throw new CrossplaneError(code, message, {cause, suggestions: [`Check the value of ${flag}.`]})
  }
}

async function readStandardInput(flag: string): Promise<InputFile> {
  const name = 'standard input'
  const file = {name, bytes: await readStream(process.stdin, name, MAX_FILE_BYTES)}
  if (flag === '--declaration') {
    const {expectNoBase} = await import('../../declaration/entries/read-base.js')
    expectNoBase(file)
  }
  return file
}
