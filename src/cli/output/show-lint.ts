import type {LintDiagnostic} from '../../author/lint/lint-diagnostic.js'
import type {LintReport} from '../../author/lint/lint-report.js'
import {lintRule} from '../../author/lint/lint-rules.js'
import type {Paint} from './paint.js'
import {plainText} from './plain-text.js'

/** One line for each finding, `file:line: severity: message [rule]`, as compilers write it. */
export function formatFindings({findings}: LintReport, paint: Paint): string {
  return findings.map(finding => `${formatFinding(finding, paint)}\n`).join('')
}

function formatFinding({file, line, severity, message, rule}: LintDiagnostic, paint: Paint): string {
  const place = plainText(line === undefined ? file : `${file}:${line}`)
  return `${place}: ${paint(severity === 'error' ? 'red' : 'yellow', severity)}: ${plainText(message)} [${rule}]`
}

/** How much was found, and what to do about each kind of finding. */
export function formatSummary({package: name, counts, findings}: LintReport): string {
  const {errors, warnings} = counts
  const rules = [...new Set(findings.map(({rule}) => rule))].sort()
  const steps = rules.map(rule => `  ${rule}: ${lintRule(rule)?.advice ?? ''}`)
  const found =
    findings.length === 0 ? 'nothing found' : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`
  return [`${plainText(name)}: ${found}`, ...steps].map(text => `${text}\n`).join('')
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
