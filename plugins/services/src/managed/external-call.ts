import type {ExternalCall} from '../services.js'

/** Runs a call to an external system until its deadline. */
export type CallRunner = <Result>(work: (call: ExternalCall) => Promise<Result>) => Promise<Result>

/** The ports of calls. */
export interface CallPorts {
  readonly clock: {now(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void>}
  /** Is aborted when the runner stops. */
  readonly signal: AbortSignal
  /** In milliseconds. */
  readonly limit: number
}

/** The failure of calls at the end of the runner: no failure of the external system, so it is not reported. */
export class RunnerStopped extends Error {
  constructor() {
    super('the runner was stopped')
  }
}

/** What a call's signal is aborted with once the call is over. One for all: an error with its stack would cost more than most calls. */
const OVER = new Error('the call is over')

/** Returns a runner of calls. One that ignores its signal fails all the same. */
export function callRunner({clock, signal, limit}: CallPorts): CallRunner {
  return async work => {
    // Not AbortSignal.any, whose signals remain in memory for a while.
    const call = new AbortController()
    const stopped = () => call.abort(signal.reason)
    if (signal.aborted) stopped()
    else signal.addEventListener('abort', stopped)
    let reason: Error | undefined
    const late = new Promise<never>((_resolve, reject) => {
      void clock.sleep(limit, call.signal).then(() => {
        if (call.signal.reason === OVER) return
        reason = signal.aborted ? new RunnerStopped() : new Error(`no result in ${limit / 1000}s`)
        call.abort(reason)
        reject(reason)
      })
    })
    const done = (async () => await work({signal: call.signal, deadline: clock.now() + limit}))()
    // Whichever settles last is not waited for.
    late.catch(() => undefined)
    done.catch(() => undefined)
    return await Promise.race([done, late])
      .catch((error: unknown) => {
        // Clients report aborted calls in words of their own.
        throw signal.aborted ? new RunnerStopped() : (reason ?? error)
      })
      .finally(() => {
        signal.removeEventListener('abort', stopped)
        call.abort(OVER)
      })
  }
}
