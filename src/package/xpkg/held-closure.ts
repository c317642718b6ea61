import {xpkgChanges} from '../../declaration/lock-changes.js'
import {type LockedXpkg, lockedName} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {changeWords, type HeldLock} from '../../resolve/lock/held-lock.js'
import {missingInFolder} from '../../resolve/lock/missing-in-folder.js'
import {listedTags} from '../../resolve/xpkg/located-xpkgs.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import {derivedName} from '../../xpkg/package-name.js'
import {type RequestedXpkg} from './requested-xpkg.js'

/** Throws `conflict` for a name other than that of the lock: a request cannot be renamed. */
export function expectSameNames(
  lock: HeldLock | undefined,
  packages: readonly SelectedXpkg[],
  ownNames: ReadonlyMap<string, string>,
): void {
  const isSelected = ({repository}: LockedXpkg) => packages.some(one => one.repository === repository)
  // A cluster has no hash: names are compared with its requests.
  const isOther = ({repository, name, summaryHash}: LockedXpkg) =>
    summaryHash !== '' && name !== ownNames.get(repository)
  const renamed = (lock?.lock.xpkgs ?? []).find(one => isSelected(one) && isOther(one))
  if (renamed === undefined) return
  const {repository} = renamed
  const [before, after] = [lockedName(renamed), ownNames.get(repository) ?? derivedName(repository)]
  const message = `cannot request ${repository} as ${after}: the lock ${lock?.name ?? ''} has it as ${before}, and Crossplane would install it twice`
  throw new CrossplaneError('conflict', message, {
    suggestions: [
      `Set name: ${before} in the entry of ${repository}.`,
      `If no cluster has it as ${before}, remove ${repository} from the lock first.`,
    ],
  })
}

/** Returns the locked packages that keep their versions, and what the lock is called. */
export function heldXpkgs(lock: HeldLock | undefined) {
  const {name = '', remedy = '', upgraded = [], otherwise} = lock ?? {}
  const packages =
    upgraded === 'all'
      ? []
      : (lock?.lock.xpkgs ?? []).filter(({repository}) => !upgraded.includes(repository))
  const isUpgrade = upgraded !== 'all' && upgraded.length > 0
  return {packages, isBinding: otherwise === 'reject', isUpgrade, name, remedy}
}

/** Without a digest, only a folder or an index can have the locked version of a request. Throws `not-found`. */
export async function expectAvailable(
  roots: readonly RequestedXpkg[],
  lock: HeldLock,
  ports: PackagePorts,
): Promise<void> {
  const {packages} = heldXpkgs(lock)
  for (const {repository, version, content} of roots) {
    const locked = packages.find(other => other.repository === repository)
    // A cluster has no hash.
    if (content !== undefined || locked?.tag === undefined || locked.summaryHash === '') continue
    if (locked.digest !== undefined || (version ?? locked.tag) !== locked.tag) continue
    if ((await listedTags(parsePackageImage(repository), ports)).includes(locked.tag)) continue
    const name = `${repository}:${locked.tag}`
    throw missingInFolder(name, repository, lock, ports.folder !== undefined)
  }
}

/** Adds a note if the result differs from the lock. Throws `lock-outdated` if it must not. */
export function lockNotes(lock: HeldLock | undefined, locked: readonly LockedXpkg[]): readonly Diagnostic[] {
  if (lock === undefined || lock.otherwise === 'take') return []
  const {name, otherwise, remedy} = lock
  // Signers are compared on their own: another signature is no other package.
  const changed = xpkgChanges(lock.lock.xpkgs ?? [], locked).packages
  const words = changed.filter(({change}) => change !== 'signatures').map(changeWords)
  if (words.length === 0) return []
  const rule = 'lock-outdated'
  if (otherwise === 'note')
    return [
      {
        severity: 'note',
        rule,
        message: `the lock ${name} is outdated: ${words.join('; ')}; to update it: ${remedy}`,
      },
    ]
  throw new CrossplaneError('lock-outdated', `the lock ${name} differs from what would be installed`, {
    diagnostics: words.map(message => ({severity: 'error', rule, message})),
    suggestions: [remedy],
  })
}
