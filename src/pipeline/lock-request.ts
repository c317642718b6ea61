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
  const closure = xpkgs.length === 0 ? NO_XPKGS : await closureOf({xpkgs}, own)
  const fresh = {...report.lock, xpkgs: closure.locked}
  const repositories = closure.locked.map(({repository}) => repository)
  expectFew([...fresh.packages.map(({identity}) => identity), ...repositories], policy.teams)
  const carried = carriedOver(fresh, previous?.lock)
  const lock = hasOnlyXpkgs(carried, previous?.lock) ? carried : withoutEmptyXpkgs(carried)
  const notes = [...report.notes, ...closure.notes, ...upgradeNotes(closure, parts?.xpkgs)]
  const signerChanges = [...report.signerChanges, ...closure.signerChanges]
  return {...report, lock, changes: allLockChanges(previous?.lock, lock), notes, signerChanges}
}

const NO_XPKGS = {locked: [], notes: [], signerChanges: []}

/** Loaded here: packages with .registry/ do not need it. */
async function closureOf(...query: Parameters<typeof requestedClosure>): ReturnType<typeof requestedClosure> {
  return await (await import('./xpkg/requested-closure.js')).requestedClosure(...query)
}

/** Whether the last package that leaves a declaration is one for a current Crossplane: its tree has no base. */
function hasOnlyXpkgs({packages}: Lock, previous: Lock | undefined): boolean {
  return packages.length === 0 && previous?.packages.length === 0 && previous.xpkgs !== undefined
}

function withoutEmptyXpkgs(lock: Lock): Lock {
  const {xpkgs = [], ...others} = lock
  return xpkgs.length === 0 ? others : lock
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
