import {createHash} from 'node:crypto'
import {lstatSync, readdirSync, realpathSync} from 'node:fs'
import {join} from 'node:path'
import {fileStamp} from './file-stamp.js'

/** More files than a package has; looking at more is not faster than reading those that belong to it. */
const MAX_FILES = 20_000

/**
 * Returns a text that is another one after any file at or below a path was changed, added or removed, without reading them. Undefined
 * if that cannot be told: for links and other entries, too many files, and files that were changed a moment ago.
 */
export function pathStamp(path: string): string | undefined {
  try {
    const root = realpathSync.native(path)
    const hash = createHash('sha256').update(JSON.stringify(root))
    let left = MAX_FILES
    const isTold = stampBelow(root, line => {
      hash.update(`${JSON.stringify(line)}\n`)
      left -= 1
      return left >= 0
    })
    return isTold ? hash.digest('hex') : undefined
  } catch {
    // What cannot be looked at is read, which says why.
    return undefined
  }
}

function stampBelow(path: string, take: (line: readonly string[]) => boolean): boolean {
  const stats = lstatSync(path, {bigint: true})
  if (stats.isDirectory())
    return (
      take([path]) &&
      readdirSync(path)
        .sort()
        .every(name => stampBelow(join(path, name), take))
    )
  const {text, isSettled} = fileStamp(stats)
  return stats.isFile() && isSettled && take([path, text])
}
