import type {LintDiagnostic} from '../../author/lint/lint-diagnostic.js'
import type {LintReport} from '../../author/lint/lint-report.js'
import {lintRule} from '../../author/lint/lint-rules.js'
import {count} from '../../text.js'
import type {Paint} from './paint.js'
import {plainText} from './plain-text.js'

/** One line per diagnostic, `file:line: severity: message [rule]`, as compilers write it. */
export function formatLint({findings}: LintReport, paint: Paint): string {
  return findings.map(each => `${formatLintDiagnostic(each, paint)}\n`).join('')
}

function formatLintDiagnostic({file, line, severity, message, rule}: LintDiagnostic, paint: Paint): string {
  const place = plainText(line === undefined ? file : `${file}:${line}`)
  return `${place}: ${paint(severity === 'error' ? 'red' : 'yellow', severity)}: ${plainText(message)} [${rule}]`
}

/** The number of errors and warnings, and the advice of each rule. */
export function formatSummary({package: name, counts, findings}: LintReport): string {
  const {errors, warnings} = counts
  const rules = [...new Set(findings.map(({rule}) => rule))].sort()
  const steps = rules.map(rule => `  ${rule}: ${lintRule(rule)?.advice ?? ''}`)
  const found =
    findings.length === 0 ? 'no problems' : `${count(errors, 'error')}, ${count(warnings, 'warning')}`
  return [`${plainText(name)}: ${found}`, ...steps].map(text => `${text}\n`).join('')
}
