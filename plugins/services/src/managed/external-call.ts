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

/** Returns a runner of calls. One that ignores its signal fails all the same. */
export function callRunner({clock, signal, limit}: CallPorts): CallRunner {
  return async work => {
    const timer = new AbortController()
    const stop = AbortSignal.any([signal, timer.signal])
    let reason: Error | undefined
    const late = clock.sleep(limit, stop).then(() => {
      reason = signal.aborted ? new RunnerStopped() : new Error(`no result in ${limit / 1000}s`)
      timer.abort(reason)
      throw reason
    })
    const done = Promise.resolve(work({signal: stop, deadline: clock.now() + limit}))
    // Whichever settles last is not waited for.
    late.catch(() => undefined)
    done.catch(() => undefined)
    return await Promise.race([done, late])
      .catch((error: unknown) => {
        // Clients report aborted calls in words of their own.
        throw signal.aborted ? new RunnerStopped() : (reason ?? error)
      })
      .finally(() => timer.abort())
  }
}
