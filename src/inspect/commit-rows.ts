import {count, escaped, listSome} from '../text.js'
import type {FolderSummary} from './folder-summary.js'
import {summaryRows} from './summary-rows.js'

/** How many rows of each title are named: the first number whose rows are few enough for a reviewer. */
const LIMITS = [40, 20, 10, 5, 3]

/** More lines than a reviewer reads; the files have all of them. */
const MAX_LINES = 80

/** Formats the effect of a commit for reviewers, as lines of a table. Each title is named, however much changes. */
export function commitRows(summary: FolderSummary): readonly string[] {
  let lines: readonly string[] = []
  for (const limit of LIMITS) {
    lines = alignedRows(rowsUpTo(limit, summary))
    if (lines.length <= MAX_LINES) break
  }
  return lines
}

function rowsUpTo(limit: number, summary: FolderSummary): readonly (readonly string[])[] {
  const rows = [
    ...summaryRows({...summary, images: groupedImages(summary.images)}, limit),
    ...summary.installs.map(({install, objects}) => ['INSTALL', install, `changed: ${listSome(objects, 3)}`]),
    ...summary.bindings.map(({object, before = 'none', after = 'none'}) => [
      'BINDING',
      object,
      `${before} -> ${after}`,
    ]),
    ...summary.baseRoles.map(({name, change}) => ['BASE', name, `ClusterRole ${change}`]),
    ...summary.crds.map(({name, change, difference}) => [
      'CRD',
      name,
      difference === undefined ? change : `changed: ${difference}`,
    ]),
  ]
  const titles = [...new Set(rows.map(([title = '']) => title))]
  return titles.flatMap(title => {
    const ofTitle = rows.filter(row => row[0] === title)
    const left = ofTitle.length - limit
    if (left <= 0 || LIMITED.includes(title)) return ofTitle
    return [...ofTitle.slice(0, limit), [title, `and ${left} more`]]
  })
}

/** The titles whose rows `summaryRows` limits itself. */
const LIMITED = ['GAINS', 'LOSES']

/** Deployments that get the same images are named together. */
function groupedImages(images: FolderSummary['images']): FolderSummary['images'] {
  const groups = new Map<string, FolderSummary['images']>()
  for (const image of images) {
    const key = `${image.before.join()} -> ${image.after.join()}`
    groups.set(key, [...(groups.get(key) ?? []), image])
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? []
    return {...first, object: count(others.length + 1, 'Deployment')}
  })
}

/** Others are not aligned with longer cells: their lines would be broken. */
const MAX_COLUMN = 48

/** Aligns the cells of rows, and breaks long lines. */
export function alignedRows(rows: readonly (readonly string[])[]): readonly string[] {
  const shown = rows.map(row => row.map(cell => escaped(cell).replace(DIGEST, '$1...')))
  // The last cell of a row has no others to align.
  const widths = [0, 1].map(column =>
    Math.min(MAX_COLUMN, Math.max(0, ...shown.map(row => row.slice(0, -1)[column]?.length ?? 0))),
  )
  return shown.flatMap(row => {
    const fitting = [widths[0] ?? 0, Math.max(widths[1] ?? 0, blockWidth(row, shown))]
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell.padEnd(fitting[column] ?? 0),
    )
    return wrapped(cells.join('  ').trimEnd())
  })
}

/** The rows of a title, or those of them that end alike, are aligned with each other if that needs no break. */
function blockWidth(
  [title = '', , last = '']: readonly string[],
  rows: readonly (readonly string[])[],
): number {
  const ofTitle = rows.filter(([other, , end]) => other === title && end !== undefined)
  const blocks = [ofTitle, ofTitle.filter(([, , end]) => end === last)]
  const widths = blocks.map(block => {
    const width = Math.max(0, ...block.map(([, name = '']) => name.length))
    const end = Math.max(0, ...block.map(([, , text = '']) => text.length))
    return title.length + width + end + 8 <= MAX_LINE ? width : 0
  })
  return last === '' ? 0 : Math.max(...widths)
}

/** The trailers have whole digests. */
const DIGEST = /(@sha256:[0-9a-f]{12})[0-9a-f]{52}/g

const MAX_LINE = 100

/** Breaks a line at its blanks; one without a blank is broken where it is too long. */
function wrapped(line: string): readonly string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > MAX_LINE) {
    const blank = rest.lastIndexOf(' ', MAX_LINE)
    const at = blank > MAX_LINE / 2 ? blank : MAX_LINE
    lines.push(rest.slice(0, at).trimEnd())
    rest = `    ${rest.slice(at).trimStart()}`
  }
  return [...lines, rest]
}
