import {parsePackageReference} from '../../../reference/package-reference.js'
import {fileOfFolder} from './repository-file.js'

/** Returns the path of a file of a package in the repository; undefined if the package is not in a folder. */
export function packageFile(reference: string, file: string): string | undefined {
  const parsed = parsePackageReference(reference)
  return parsed.kind === 'directory' ? fileOfFolder(parsed.path, file) : undefined
}
