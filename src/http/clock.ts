/** Port: time and randomness, for waiting between attempts. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves early when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** At least 0, less than 1. */
  random(): number
}
