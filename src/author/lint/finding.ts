import type {Fault} from '../../errors.js'

/** An error keeps the package from being rendered, or is one by the package's own format; a warning is neither. */
export type Severity = 'error' | 'warning'

/** One thing that the author of a package should look at, and what to do about it. */
export interface Finding extends Fault {
  readonly severity: Severity
  readonly file: string
  readonly advice: string
}
