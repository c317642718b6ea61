import {lockRequest} from './lock-request.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {type DeclaredNames, notDeclared} from '../../plan/declaration/declared-names.js'
import type {LockReport} from '../../package/reports.js'

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
  const {packages = [], xpkgs = []} = heldLock?.lock ?? {}
  const locked = new Set([
    ...packages.map(({identity}) => identity),
    ...xpkgs.map(({repository}) => repository),
  ])
  const unknown = names.named.find(text => !names.declared.has(text) && !locked.has(text))
  if (unknown !== undefined)
    throw notDeclared({...names, identity: unknown}, file, new Set([...names.declared, ...locked]))
  const upgraded: HeldLock['upgraded'] =
    names.named.length === 0 ? 'all' : names.named.filter(text => locked.has(text))
  const request = await readRequest({kind: 'declaration', file, settings}, requests)
  const report = await lockRequest(request, heldLock === undefined ? undefined : {...heldLock, upgraded})
  // The pinned packages are known from `names`, also those that no lock has yet.
  return {...report, notes: report.notes.filter(({rule}) => rule !== 'pinned-version')}
}
