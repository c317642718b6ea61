import {digestOf} from '../fetch/verified-bytes.js'
import {compareText} from '../reference/compare-text.js'
import type {PackageFile} from './package-file.js'

/** Returns one SHA-256 of all files of a package, whatever their order and the folder that they are in. */
export function filesHash(files: readonly PackageFile[]): string {
  const hashes = [...files]
    .sort((one, other) => compareText(one.path, other.path))
    .map(({path, bytes}) => [path, digestOf(bytes)])
  return digestOf(Buffer.from(JSON.stringify(hashes)))
}
