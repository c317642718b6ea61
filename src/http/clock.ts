/** Port: time and chance, for waiting between attempts. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  sleep(milliseconds: number): Promise<void>
  /** At least 0, less than 1. */
  random(): number
}
