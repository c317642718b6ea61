import {lockPackages, type LockReport} from '../lock-packages.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {type DeclaredNames, notDeclared} from '../../plan/declaration/declared-names.js'

/** An upgrade of packages of a declaration. */
interface LockUpgrade {
  readonly names: DeclaredNames
  readonly settings: ResolutionSettings
  /** The declaration. */
  readonly file: string
}

/**
 * Returns the lock that `package lock --upgrade` writes for the same packages; without a previous one, a new lock. Throws
 * `not-found` for unknown packages.
 */
export async function upgradedLock(
  heldLock: HeldLock | undefined,
  {names, settings, file}: LockUpgrade,
  requests: RequestPorts,
): Promise<LockReport> {
  const locked = new Set((heldLock?.lock.packages ?? []).map(({identity}) => identity))
  const unknown = names.named.find(text => !names.declared.has(text) && !locked.has(text))
  if (unknown !== undefined) throw notDeclared(unknown, file, new Set([...names.declared, ...locked]))
  const upgraded: HeldLock['upgraded'] =
    names.named.length === 0 ? 'all' : names.named.filter(text => locked.has(text))
  const {requested, policy, packages} = await readRequest({kind: 'declaration', file, settings}, requests)
  const lock = heldLock === undefined ? undefined : {...heldLock, upgraded}
  const report = await lockPackages(requested, {...policy, lock}, packages)
  // The pinned packages are known from `names`, also those that no lock has yet.
  return {...report, notes: report.notes.filter(({rule}) => rule !== 'pinned-version')}
}
