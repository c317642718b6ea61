import {constants, type Stats} from 'node:fs'
import {cacheFailed} from './cache-failure.js'

/**
 * Throws `cache-failed` for a file or folder that another user owns or can write to: hashes detect damage, but a user
 * who can write to the cache can forge a package with matching hashes. Folders above the root are not checked: a user
 * who can replace the root can only put their own folder in its place. Windows has no modes to check.
 */
export function expectTrusted(path: string, stats: Pick<Stats, 'uid' | 'mode'>): void {
  const self = process.geteuid?.()
  if (self === undefined) return
  if (stats.uid !== self && stats.uid !== ROOT) {
    throw cacheFailed(
      `cannot use ${path} as a cache: it is owned by another user (uid ${stats.uid})`,
      'Choose a folder of your own with --cache-dir.',
    )
  }
  if ((stats.mode & (constants.S_IWGRP | constants.S_IWOTH)) !== 0) {
    throw cacheFailed(
      `cannot use ${path} as a cache: other users can write to it`,
      `Run chmod go-w ${path}, or choose another folder with --cache-dir.`,
    )
  }
}

const ROOT = 0
