import {xpkgChanges} from '../../declaration/lock-changes.js'
import type {Lock} from '../../declaration/lock.js'
import {present} from '../../present.js'
import {type HeldLock, lockBefore} from '../../resolve/lock/held-lock.js'
import type {LockedPart, RecognizedRequest} from '../format.js'
import {movedNotes} from '../moved-notes.js'
import type {XpkgClosure} from './closure.js'
import {requestedClosure} from './requested-closure.js'

/** Resolves the xpkgs of a request for a lock; locked versions are kept. Throws as `requestedClosure` does. */
export async function lockXpkgs(
  request: RecognizedRequest,
  heldLock: HeldLock | undefined,
): Promise<LockedPart> {
  const {policy} = request
  const closure = await requestedClosure({...request, policy: {...policy, ...present({lock: heldLock})}})
  const {upgraded = [], lock} = heldLock ?? {}
  const moved = upgraded === 'all' ? [] : movedNotes(upgraded, xpkgChanges(lock?.xpkgs ?? [], closure.locked))
  return {
    entries: {xpkgs: closure.locked},
    notes: [...closure.notes, ...moved],
    firstOwners: [],
    ownerChanges: [],
    signerChanges: closure.signerChanges,
    ...(await changeFrom(lockBefore(heldLock), closure, request)),
  }
}

/** How the set changes; nothing without a former one. */
async function changeFrom(
  before: Lock | undefined,
  closure: XpkgClosure,
  request: RecognizedRequest,
): Promise<Pick<LockedPart, 'xpkgs' | 'remembering' | 'releases'>> {
  const former = before?.xpkgs ?? []
  if (former.length === 0) return {releases: []}
  const {changeOf, rememberingStored} = await import('./changed-set.js')
  const change = await changeOf(former, closure, request)
  const release = async () => {
    const {lockedSetWarnings} = await import('../../plan/git/judge-xpkgs.js')
    const {judgedXpkgCrds} = await import('../../inspect/policy/planned-xpkg-crds.js')
    return {warnings: lockedSetWarnings(change.set), crds: judgedXpkgCrds(change.set.changes)}
  }
  return {
    ...{xpkgs: change, remembering: lock => rememberingStored(lock, change.set)},
    releases: change.set.changes.length === 0 ? [] : [release],
  }
}
