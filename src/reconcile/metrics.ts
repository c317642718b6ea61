/** How a pass over one object ended. */
export type PassResult = 'success' | 'error' | 'requeue'

/** Port: the metrics of controllers, under the names that those of controller-runtime have. */
export interface ControllerMetrics {
  /** Counts a pass; `seconds` is its duration. */
  reconciled(controller: string, result: PassResult, seconds: number): void
  /** Sets the number of objects that wait. */
  queued(controller: string, depth: number): void
}

/** Port: the number of requests in each state. */
export interface RequestMetrics {
  /** Sets where the numbers are read from. */
  requests(counts: () => readonly RequestCount[]): void
}

/** How many requests of a kind in a namespace are in one state. */
export interface RequestCount {
  readonly namespace: string
  readonly kind: string
  /** The status of a condition; empty before the first pass. */
  readonly ready: string
  readonly synced: string
  /** Why it is not synced, or else the reason of Ready. */
  readonly reason: string
  readonly count: number
}

/** The metrics of this process, and their text for Prometheus. */
export interface Metrics extends ControllerMetrics, RequestMetrics {
  text(): Promise<{readonly type: string; readonly text: string}>
}
