import type {LockedXpkg} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import type {XpkgCatalog, XpkgContent} from '../../resolve/xpkg/xpkg-catalog.js'

/** Returns the tag of a locked package, or its digest where it has no tag. */
export function lockedVersion({tag, digest = ''}: Pick<LockedXpkg, 'tag' | 'digest'>): string {
  return tag ?? digest
}

/** Reads the version of a package that a lock has; the reason if it can no longer be read. */
export async function formerContent(
  locked: Pick<LockedXpkg, 'repository' | 'tag' | 'digest'>,
  catalog: Pick<XpkgCatalog, 'read'>,
): Promise<XpkgContent | {readonly reason: string}> {
  try {
    return await catalog.read(locked.repository, lockedVersion(locked), locked.digest)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {reason: error.message}
  }
}
