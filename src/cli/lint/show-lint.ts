import type {LintDiagnostic} from '../../author/lint/lint-diagnostic.js'
import type {LintReport} from '../../author/lint/lint-report.js'
import {lintRule} from '../../author/lint/lint-rules.js'
import {count} from '../../text.js'
import {formatAnnotations} from '../shell/ci/github-annotation.js'
import {type Paint, painter} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {lintAnnotations} from '../shell/ci/reported-annotations.js'
import {formatSarif} from '../shell/ci/sarif.js'
import {formatDocument, type OutputFormat, show} from '../shell/document/show.js'

/** The formats of a report of lint. */
export type LintFormat = OutputFormat | 'text' | 'github' | 'sarif'

/** How to show a report: `reference` is the package as the user named it, `version` that of this program. */
export interface LintOutput {
  readonly reference: string
  readonly format: LintFormat
  readonly version: string
  readonly argv: readonly string[]
}

/** Prints a report: on standard output, and for users a summary on standard error. */
export async function showLint(
  report: LintReport,
  {reference, format, version, argv}: LintOutput,
): Promise<void> {
  if (format === 'sarif') return await show(formatSarif(report, reference, version))
  if (format === 'json' || format === 'yaml')
    return await show(formatDocument({kind: 'LintReport', ...report}, format))
  const text =
    format === 'github'
      ? formatAnnotations(lintAnnotations(report, reference))
      : formatLint(report, painter(argv, 'stdout'))
  await show(text)
  process.stderr.write(formatSummary(report))
}

/** One line per diagnostic, `file:line: severity: message [rule]`, as compilers write it. */
export function formatLint({findings}: LintReport, paint: Paint): string {
  return findings.map(diagnostic => `${formatLintDiagnostic(diagnostic, paint)}\n`).join('')
}

function formatLintDiagnostic({file, line, severity, message, rule}: LintDiagnostic, paint: Paint): string {
  const place = plainText(line === undefined ? file : `${file}:${line}`)
  return `${place}: ${paint(severity === 'error' ? 'red' : 'yellow', severity)}: ${plainText(message)} [${rule}]`
}

/** The number of errors and warnings, and the advice of each rule. */
function formatSummary({package: name, counts, findings}: LintReport): string {
  const {errors, warnings} = counts
  const rules = [...new Set(findings.map(({rule}) => rule))].sort()
  const steps = rules.map(rule => `  ${rule}: ${lintRule(rule)?.advice ?? ''}`)
  const summary =
    findings.length === 0 ? 'no problems' : `${count(errors, 'error')}, ${count(warnings, 'warning')}`
  return [`${plainText(name)}: ${summary}`, ...steps].map(text => `${text}\n`).join('')
}
