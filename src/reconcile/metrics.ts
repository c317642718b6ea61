/** How a pass over one object ended. */
export type PassResult = 'success' | 'error' | 'requeue'

/** Port: the metrics of controllers, under the names that those of controller-runtime have. */
export interface ControllerMetrics {
  /** Counts a pass; `seconds` is its duration. */
  reconciled(controller: string, result: PassResult, seconds: number): void
  /** Sets the number of objects that wait. */
  queued(controller: string, depth: number): void
}

/** The metrics of this process, and their text for Prometheus. */
export interface Metrics extends ControllerMetrics {
  text(): Promise<{readonly type: string; readonly text: string}>
}
