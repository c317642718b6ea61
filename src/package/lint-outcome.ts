import type {LintDiagnostic} from '../author/lint/lint-diagnostic.js'
import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {isLocalPath} from '../reference/package-reference.js'
import {count, shellWord} from '../text.js'

/** Rejects a package in which lint found errors, and only counts its warnings: package lint lists them. */
export function lintOutcome(
  name: string,
  diagnostics: readonly LintDiagnostic[],
  advice: string,
  action: 'build' | 'push' = 'build',
): readonly Diagnostic[] {
  const errors = diagnostics.filter(({severity}) => severity === 'error')
  if (errors.length > 0) throw rejected(`${action} ${name}`, errors, advice)
  if (diagnostics.length === 0) return []
  const what = count(diagnostics.length, 'warning')
  return [
    {
      severity: 'warning',
      rule: 'lint',
      message: `lint found ${what}: kubectl crossplane package lint ${shellWord(asReference(name))}`,
    },
  ]
}

/** Formats a folder in the form that lint accepts. */
function asReference(path: string): string {
  return isLocalPath(path) ? path : `./${path}`
}

function rejected(what: string, diagnostics: readonly Diagnostic[], advice: string): CrossplaneError {
  const total = count(diagnostics.length, 'error')
  return new CrossplaneError('package-invalid', `cannot ${what}: lint found ${total}`, {
    diagnostics,
    suggestions: [advice],
  })
}
