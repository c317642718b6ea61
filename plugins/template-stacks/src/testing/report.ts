import {
  asText,
  type Diagnostic,
  formatTable,
  type JsonValue,
  lines,
  type Paint,
  plainText,
  type Row,
  writeJson,
} from 'kubectl-crossplane/plugin'
import type {Difference} from './compare-objects.js'
import type {CoveredParts} from './coverage.js'
import type {CaseResult} from './run-case.js'

/** The results of all tests of a package. */
export interface TestReport {
  /** The package as the user named it. */
  readonly name: string
  readonly cases: readonly CaseResult[]
  readonly coverage: readonly CoveredParts[]
}

/** Formats the results as text: each test, the differences of those that failed, and the coverage. */
export function formatReport({name, cases, coverage}: TestReport, paint: Paint): string {
  const failed = cases.filter(({passed}) => !passed).length
  const rows: Row[] = coverage.map(({parts, total, missing}) => [
    parts,
    `${total - missing.length}/${total}`,
    missing.length === 0 ? '' : shortList(missing),
  ])
  return lines([
    ...cases.flatMap(result => [
      `${result.passed ? 'PASS' : paint('red', 'FAIL')} ${plainText(result.name)}`,
      ...failureLines(result).map(text => `  ${text}`),
    ]),
    `${plainText(name)}: ${cases.length - failed} passed, ${failed} failed`,
    ...(rows.length === 0
      ? []
      : ['', ...formatTable([['COVERAGE', 'TESTED', 'UNTESTED'], ...rows], paint, '')]),
  ])
}

const MAX_LISTED = 3

function shortList(texts: readonly string[]): string {
  const listed = texts
    .slice(0, MAX_LISTED)
    .map(text => plainText(text))
    .join(', ')
  return texts.length > MAX_LISTED ? `${listed}, and ${texts.length - MAX_LISTED} more` : listed
}

/** The reason of a failure, a line for each difference. */
export function failureLines({reason, diagnostics, differences}: CaseResult): readonly string[] {
  return [
    ...(reason === undefined ? [] : [plainText(reason)]),
    ...diagnostics.map(diagnosticText),
    ...differences.map(differenceText),
  ]
}

function diagnosticText({file, line, message}: Diagnostic): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `
  return plainText(place + message)
}

function differenceText({object, kind, field, want, got}: Difference): string {
  switch (kind) {
    case 'missing':
      return plainText(`${object}: not rendered`)
    case 'unexpected':
      return plainText(`${object}: not in want.yaml`)
    case 'moved':
      return plainText(`${object}: at another place in the order`)
    default:
      return plainText(`${object}: ${asText(field)}: want ${valueText(want)}, got ${valueText(got)}`)
  }
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined
    ? 'no value'
    : writeJson(value)
        .trim()
        .replace(/\s*\n\s*/g, ' ')
}
