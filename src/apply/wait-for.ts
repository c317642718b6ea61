import {CrossplaneError} from '../errors.js'
import {readinessOf} from '../cluster/readiness/readiness.js'
import {waitUntilReady, type WaitOptions} from '../cluster/readiness/wait.js'
import {objectText} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import type {Operation} from '../plan/plan.js'
import {expectsAbsence, nameIn} from './operation-parts.js'

/** Milliseconds between two looks at an object that is being deleted. */
const PAUSE = 250

/** Waits until the objects of operations are ready, or gone where an operation expects that. Throws `timeout`. */
export async function waitFor(operations: readonly Operation[], options: WaitOptions): Promise<void> {
  await waitUntilReady(operations.filter(each => !expectsAbsence(each)).map(nameIn), options)
  const end = options.clock.now() + options.timeout
  for (const operation of operations.filter(expectsAbsence))
    await waitUntilGone(nameIn(operation), end, options)
}

async function waitUntilGone(object: ObjectName, end: number, options: WaitOptions): Promise<void> {
  const {api, clock, signal} = options
  for (;;) {
    signal?.throwIfAborted()
    const found = await api.get(object)
    if (found === undefined) return
    if (clock.now() >= end) {
      const readiness = readinessOf(found)
      const why = readiness.ready ? '' : `: ${readiness.reason}`
      throw new CrossplaneError('timeout', `${objectText(object)} is not deleted${why}`, {
        suggestions: ['Fix the cause, and run the command again, or pass a longer --timeout.'],
      })
    }
    await clock.sleep(PAUSE, signal)
  }
}
