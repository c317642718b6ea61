import {CrossplaneError} from '../../errors.js'
import type {WritableFolder} from '../../fetch/output-files.js'
import {oneChunk} from '../../http/one-chunk.js'

/** A file to be written, by its path from the folder. */
export interface FileToWrite {
  readonly path: string
  readonly text: string | Uint8Array
}

/** Writes files and returns their paths. */
export async function writeAll(
  files: readonly FileToWrite[],
  folder: WritableFolder,
): Promise<readonly string[]> {
  for (const {path, text} of files) await folder.write(path, oneChunk(Buffer.from(text)))
  return files.map(({path}) => path)
}

/**
 * Checks that none of the files exists. Throws `output-refused` with those that do, and the suggestion.
 */
export async function expectNew(
  files: readonly Pick<FileToWrite, 'path'>[],
  folder: WritableFolder,
  suggestion: string,
): Promise<void> {
  const present: string[] = []
  for (const {path} of files) if ((await folder.file(path)) !== undefined) present.push(path)
  if (present.length === 0) return
  const message = `cannot create a package in ${folder.name}: the folder already has one`
  throw new CrossplaneError('output-refused', message, {
    diagnostics: present.map(file => ({
      severity: 'error' as const,
      rule: 'present',
      message: 'the file exists',
      file,
    })),
    suggestions: [suggestion],
  })
}
