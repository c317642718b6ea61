import {basename, dirname, join, resolve} from 'node:path'
import {parsePackageReference} from '../../reference/package-reference.js'
import {repositoryFile} from './repository-file.js'

/**
 * Returns the path of a file of a package in the repository; undefined if the package is not in a folder. Packages name
 * their files from `.registry/` on.
 */
export function packageFile(reference: string, file: string): string | undefined {
  const parsed = parsePackageReference(reference)
  if (parsed.kind !== 'directory') return undefined
  const folder = resolve(parsed.path)
  return repositoryFile(join(basename(folder) === '.registry' ? dirname(folder) : folder, file))
}
