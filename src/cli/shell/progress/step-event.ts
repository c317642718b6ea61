import type {Trace} from '../../../http/trace.js'
import type {PulledPackage} from '../../../locate/remote-repository.js'
import type {ImageName} from '../../../reference/image-name.js'
import type {ProgressEvent} from '../../../registry/progress.js'

/**
 * What a command begins or waits for, in words. A `step` lasts until the next; a `wait` for a state, during which requests
 * are made, until the end of its `task`.
 */
export type StepEvent =
  | {readonly kind: 'step'; readonly name: string}
  | {readonly kind: 'wait'; readonly task: string; readonly name: string}
  | {readonly kind: 'wait-end'; readonly task: string}

/** Receives steps, transfers and retries; must not throw. */
export type ReportSteps = (event: ProgressEvent | StepEvent) => void

/** Reports on standard error what a command is doing. */
export interface Progress {
  readonly report: ReportSteps
  readonly warn: (message: string) => void
  /** Takes lines of a trace; only with --debug. */
  readonly trace?: Trace
  readonly pulled: (name: ImageName, pulledPackage: PulledPackage) => void
  /** Prints a line that is not progress, such as a change that was made, beside the spinner. */
  readonly print: (line: string) => void
  /** Clears the spinner, so that what follows starts on its own line. The next report starts again. */
  readonly end: () => void
}
