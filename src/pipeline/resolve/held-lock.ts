import {lockChanges, type PackageChange} from '../../declaration/lock-changes.js'
import type {Lock, LockedPackage} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {grouped} from '../../index/grouped.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Preference} from '../../resolve/solver-input.js'
import type {Identify} from '../../resolve/requirement.js'
import type {Rejection, Resolution} from '../../resolve/resolution.js'
import {summaryHash} from './lock-of.js'

/** A lock that an answer is to keep to. */
export interface HeldLock {
  /** The file's name. */
  readonly name: string
  readonly lock: Lock
  /** Repositories, as people write them, whose versions are free to move. */
  readonly upgraded: readonly string[] | 'all'
  /** What becomes of an answer that is another: nothing, a note, or a refusal. */
  readonly otherwise: 'take' | 'note' | 'refuse'
  /** The command by which the lock is written anew. */
  readonly remedy: string
}

/** What was locked, for the solver. */
export function lockPreferences({lock, upgraded}: HeldLock, identify: Identify): Preference[] {
  const free = upgraded === 'all' ? undefined : new Set(upgraded.map(identify))
  return lock.packages.map(({identity, tag, digest, installs}) => ({
    identity,
    tag,
    ...(digest === undefined ? {} : {digest}),
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
  return lock.packages.find(each => each.identity === identity)
}

/** Whether nothing but the locked answer is accepted (`--locked`): then the lock alone is read, and no index. */
export function isBinding(held: HeldLock | undefined): boolean {
  return held?.otherwise === 'refuse'
}

/** Throws `digest-mismatch` where a locked tag leads to other bytes than those that were locked. */
export function refuseOtherBytes(
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
  throw new CrossplaneError('digest-mismatch', `what the lock ${name} names is no longer what was locked`, {
    diagnostics: diagnostics.map(({fault}) => fault),
    suggestions: [`Find out why it changed. To accept it: ${remedy} --upgrade ${first.identity}`],
  })
}

function otherBytes(
  locked: LockedPackage,
  found: readonly PackageSummary[],
): {readonly identity: string; readonly fault: Diagnostic}[] {
  const {identity, tag} = locked
  const [other] = found
  if (other === undefined || found.some(each => isSame(locked, each))) return []
  const message = `${identity}:${tag} ${differenceOf(locked.digest, other.digest)}`
  return [{identity, fault: {severity: 'error', rule: 'locked-digest', message}}]
}

function differenceOf(was: string | undefined, is: string | undefined): string {
  if (was === is) return 'says other things of what it owns and needs than when it was locked'
  return `is locked as ${was ?? 'a folder, without a digest'}, and is now ${is ?? 'a folder, without a digest'}`
}

function isSame({digest, summaryHash: hash}: LockedPackage, summary: PackageSummary): boolean {
  return summary.digest === digest && summaryHash(summary) === hash
}

/** An answer with what is to be known of it where it differs from the lock. Throws `lock-outdated` where it must not. */
export function notedBy(held: HeldLock, fresh: Lock, resolution: Resolution): Resolution {
  return {...resolution, notes: [...resolution.notes, ...lockNotes(held, fresh)]}
}

function lockNotes({name, lock, otherwise, remedy}: HeldLock, fresh: Lock): Diagnostic[] {
  if (otherwise === 'take') return []
  const {packages, others} = lockChanges(lock, fresh)
  const words = [...packages.map(changeWords), ...others.map(what => `${what} has changed since`)]
  if (words.length === 0) return []
  if (otherwise === 'note') {
    const message = `the lock ${name} is outdated: ${words.join('; ')}; ${remedy} writes it anew`
    return [{severity: 'note', rule: 'lock-outdated', message}]
  }
  throw new CrossplaneError('lock-outdated', `the lock ${name} is not what would be installed now`, {
    diagnostics: words.map(message => ({severity: 'error', rule: 'lock-outdated', message})),
    suggestions: [remedy],
  })
}

/** The error for a request that the locked packages alone do not satisfy. */
export function notLocked({name, remedy}: HeldLock, {diagnostics}: Rejection): CrossplaneError {
  return new CrossplaneError('lock-outdated', `the lock ${name} does not satisfy what is requested`, {
    diagnostics,
    suggestions: [remedy],
  })
}

/** A change of a package as part of a sentence. */
function changeWords({package: name, change, old, new: next}: PackageChange): string {
  if (old === undefined) return `${name}:${next ?? ''} would be added`
  if (next === undefined) return `${name}:${old} would be gone`
  if (old !== next) return `${name} is locked at ${old} and would be ${next}`
  return change === 'rebuilt'
    ? `${name}:${old} is another package under the same tag`
    : `${name}:${old} would be installed elsewhere or for others`
}
