import type {LockedXpkg} from '../declaration/lock.js'
import {compareText} from '../reference/compare-text.js'
import type {HeldLock} from '../resolve/lock/held-lock.js'
import {outdated, type OutdatedReport} from './outdated.js'
import type {ReadRequest} from './request/read-request.js'
import {requestedClosure} from './xpkg/requested-closure.js'
import {splitRequest, type SplitRequest} from './xpkg/split-request.js'
import {xpkgOutdated} from './xpkg/xpkg-outdated.js'

/** Compares the lock of a request with what would be selected without it. Throws as `outdated` does. */
export async function outdatedRequest(request: ReadRequest): Promise<OutdatedReport> {
  const {policy, packages} = request
  const {lock} = policy
  if (lock === undefined) throw new RangeError('a lock is required')
  const parts = await splitRequest(request)
  const stacks = await outdated(parts.stacks, policy, packages)
  const locked = lock.lock.xpkgs ?? []
  if (locked.length === 0) return stacks
  const xpkgs = await unlockedComparison(locked, parts, request, lock)
  const all = [...stacks.packages, ...xpkgs].sort((a, b) => compareText(a.package, b.package))
  return {...stacks, packages: all, current: stacks.current + locked.length - xpkgs.length}
}

async function unlockedComparison(
  locked: readonly LockedXpkg[],
  parts: SplitRequest,
  request: ReadRequest,
  lock: HeldLock,
): Promise<OutdatedReport['packages']> {
  const {policy} = request
  const free = {...policy, lock: {...lock, upgraded: 'all' as const, otherwise: 'take' as const}}
  const closure = await requestedClosure(parts, {...request, policy: free}, {listsPinned: true})
  return xpkgOutdated(locked, closure, policy.coreVersion)
}
