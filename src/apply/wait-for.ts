import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import {type LockExpectation, waitUntilLocked} from '../observe/core/wait-until-locked.js'
import {waitUntilReady} from '../observe/readiness/wait.js'
import type {Operation} from '../plan/plan.js'
import {contentIn, expectsAbsence, lockedIn, nameIn, uidIn} from './operation-parts.js'
import {type GoneOptions, waitUntilGone} from '../observe/changes/wait-until-gone.js'

/**
 * Waits until objects are ready, or gone where an operation expects that, and until the Lock of a core has revisions or lost them.
 * Throws `timeout`.
 */
export async function waitFor(operations: readonly Operation[], options: GoneOptions): Promise<void> {
  const {api} = options
  const expected = operations.flatMap(operation =>
    lockedIn(operation).map(one => ({...one, ...repeated(operation, api)})),
  )
  await waitUntilLocked(expected, options)
  const ready = operations.filter(operation => !expectsAbsence(operation) && lockedIn(operation).length === 0)
  const repeats = ready.flatMap(operation => repeated(operation, api).again ?? [])
  const again = async () => {
    for (const repeat of repeats) await repeat()
  }
  await waitUntilReady(ready.map(nameIn), {...options, ...(repeats.length === 0 ? {} : {again})})
  const deleted = operations
    .filter(expectsAbsence)
    .map(operation => ({name: nameIn(operation), uid: uidIn(operation)}))
  await waitUntilGone(deleted, options)
}

/** What a wait applies as long as it lasts. */
function repeated(
  {content, manager = CONTENT_MANAGER, force = false, ...operation}: Operation,
  api: Pick<ClusterApi, 'apply'>,
): Pick<LockExpectation, 'again'> {
  if (content === undefined) return {}
  const object = contentIn({...operation, content})
  return {again: async () => void (await api.apply(object, {manager, force}))}
}
