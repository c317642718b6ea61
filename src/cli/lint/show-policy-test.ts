import type {PolicyCaseResult} from '../../pipeline/policy/test-policy.js'
import {formatDiagnostic} from '../shell/text/format-diagnostic.js'
import {formatJunit} from '../shell/ci/junit.js'
import {lines} from '../shell/text/lines.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatDocument} from '../shell/document/show.js'

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
