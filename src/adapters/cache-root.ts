import {basename, join} from 'node:path'
import {cacheFailed} from './cache-failure.js'
import {type CacheFileSystem, FOLDER_MODE, readFile, UNFINISHED, writeFile} from './cache-files.js'
import {expectTrusted} from './cache-trust.js'
import {unless} from './file-system.js'
import {makeAll} from './real-folder.js'

/** The folder that a cache is in. Both throw `cache-failed` for a folder that is not a cache of this user. */
export interface CacheRoot {
  /** Reports whether the folder exists and is marked as a cache of this program. */
  isOurs(): Promise<boolean>
  /** Creates and marks the folder. */
  prepare(): Promise<void>
}

/** A folder of this name is a cache, regardless of its content. */
const OWN_NAME = 'kubectl-crossplane'

/**
 * Backup programs skip a folder with this file, see https://bford.info/cachedir; the second line names this program.
 */
const MARKER = 'CACHEDIR.TAG'
const SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55\n'
const MARK = `${SIGNATURE}# This folder is the package cache of kubectl-crossplane; "cache clear" empties it.\n`

/** Opens the folder at `root`, which may be a link to one. A folder that was already marked is not checked again. */
export function cacheRoot(files: CacheFileSystem, root: string): CacheRoot {
  let isKnown = false
  const isOurs = async () => {
    isKnown ||= await isMarked(files, root)
    return isKnown
  }
  return {
    isOurs,
    async prepare() {
      if (isKnown && (await unless(['ENOENT'], files.lstat(root)))) return
      isKnown = false
      if (await isOurs()) return
      await makeAll(files, root, FOLDER_MODE)
      await writeFile(files, root, MARKER, Buffer.from(MARK))
    },
  }
}

/** Returns false for a folder that can become a cache: absent, empty, or about to be marked by another process. */
async function isMarked(files: CacheFileSystem, root: string): Promise<boolean> {
  const stats = await unless(['ENOENT', 'ENOTDIR'], files.stat(root))
  if (stats === undefined) return false
  if (!stats.isDirectory()) throw cacheFailed(`cannot use ${root} as a cache: not a directory`)
  expectTrusted(root, stats)
  const names = await files.readdir(root) // before reading the mark: creating a cache writes nothing before the mark
  if (isMark(await readFile(files, join(root, MARKER), MAX_OF_A_MARK))) return true
  if (basename(root) === OWN_NAME || names.every(name => name === UNFINISHED)) return false
  throw cacheFailed(`cannot use ${root} as a cache: it contains other files`)
}

const MAX_OF_A_MARK = 4096

function isMark(bytes: Uint8Array | 'too long' | undefined): boolean {
  if (bytes === undefined || bytes === 'too long') return false
  const text = Buffer.from(bytes).toString('latin1')
  return text.startsWith(SIGNATURE) && text.includes('kubectl-crossplane')
}
