import {basename, dirname, join, resolve} from 'node:path'
import {expectNew, type FileToWrite, writeAll} from '../../pipeline/author/new-files.js'
import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {folderInDirectory} from '../../unpack/files/directory-files.js'
import {imageOutputs, packageSources, writableFolder} from '../wire.js'

/**
 * Writes files into a folder that has none of them, and returns their paths. Throws `output-refused` before the first
 * write if one exists.
 */
export async function createFiles(path: string, files: readonly FileToWrite[]): Promise<readonly string[]> {
  const folder = await writableFolder(path)
  await expectNew(files, folder, 'Use another folder, or move these files.')
  return await writeAll(files, folder)
}

/** A file to replace, and another one that is removed with it. */
export interface FileReplacement extends FileToWrite {
  readonly removed: string
}

/** Writes files of a folder, and removes those that they replace. */
export async function replaceFiles(path: string, changes: readonly FileReplacement[]): Promise<void> {
  const outputs = await imageOutputs()
  await writeAll(changes, outputs.folder(path))
  for (const {removed} of changes) {
    const file = outputs.file(join(path, removed))
    if ((await file.existing()) !== undefined) await file.remove()
  }
}

/**
 * Reads all files of a folder, by their path in it, with the limits of packages. Throws `not-found`, and `source-unsafe`
 * for links out of it.
 */
export async function folderFiles(path: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const absolute = resolve(path)
  const parent = await packageSources.directory(dirname(absolute))
  const files = await folderInDirectory(parent, [basename(absolute)])
  if (files === undefined) {
    throw new CrossplaneError(
      'not-found',
      `cannot read the folder ${quoted(path)}: no such file or directory`,
    )
  }
  return new Map(files.map(file => [file.path, file.bytes]))
}
