// The one shape of what the bench finds, as text and as Markdown.

/**
 * `wanted` limits the ratio to `peer` or, without one, the milliseconds; `wantedPeak` the memory. Memory is in MB.
 *
 * @typedef {{work: string, build?: string | undefined, ms?: number, min?: number, peer?: {name: string, ms: number}, wanted?: number | undefined, peak?: number, wantedPeak?: number | undefined, details?: string, error?: string | undefined}} Row
 */

const HEAD = [
  'work',
  'build',
  'median ms',
  'min ms',
  'baseline',
  'ratio',
  'target',
  'met',
  'peak MB',
  'details',
]
const TEXTS = new Set(['work', 'build', 'baseline', 'details'])

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/**
 * Reports whether a row meets its targets; undefined if it has none.
 *
 * @param {Row} row
 */
export function isReached({ms, peer, wanted, peak, wantedPeak, error}) {
  if (wanted === undefined && wantedPeak === undefined) return undefined
  if (error !== undefined) return false
  const found = ratioOf({ms, peer}) ?? ms ?? Number.NaN
  return (
    (wanted === undefined || found <= wanted) && (wantedPeak === undefined || (peak ?? NaN) <= wantedPeak)
  )
}

/** Says in details whether a target without a column is met. @param {boolean} isMet */
export function metOrNot(isMet) {
  return isMet ? 'met' : 'not met'
}

/** The table for a terminal. @param {readonly Row[]} rows */
export function textTable(rows) {
  const [head = [], ...cells] = filled(rows)
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map(row => row[column]?.length ?? 0)))
  return [head, ...cells].map(row =>
    row
      .map((cell, i) => (isText(head, i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** The table for a page. @param {readonly Row[]} rows */
export function markdownTable(rows) {
  const [head = [], ...cells] = filled(rows)
  const line = (/** @type {readonly string[]} */ row) =>
    `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map((_, i) => (isText(head, i) ? '---' : '--:'))), ...cells.map(line)]
}

/**
 * @param {readonly string[]} head
 * @param {number} column
 */
function isText(head, column) {
  return TEXTS.has(head[column] ?? '')
}

/** The head and the rows, without columns that no row has. @param {readonly Row[]} rows */
function filled(rows) {
  const cells = rows.map(cellsOf)
  const columns = HEAD.map((_, i) => i).filter(i => i === 0 || cells.some(row => row[i] !== ''))
  return [HEAD, ...cells].map(row => columns.map(i => row[i] ?? ''))
}

/** @param {Row} row */
function cellsOf(row) {
  const {work, build = '', ms, min, peer, peak, details = '', error} = row
  return [
    work,
    build,
    number(ms),
    number(min),
    peer?.name ?? '',
    ratio(ratioOf(row)),
    wantedText(row),
    reachedText(row),
    number(peak),
    error === undefined ? details : `failed: ${error}`,
  ]
}

/** @param {Pick<Row, 'ms' | 'peer'>} row */
function ratioOf({ms, peer}) {
  return ms === undefined || peer === undefined ? undefined : ms / peer.ms
}

/** @param {Row} row */
function wantedText({peer, wanted, wantedPeak}) {
  return [
    ...(wanted === undefined ? [] : [peer === undefined ? `≤ ${wanted} ms` : `≤ ${wanted}x`]),
    ...(wantedPeak === undefined ? [] : [`≤ ${number(wantedPeak)} MB`]),
  ].join(', ')
}

/** @param {Row} row */
function reachedText(row) {
  const reached = isReached(row)
  return reached === undefined ? '' : reached ? 'yes' : 'no'
}

/** @param {number | undefined} value */
function number(value) {
  if (value === undefined || !Number.isFinite(value)) return ''
  return value >= 100 ? value.toFixed(0) : value.toFixed(1)
}

/** @param {number | undefined} value */
function ratio(value) {
  return value !== undefined && Number.isFinite(value) ? `${value.toFixed(2)}x` : ''
}
