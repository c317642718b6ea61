import type {Diagnostic} from '../../diagnostic.js'
import {lockChanges, type LockChanges} from '../../declaration/lock-changes.js'
import {CrossplaneError} from '../../errors.js'
import {firstOwners} from '../../resolve/first-owners.js'
import type {SolverInput} from '../../resolve/solver-input.js'
import {isPinned} from './outdated.js'
import {lockBefore} from '../../resolve/lock/held-lock.js'
import {lockOf} from '../../resolve/lock/lock-of.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {unresolved} from '../../resolve/packages/rejection.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {resolvePackages} from '../../resolve/packages/resolve-packages.js'
import type {RequestedRoot} from '../../resolve/requested/requested-roots.js'
import {signerChangeNotes} from '../../resolve/signer-changes.js'
import {changedSigners, signedPackages, withSignatures} from '../../pipeline/signatures/signed-packages.js'
import type {LockReport} from '../reports.js'
import {movedNotes} from '../moved-notes.js'

/** Resolves a request and returns its lock; locked versions in `policy` are kept. Throws as `resolvePackages`, and `usage`. */
export async function lockPackages(
  requested: readonly RequestedRoot[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<LockReport> {
  const result = await resolvePackages(requested, policy, ports)
  const upgraded = upgradedIn(policy, result.input)
  if (result.kind === 'rejected') throw unresolved(result)
  const signed = await signedPackages(result, policy.lock, ports)
  const fresh = withSignatures(lockOf(result, requested, policy), signed)
  const previous = lockBefore(policy.lock)
  const signers = changedSigners(signed, previous, policy.trust)
  const changes = lockChanges(previous, fresh)
  const {notes} = result.resolution
  return {
    lock: fresh,
    changes,
    notes: [
      ...notes,
      ...signerChangeNotes(signers),
      ...pinNotes(upgraded, result.input, changes),
      ...movedNotes(upgraded, changes),
    ],
    firstOwners: firstOwners(result.resolution),
    ownerChanges: result.resolution.ownerChanges,
    signerChanges: signers,
    releases:
      previous === undefined || changes.packages.length === 0
        ? []
        : [
            async () => {
              const {lockedRelease} = await import('./locked-release.js')
              return await lockedRelease({before: previous, after: fresh, changes}, result, ports)
            },
          ],
  }
}

/** Returns the identities to upgrade. Throws `not-found` for one that is not locked. */
function upgradedIn({lock: heldLock}: ResolutionPolicy, {identify}: SolverInput): string[] {
  if (heldLock === undefined) return []
  const xpkgs = (heldLock.lock.xpkgs ?? []).map(({repository}) => repository)
  const names = heldLock.lock.packages.map(({identity}) => identity)
  if (heldLock.upgraded === 'all') return names
  const unknown = heldLock.upgraded.find(text => !names.includes(identify(text)))
  if (unknown === undefined) return heldLock.upgraded.map(identify)
  throw new CrossplaneError(
    'not-found',
    `cannot upgrade ${unknown}: not found in the lock ${heldLock.name}`,
    {
      suggestions: [
        names.length + xpkgs.length === 0
          ? 'Leave out --upgrade: the lock is empty.'
          : `Use one of ${[...names, ...xpkgs].join(', ')}.`,
      ],
    },
  )
}

/** Notes for packages that a tag in the request keeps at their versions. */
function pinNotes(
  upgraded: readonly string[],
  {roots}: SolverInput,
  {packages: changed}: LockChanges,
): Diagnostic[] {
  const staying = upgraded.filter(name => !changed.some(change => change.package === name))
  return roots.flatMap(({requirement}) => {
    if (
      requirement.form !== 'package' ||
      !staying.includes(requirement.identity) ||
      !isPinned(requirement.text)
    )
      return []
    const message = `${requirement.identity} is not upgraded: ${requirement.text} is requested; a tag is a pin`
    return [{severity: 'note' as const, rule: 'pinned-version', message}]
  })
}
