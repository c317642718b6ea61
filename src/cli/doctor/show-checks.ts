import type {Check, CheckState} from '../../doctor/check.js'
import {lines} from '../shell/text/lines.js'
import {onCluster} from '../shell/document/on-cluster.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** The names of states in tables and documents. */
const STATE_WORDS: Readonly<Record<CheckState, string>> = {
  ok: 'OK',
  warning: 'Warning',
  broken: 'Broken',
  skipped: 'Skipped',
}

/** The same checks with the flags of the command line in each suggestion that connects to the cluster. */
export function checksOn(checks: readonly Check[], argv: readonly string[]): Check[] {
  return checks.map(check =>
    check.suggestion === undefined ? check : {...check, suggestion: onCluster(check.suggestion, argv)},
  )
}

/** Checks as a table: a line for each, and below it the next step. */
export function formatChecks(checks: readonly Check[], paint: Paint): string {
  const rows = checks.map((check): Row => [check.id, stateCell(check), check.message])
  const [head = '', ...shown] = formatTable([['CHECK', 'STATE', 'RESULT'], ...rows], paint, '')
  return lines([
    head,
    ...shown.flatMap((line, index) => {
      const {suggestion} = checks[index] ?? {}
      return suggestion === undefined ? [line] : [line, `  ${paint('bold', 'Try:')} ${plainText(suggestion)}`]
    }),
  ])
}

function stateCell({state}: Check): Row[number] {
  const text = STATE_WORDS[state]
  if (state === 'broken') return {text, style: 'red'}
  return state === 'warning' ? {text, style: 'yellow'} : text
}

/** The document of `-o json`. */
export function checksDocument(checks: readonly Check[]) {
  return {
    kind: 'DoctorReport',
    checks: checks.map(({id, state, ...check}) => ({check: id, state: STATE_WORDS[state], ...check})),
  } as const
}
