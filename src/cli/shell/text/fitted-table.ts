import {lines} from './lines.js'
import type {Paint} from './paint.js'
import {plainText} from './plain-text.js'
import {type Cell, formatNarrow, formatTable, lengthOf, type Row, TABLE_WIDTH} from './table.js'

/** How a table gets narrower. */
interface FittedTable {
  /** The column with references of packages. */
  readonly packages: number
  /** The text that tells nothing, of columns that have one. */
  readonly usual?: Readonly<Record<string, string>>
  /** Whether everything is shown, however wide it is. */
  readonly isWide: boolean
  readonly paint: Paint
}

/**
 * The lines of a table; empty without rows. Where one would be too wide for a terminal, columns without text are left out, or with the usual one only,
 * repositories begin where they differ from each other, and the last column is below the others: in this order, as far as it is needed.
 */
export function formatFitted(
  head: readonly string[],
  rows: readonly Row[],
  {packages, usual = {}, isWide, paint}: FittedTable,
): string {
  if (rows.length === 0) return ''
  const table = [head, ...rows]
  if (isWide || fits(table)) return lines(formatTable(table, paint, ''))
  const isUsed = (name: string, column: number) =>
    rows.some(row => !['', usual[name]].includes(textOf(row[column])))
  const used = head.flatMap((name, column) => (isUsed(name, column) ? [column] : []))
  const only = (row: Row): Row => used.map(column => row[column] ?? '')
  const filled = table.map(only)
  if (fits(filled)) return lines(formatTable(filled, paint, ''))
  const texts = shortened(rows.map(row => textOf(row[packages])))
  const short = [head, ...rows.map((row, at) => row.with(packages, texts[at] ?? ''))].map(only)
  return lines(formatNarrow(short, used.length - 1, paint).flat())
}

function fits(table: readonly Row[]): boolean {
  return formatTable(table, (_, text) => text, '').every(line => lengthOf(line) <= TABLE_WIDTH)
}

function textOf(cell: Cell = ''): string {
  return typeof cell === 'string' ? cell : cell.text
}

/** Returns references with the last parts of their repositories by which these differ from each other. */
function shortened(references: readonly string[]): readonly string[] {
  const split = references.map(reference => {
    const plain = plainText(reference)
    const [, repository = plain] = /^([^@]*?)(?::[^:@/]*)?(?:@.*)?$/.exec(plain) ?? []
    return {parts: repository.split('/'), rest: plain.slice(repository.length)}
  })
  const names = [...new Set(split.map(({parts}) => parts.join('/')))].map(name => name.split('/'))
  return split.map(({parts, rest}) => {
    const endOf = (other: readonly string[], count: number) => other.slice(-count).join('/')
    const isAlone = (count: number) =>
      names.filter(other => endOf(other, count) === endOf(parts, count)).length === 1
    const count = parts.findIndex((_, at) => isAlone(at + 1)) + 1 || parts.length
    return `${count < parts.length ? '…/' : ''}${endOf(parts, count)}${rest}`
  })
}
