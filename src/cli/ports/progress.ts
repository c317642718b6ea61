import type {Trace} from '../../http/trace.js'
import type {PulledPackage} from '../../locate/remote-repository.js'
import type {ImageName} from '../../reference/image-name.js'
import type {ReportProgress} from '../../registry/progress.js'

/** Reports on standard error what a command is doing. */
export interface Progress {
  readonly report: ReportProgress
  readonly warn: (message: string) => void
  /** Takes lines of a trace; only with --debug. */
  readonly trace?: Trace
  readonly pulled: (name: ImageName, found: PulledPackage) => void
  /** Clears the spinner, so that what follows starts on its own line. */
  readonly end: () => void
}
