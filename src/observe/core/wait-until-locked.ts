import {CrossplaneError} from '../../errors.js'
import {CORE_LOCK} from '../../plan/cluster/state/core-state.js'
import {coreLock} from '../../plan/cluster/core/read-core-object.js'
import {count, listNames} from '../../text.js'
import type {WaitOptions} from '../readiness/wait.js'

/** A revision that the Lock of a core has to have, or to lose. */
export interface LockExpectation {
  readonly revision: string
  readonly locked: boolean
  /** Makes the revision such that the Lock can lose it: the core can activate it before it has seen that it was not active. */
  readonly again?: () => Promise<void>
}

/** Milliseconds between two reads. */
const PAUSE = 500
/** Reads after which the core can have missed a change. */
const READS = 6

/** Waits until the Lock of a core has revisions, or has them no more. Throws `timeout`, and the errors of the API. */
export async function waitUntilLocked(
  expected: readonly LockExpectation[],
  {api, clock, timeout, signal, report}: WaitOptions,
): Promise<void> {
  const end = clock.elapsed() + timeout
  let left = expected
  for (let read = 1; left.length > 0; read += 1) {
    signal?.throwIfAborted()
    const names = new Set(coreLock(await api.get(CORE_LOCK)).entries.map(({name}) => name))
    left = left.filter(({revision, locked}) => names.has(revision) !== locked)
    if (left.length === 0) return
    if (read % READS === 0) for (const {again} of left) await again?.()
    report?.(left.map(one => ({object: CORE_LOCK, reason: reasonOf(one)})))
    if (clock.elapsed() >= end) throw notLocked(left, timeout)
    await clock.sleep(Math.min(PAUSE, end - clock.elapsed()), signal)
  }
}

function reasonOf({revision, locked}: LockExpectation): string {
  return locked ? `it does not have ${revision} yet` : `it still has ${revision}`
}

function notLocked(left: readonly LockExpectation[], timeout: number): CrossplaneError {
  const names = listNames(left.map(({revision}) => revision))
  const what = left[0]?.locked === true ? 'does not have' : 'still has'
  const after = count(Math.round(timeout / 1000), 'second')
  return new CrossplaneError('timeout', `the Lock of Crossplane ${what} ${names} after ${after}`, {
    suggestions: ['kubectl crossplane doctor', 'Run the command again, or pass a longer --timeout.'],
  })
}
