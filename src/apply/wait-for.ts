import {waitUntilReady} from '../observe/readiness/wait.js'
import type {Operation} from '../plan/plan.js'
import {expectsAbsence, nameIn, uidIn} from './operation-parts.js'
import {type GoneOptions, waitUntilGone} from '../observe/changes/wait-until-gone.js'

/** Waits until the objects of operations are ready, or gone where an operation expects that. Throws `timeout`. */
export async function waitFor(operations: readonly Operation[], options: GoneOptions): Promise<void> {
  await waitUntilReady(operations.filter(operation => !expectsAbsence(operation)).map(nameIn), options)
  const deleted = operations
    .filter(expectsAbsence)
    .map(operation => ({name: nameIn(operation), uid: uidIn(operation)}))
  await waitUntilGone(deleted, options)
}
