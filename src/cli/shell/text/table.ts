import {lines} from './lines.js'
import type {Paint} from './paint.js'
import {plainText} from './plain-text.js'

/** The text of a cell, possibly untrusted; a style is added after the width is measured. */
export type Cell = string | {readonly text: string; readonly style: Parameters<Paint>[0]}

export type Row = readonly Cell[]

/** The maximum number of characters of a cell that others follow, and of the last one of a row. */
const CELL_LENGTH = 160
const LAST_LENGTH = 200

/** The lines of a table; empty without rows. */
export function formatList(head: Row, rows: readonly Row[], paint: Paint): string {
  return rows.length === 0 ? '' : lines(formatTable([head, ...rows], paint, ''))
}

/**
 * Aligns rows as kubectl does, with three blanks between columns and none at the end; text that is too long is
 * truncated.
 */
export function formatTable(rows: readonly Row[], paint: Paint, indent = '  '): string[] {
  const shown = rows.map(row => row.map((cell, column) => showCell(cell, column === row.length - 1)))
  const widths = columnWidths(shown)
  return shown.map(row => {
    const cells = row.map(({text, style}, column) => {
      const padding = column === row.length - 1 ? '' : ' '.repeat((widths[column] ?? 0) - lengthOf(text) + 3)
      return `${style === undefined ? text : paint(style, text)}${padding}`
    })
    return `${indent}${cells.join('')}`.trimEnd()
  })
}

/** The number of columns of a terminal for which tables are made. */
export const TABLE_WIDTH = 100

/**
 * Returns the lines of each row, aligned as by `formatTable`; where one would be too wide for a terminal, the cells of each row after the first
 * `columns` ones are below them.
 */
export function formatNarrow(rows: readonly Row[], columns: number, paint: Paint): string[][] {
  const isNarrow = formatTable(rows, (_, text) => text, '').every(line => lengthOf(line) <= TABLE_WIDTH)
  if (isNarrow) return formatTable(rows, paint, '').map(line => [line])
  const heads = formatTable(
    rows.map(row => row.slice(0, columns)),
    paint,
    '',
  )
  const others = formatTable(
    rows.map(row => row.slice(columns)),
    paint,
    '    ',
  )
  return rows.map((_, at) =>
    [heads[at] ?? '', others[at] ?? ''].filter((line, part) => part === 0 || line !== ''),
  )
}

interface ShownCell {
  readonly text: string
  readonly style?: Parameters<Paint>[0]
}

function showCell(cell: Cell, isLast: boolean): ShownCell {
  const {text, ...style} = typeof cell === 'string' ? {text: cell} : cell
  return {text: plainText(text, isLast ? LAST_LENGTH : CELL_LENGTH), ...style}
}

/**
 * The last cell of a row has no width: nothing is aligned with its end. There may be more rows than the maximum
 * number of arguments of a call.
 */
function columnWidths(rows: readonly (readonly ShownCell[])[]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, {text}] of row.slice(0, -1).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, lengthOf(text))
    }
  }
  return widths
}

/** The number of columns of a text. */
export function lengthOf(text: string): number {
  return [...text].length
}
