import type {PolicyCaseResult} from '../../../pipeline/policy/test-policy.js'
import {formatDiagnostic} from '../text/format-diagnostic.js'
import {formatJunit} from '../ci/junit.js'
import {lines} from '../text/lines.js'
import type {Paint} from '../text/paint.js'
import {plainText} from '../text/plain-text.js'
import {formatDocument} from '../document/show.js'

/** The results of the tests of a policy. */
export interface PolicyTestReport {
  readonly file: string
  readonly cases: readonly PolicyCaseResult[]
}

/** Formats the results of the tests of a policy. */
export function formatPolicyTest(
  {file, cases}: PolicyTestReport,
  output: 'text' | 'json' | 'yaml' | 'junit',
  paint: Paint,
): string {
  if (output === 'junit')
    return formatJunit(
      file,
      cases.map(result => ({...result, lines: failureLines(result)})),
    )
  if (output !== 'text') return formatDocument({kind: 'PolicyTestReport', file, cases}, output)
  const failed = cases.filter(({passed}) => !passed).length
  return lines([
    ...cases.flatMap(result => [
      `${result.passed ? 'PASS' : paint('red', 'FAIL')} ${plainText(result.name)}`,
      ...(result.passed ? [] : failureLines(result).map(text => `  ${text}`)),
    ]),
    `${plainText(file)}: ${cases.length - failed} passed, ${failed} failed`,
  ])
}

function failureLines({reason = '', violations}: PolicyCaseResult): readonly string[] {
  return [plainText(reason), ...violations.map(formatDiagnostic)]
}
