import {formatJunit as formatCases} from 'kubectl-crossplane/plugin'
import {failureLines, type TestReport} from './report.js'

/** Formats the results as JUnit XML, which CI systems show. */
export function formatJunit({name, cases}: TestReport): string {
  return formatCases(
    name,
    cases.map(result => ({...result, lines: failureLines(result)})),
  )
}
