/** How long to try to reach a server. */
export interface Patience {
  /** All attempts of a request, including the first. */
  readonly attempts: number
  /** Milliseconds without any data after which an attempt fails. */
  readonly timeoutMs: number
}
