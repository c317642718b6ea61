import type {Diagnostic} from '../../diagnostic.js'

/** A diagnostic of lint at a place in a package, with the advice of its rule. */
export interface LintDiagnostic extends Diagnostic {
  readonly severity: 'error' | 'warning'
  readonly file: string
  readonly advice: string
}
