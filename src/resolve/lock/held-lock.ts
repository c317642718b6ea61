import {lockChanges, type PackageChange} from '../../declaration/lock-changes.js'
import type {Lock, LockedPackage} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {grouped} from '../../grouped.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Preference} from '../solver-input.js'
import type {Identify} from '../requirement.js'
import type {Rejection, Resolution} from '../resolution.js'
import {summaryHash} from './lock-of.js'

/** A lock that a resolution keeps to. */
export interface HeldLock {
  /** The file's name. */
  readonly name: string
  readonly lock: Lock
  /** The lock that the resolution takes the place of, if it is another one. */
  readonly replaced?: Lock
  /** Unlocked repositories, as users write them. */
  readonly upgraded: readonly string[] | 'all'
  /** The action if the resolution differs: take it, add a note, or reject it. */
  readonly otherwise: 'take' | 'note' | 'reject'
  /** The command that updates the lock. */
  readonly remedy: string
}

/** Returns the lock that a resolution is compared with. */
export function lockBefore(heldLock: HeldLock | undefined): Lock | undefined {
  return heldLock?.replaced ?? heldLock?.lock
}

/** Returns the locked versions as preferences of the solver. */
export function lockPreferences({lock, upgraded}: HeldLock, identify: Identify): Preference[] {
  const free = upgraded === 'all' ? undefined : new Set(upgraded.map(identify))
  return lock.packages.map(({identity, tag, digest, installs}) => ({
    identity,
    tag,
    digest,
    because: 'locked',
    ...(free === undefined || free.has(identity) ? {isUpgraded: true} : {}),
    satisfies: installs.flatMap(install => [...install.requestedFor, ...Object.values(install.for).flat()]),
    accepted: lock.acceptedMismatches
      .filter(({requirer}) => requirer === identity)
      .map(({crd, owner}) => ({text: crd, owner})),
  }))
}

/** Returns the locked package of an identity, unless it is unlocked. */
export function lockedPackage(
  {lock, upgraded}: HeldLock,
  identity: string,
  identify: Identify,
): LockedPackage | undefined {
  if (upgraded === 'all' || upgraded.some(text => identify(text) === identity)) return undefined
  return lock.packages.find(locked => locked.identity === identity)
}

/** Reports whether only the locked resolution is accepted (`--locked`): then only the lock is read, and no index. */
export function isBinding(lock: HeldLock | undefined): boolean {
  return lock?.otherwise === 'reject'
}

/** Throws `digest-mismatch` if a locked version has different content now. */
export function rejectOtherBytes(
  {name, lock, remedy}: HeldLock,
  preferences: readonly Preference[],
  summaries: readonly PackageSummary[],
): void {
  const kept = preferences.filter(({isUpgraded}) => isUpgraded !== true)
  const identities = new Set(kept.map(({identity}) => identity))
  const byName = grouped(summaries, formatSummary)
  const diagnostics = lock.packages
    .filter(({identity}) => identities.has(identity))
    .flatMap(locked => otherBytes(locked, byName.get(formatSummary(locked)) ?? []))
  const [first] = diagnostics
  if (first === undefined) return
  throw new CrossplaneError('digest-mismatch', `packages of the lock ${name} have changed`, {
    diagnostics: diagnostics.map(({diagnostic}) => diagnostic),
    suggestions: [`Find out why it changed. To accept it: ${remedy} --upgrade ${first.identity}`],
  })
}

function otherBytes(
  locked: LockedPackage,
  summaries: readonly PackageSummary[],
): {readonly identity: string; readonly diagnostic: Diagnostic}[] {
  const {identity, tag} = locked
  const [other] = summaries
  if (other === undefined || summaries.some(summary => isSame(locked, summary))) return []
  const message = `${identity}:${tag} ${differenceOf(locked.digest, other.digest)}`
  return [{identity, diagnostic: {severity: 'error', rule: 'locked-digest', message}}]
}

function differenceOf(was: string | undefined, is: string | undefined): string {
  if (was === undefined && is === undefined) return 'owns or requires something else than when it was locked'
  return `is locked as ${was ?? 'a folder, without a digest'}, but is now ${is ?? 'a folder, without a digest'}`
}

/** The bytes of one digest cannot change; entries that describe them wrongly were corrected before. */
function isSame({digest, summaryHash: hash}: LockedPackage, summary: PackageSummary): boolean {
  if (summary.digest !== digest) return false
  return digest !== undefined || summaryHash(summary) === hash
}

/** Adds a note if an answer differs from the lock. Throws `lock-outdated` if it must not. */
export function notedBy(heldLock: HeldLock, fresh: Lock, resolution: Resolution): Resolution {
  return {...resolution, notes: [...resolution.notes, ...lockNotes(heldLock, fresh)]}
}

function lockNotes({name, lock, otherwise, remedy}: HeldLock, fresh: Lock): Diagnostic[] {
  if (otherwise === 'take') return []
  const {packages, others} = lockChanges(lock, fresh)
  const words = [...packages.map(changeWords), ...others.map(what => `${what} has changed since`)]
  if (words.length === 0) return []
  if (otherwise === 'note') {
    const message = `the lock ${name} is outdated: ${words.join('; ')}; to update it: ${remedy}`
    return [{severity: 'note', rule: 'lock-outdated', message}]
  }
  throw new CrossplaneError('lock-outdated', `the lock ${name} differs from what would be installed`, {
    diagnostics: words.map(message => ({severity: 'error', rule: 'lock-outdated', message})),
    suggestions: [remedy],
  })
}

/** The error for a request that the locked packages alone do not satisfy. */
export function notLocked(
  {name}: HeldLock,
  {diagnostics}: Rejection,
  suggestions: readonly string[],
): CrossplaneError {
  return new CrossplaneError('lock-outdated', `the lock ${name} does not satisfy the request`, {
    diagnostics,
    suggestions,
  })
}

/** Describes a change of a package as part of a sentence. */
export function changeWords({package: name, change, old, new: next}: PackageChange): string {
  if (old === undefined) return `${name}:${next ?? ''} would be added`
  if (next === undefined) return `${name}:${old} would be removed`
  if (old !== next) return `${name} is locked at ${old} and would be ${next}`
  if (change === 'signatures') return `${name}:${old} has other signatures`
  return change === 'rebuilt'
    ? `${name}:${old} has different content`
    : `${name}:${old} would be installed elsewhere or for other requirements`
}
