import {allLockChanges, xpkgChanges} from '../declaration/lock-changes.js'
import {carriedOver, type Lock} from '../declaration/lock.js'
import type {Diagnostic} from '../diagnostic.js'
import {present} from '../present.js'
import type {HeldLock} from '../resolve/lock/held-lock.js'
import {type LockReport, lockPackages, movedNotes} from './lock-packages.js'
import {expectFew} from '../resolve/packages/source-policy.js'
import type {ReadRequest} from './request/read-request.js'
import type {requestedClosure} from './xpkg/requested-closure.js'
import {splitRequest} from './xpkg/split-request.js'
import {upgradedParts} from './xpkg/upgraded-parts.js'
import type {XpkgClosure} from './xpkg/xpkg-closure.js'

/**
 * Resolves the packages of a request, of either format, and returns their lock; locked versions are kept. Throws as
 * `lockPackages` and `xpkgClosure` do.
 */
export async function lockRequest(request: ReadRequest, previous?: HeldLock): Promise<LockReport> {
  const {packages} = request
  const parts = previous === undefined ? undefined : upgradedParts(previous, request.policy.defaultSource)
  const policy = {...request.policy, ...present({lock: previous})}
  const {stacks, xpkgs} = await splitRequest({...request, policy})
  const report = await lockPackages(stacks, {...policy, ...present({lock: parts?.stacks})}, packages)
  const own = {...request, policy: {...policy, ...present({lock: parts?.xpkgs})}}
  const part = xpkgs.length === 0 ? NO_XPKGS : await xpkgPart({xpkgs}, own, previous?.lock)
  const fresh = {...report.lock, xpkgs: part.locked}
  const repositories = part.locked.map(({repository}) => repository)
  expectFew([...fresh.packages.map(({identity}) => identity), ...repositories], policy.teams)
  const lock = withoutEmptyXpkgs(part.remembering(carriedOver(fresh, previous?.lock)), previous?.lock)
  return {
    ...report,
    lock,
    changes: allLockChanges(previous?.lock, lock),
    notes: [...report.notes, ...part.notes, ...upgradeNotes(part, parts?.xpkgs)],
    signerChanges: [...report.signerChanges, ...part.signerChanges],
    ...present({xpkgs: part.change}),
  }
}

interface XpkgPart extends Pick<XpkgClosure, 'locked' | 'notes' | 'signerChanges'> {
  /** How the set changes; absent without a former one. */
  readonly change?: LockReport['xpkgs']
  readonly remembering: (lock: Lock) => Lock
}

const NO_XPKGS: XpkgPart = {locked: [], notes: [], signerChanges: [], remembering: lock => lock}

/** Loaded here: packages with .registry/ do not need it. */
async function xpkgPart(
  parts: Parameters<typeof requestedClosure>[0],
  request: ReadRequest,
  before: Lock | undefined,
): Promise<XpkgPart> {
  const {requestedClosure} = await import('./xpkg/requested-closure.js')
  const closure = await requestedClosure(parts, request)
  const former = before?.xpkgs ?? []
  if (former.length === 0) return {...closure, remembering: lock => lock}
  const {changeOf, rememberingStored} = await import('./xpkg/changed-set.js')
  const change = await changeOf(former, closure, request)
  return {...closure, change, remembering: lock => rememberingStored(lock, change.set)}
}

/** Returns what a new lock takes away, as warnings: files and clusters do not change yet. */
export async function releaseNotes({xpkgs}: Pick<LockReport, 'xpkgs'>): Promise<readonly Diagnostic[]> {
  if (xpkgs === undefined || xpkgs.set.changes.length === 0) return []
  return (await import('../plan/git/judge-xpkgs.js')).lockedSetWarnings(xpkgs.set)
}

/** Whether the last package that leaves a declaration is one for a current Crossplane: its tree has no base. */
function hasOnlyXpkgs({packages}: Lock, previous: Lock | undefined): boolean {
  return packages.length === 0 && previous?.packages.length === 0 && previous.xpkgs !== undefined
}

function withoutEmptyXpkgs(lock: Lock, previous: Lock | undefined): Lock {
  const {xpkgs = [], ...others} = lock
  return xpkgs.length === 0 && !hasOnlyXpkgs(lock, previous) ? others : lock
}

/** Notes for packages that changed though they were not unlocked. */
function upgradeNotes(
  {locked}: Pick<XpkgClosure, 'locked'>,
  heldLock: HeldLock | undefined,
): readonly Diagnostic[] {
  const {upgraded = [], lock} = heldLock ?? {}
  if (upgraded === 'all') return []
  return movedNotes(upgraded, xpkgChanges(lock?.xpkgs ?? [], locked))
}
