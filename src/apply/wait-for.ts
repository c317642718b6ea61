import {waitUntilReady} from '../observe/readiness/wait.js'
import type {Operation} from '../plan/plan.js'
import {expectsAbsence, nameIn, uidIn} from './operation-parts.js'
import {type GoneOptions, waitUntilGone} from '../observe/changes/wait-until-gone.js'

/** Waits until the objects of operations are ready, or gone where an operation expects that. Throws `timeout`. */
export async function waitFor(operations: readonly Operation[], options: GoneOptions): Promise<void> {
  await waitUntilReady(operations.filter(each => !expectsAbsence(each)).map(nameIn), options)
  const deleted = operations.filter(expectsAbsence).map(each => ({name: nameIn(each), uid: uidIn(each)}))
  await waitUntilGone(deleted, options)
}
