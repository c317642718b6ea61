import {isLocalPath} from './package-reference.js'

/** Reports whether the location of an index is a file: a local path, or a name that ends in `.jsonl`. */
export function isIndexFile(location: string): boolean {
  return isLocalPath(location) || location.endsWith('.jsonl')
}
