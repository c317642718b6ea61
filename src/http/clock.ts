/** Port: time and randomness, for waiting between attempts. */
export interface Clock {
  /** Milliseconds since the epoch, by a clock that can be set. */
  now(): number
  /** Milliseconds since any time, by a clock that cannot be set: for durations. */
  elapsed(): number
  /** Resolves early when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** At least 0, less than 1. */
  random(): number
}
