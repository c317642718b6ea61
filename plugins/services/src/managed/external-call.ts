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

/** Returns a runner of calls. One that ignores its signal fails all the same. */
export function callRunner({clock, signal, limit}: CallPorts): CallRunner {
  return async work => {
    const timer = new AbortController()
    const stop = AbortSignal.any([signal, timer.signal])
    const late = clock.sleep(limit, stop).then(() => {
      const cause = signal.aborted ? 'the runner was stopped' : `no result in ${limit / 1000}s`
      timer.abort(new Error(cause))
      throw new Error(cause)
    })
    const done = Promise.resolve(work({signal: stop, deadline: clock.now() + limit}))
    // Whichever settles last is not waited for.
    late.catch(() => undefined)
    done.catch(() => undefined)
    return await Promise.race([done, late]).finally(() => timer.abort())
  }
}
