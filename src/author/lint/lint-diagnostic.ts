import type {Diagnostic} from '../../diagnostic.js'

/** What lint reports of a place in a package, with the advice of its rule. */
export interface LintDiagnostic extends Diagnostic {
  readonly severity: 'error' | 'warning'
  readonly file: string
  readonly advice: string
}
