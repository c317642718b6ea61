import {join} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import type {RepositoryFile} from '../../plan/git/hand-over.js'
import {folderListing, readNamedFile} from '../wire.js'

/** Far above files that users write. */
const MAX_BYTES = 8 * 1024 * 1024

/** Reads the YAML and JSON files below a folder, by path. Throws `not-found` without the folder. */
export async function repositoryFiles(root: string): Promise<readonly RepositoryFile[]> {
  const entries = await folderListing(root)
  if (entries === undefined)
    throw new CrossplaneError('not-found', `cannot read --objects ${root}: the folder does not exist`, {
      suggestions: ['Pass --objects DIR with the folder of the files that are applied now.'],
    })
  const paths = [...entries].flatMap(([path, {kind}]) =>
    kind === 'file' && /\.(?:ya?ml|json)$/.test(path) ? [path] : [],
  )
  return await Promise.all(
    paths.sort().map(async path => ({path, bytes: await readNamedFile(join(root, path), MAX_BYTES)})),
  )
}
