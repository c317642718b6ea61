import {waitUntilLocked} from '../observe/core/wait-until-locked.js'
import {waitUntilReady} from '../observe/readiness/wait.js'
import type {Operation} from '../plan/plan.js'
import {expectsAbsence, lockedIn, nameIn, uidIn} from './operation-parts.js'
import {type GoneOptions, waitUntilGone} from '../observe/changes/wait-until-gone.js'

/**
 * Waits until objects are ready, or gone where an operation expects that, and until the Lock of a core has revisions or lost them.
 * Throws `timeout`.
 */
export async function waitFor(operations: readonly Operation[], options: GoneOptions): Promise<void> {
  await waitUntilLocked(operations.flatMap(lockedIn), options)
  const ready = operations.filter(operation => !expectsAbsence(operation) && lockedIn(operation).length === 0)
  await waitUntilReady(ready.map(nameIn), options)
  const deleted = operations
    .filter(expectsAbsence)
    .map(operation => ({name: nameIn(operation), uid: uidIn(operation)}))
  await waitUntilGone(deleted, options)
}
