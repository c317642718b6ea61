import type {Outcome} from 'kubectl-crossplane/plugin'
import {notSynced, SYNCED} from '../model/conditions.js'
import {messageOf} from '../model/message-of.js'
import {isOutdated} from '../model/store.js'
import {Stop, type Verdict} from '../model/verdict.js'
import {RunnerStopped} from './external-call.js'
import type {ManagedPass} from './managed-pass.js'

const ERROR: Outcome = {result: 'error'}
/** Many objects that were created at a time must not be looked at at the same time for ever. */
const JITTER = 0.1

/** Makes a step of a pass; an error of it ends the pass, with a condition whose message begins with `prefix`. */
export async function step<Result>(
  pass: ManagedPass,
  {reason, prefix = ''}: {readonly reason: string; readonly prefix?: string},
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stop || error instanceof RunnerStopped || isOutdated(error)) throw error
    const message = pass.withoutSecrets(messageOf(error))
    const event = {type: 'Warning', reason, message, source: pass.source} as const
    throw new Stop({conditions: [notSynced(`${prefix}${message}`)], event, outcome: ERROR})
  }
}

/** Returns the verdict of a pass that succeeded; the next one follows after a time. */
export function success({ports}: ManagedPass, wait: number): Verdict {
  const again = Math.round(wait * (1 - JITTER + 2 * JITTER * ports.random()))
  return {conditions: [SYNCED], outcome: {result: 'success', again}}
}
