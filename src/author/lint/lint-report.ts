import type {LintDiagnostic} from './lint-diagnostic.js'

/** The diagnostics of one package. */
export interface LintReport {
  /** The package as the user named it. */
  readonly package: string
  readonly counts: {readonly errors: number; readonly warnings: number}
  /** In the order of files and lines. */
  readonly findings: readonly LintDiagnostic[]
}

export function lintReport(name: string, diagnostics: readonly LintDiagnostic[]): LintReport {
  const errors = diagnostics.filter(({severity}) => severity === 'error').length
  return {package: name, counts: {errors, warnings: diagnostics.length - errors}, findings: diagnostics}
}
