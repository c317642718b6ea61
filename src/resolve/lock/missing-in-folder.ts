import {CrossplaneError} from '../../errors.js'
import {listAll} from '../../text.js'
import type {HeldLock} from './held-lock.js'

/** Returns how to make packages available that are locked without a digest. */
export function folderAdvice(names: readonly string[], hasFolder: boolean): string {
  return hasFolder
    ? `Add ${listAll(names)} to the folder given with --packages: the lock has no digest to pull by.`
    : `Pass --packages DIR with a folder that has ${listAll(names)}: the lock has no digest to pull by.`
}

/**
 * The error for a package that was locked from a folder and is not there: a registry may have another package of that
 * name.
 */
export function missingInFolder(
  name: string,
  identity: string,
  lock: Pick<HeldLock, 'remedy' | 'otherwise'>,
  hasFolder: boolean,
): CrossplaneError {
  return new CrossplaneError(
    lock.otherwise === 'reject' ? 'lock-outdated' : 'not-found',
    `cannot read ${name}: it is locked without a digest and not found in a folder`,
    {
      suggestions: [
        folderAdvice([name], hasFolder),
        `To lock the package of its registry instead: ${lock.remedy} --upgrade ${identity}`,
      ],
    },
  )
}
