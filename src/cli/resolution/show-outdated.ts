import type {OutdatedPackage, OutdatedReport} from '../../package/reports.js'
import {isDigest, shortDigest} from '../../reference/image-name.js'
import {count} from '../../text.js'
import {type Arrow, drawArrows, USER} from '../shell/text/draw-graph.js'
import {lines} from '../shell/text/lines.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatNarrow, lengthOf, type Row, TABLE_WIDTH} from '../shell/text/table.js'

type Status = OutdatedPackage['status']

/** What a user has to decide comes first; the rest is one command. */
const ORDER: readonly Status[] = ['yanked', 'held-back', 'pinned', 'outdated']

const TITLES: Readonly<Record<Status, string>> = {
  yanked: 'YANKED',
  'held-back': 'HELD BACK',
  pinned: 'PINNED',
  outdated: 'CAN BE UPGRADED',
}

/** Formats the packages that are not at their newest version by what there is to decide, and the number of the others. */
export function formatOutdated(
  {packages, current}: Pick<OutdatedReport, 'packages' | 'current'>,
  paint: Paint,
  column: 'LOCKED' | 'INSTALLED' = 'LOCKED',
): string {
  const entries = ORDER.flatMap(status => {
    const own = packages.filter(outdatedPackage => outdatedPackage.status === status)
    return own.length === 0 ? [] : [headEntry(status, column), ...own.map(packageEntry)]
  })
  const rows = formatNarrow(entries.map(entryRow), NAME_COLUMNS, paint)
  const shown = entries.flatMap(({isHead, reason}, at) => [
    ...(isHead && at > 0 ? [''] : []),
    ...(rows[at] ?? []),
    ...reason,
  ])
  return lines([...shown, ...(shown.length === 0 ? [] : ['']), `${count(current, 'package')} up to date.`])
}

/** A row of the table, and the lines below it. */
interface Entry {
  readonly name: string
  readonly versions: readonly string[]
  readonly isHead: boolean
  readonly reason: readonly string[]
}

function headEntry(status: Status, column: string): Entry {
  return {name: TITLES[status], versions: [column, 'SELECTED', 'LATEST'], isHead: true, reason: []}
}

function packageEntry({package: name, locked, fits = '-', newest = '-', reason}: OutdatedPackage): Entry {
  const versions = [locked, fits, newest].map(version => (isDigest(version) ? shortDigest(version) : version))
  return {name, versions, isHead: false, reason: reason === undefined ? [] : wrapped(plainText(reason))}
}

/** Where a row is too wide, its versions are below the name. */
const NAME_COLUMNS = 1

function entryRow({name, versions, isHead}: Entry): Row {
  return [isHead ? {text: name, style: 'bold'} : name, ...versions]
}

/** The lines of a reason. A word that is too long for a line has one of its own. */
function wrapped(text: string): readonly string[] {
  const indent = '  '
  const all: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + lengthOf(line) + 1 + lengthOf(word) > TABLE_WIDTH) {
      all.push(`${indent}${line}`)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...all, `${indent}${line}`]
}

/** Draws the packages that are not at their newest version, with the requirements that hold them back. */
export function drawOutdated(
  {packages}: Pick<OutdatedReport, 'packages'>,
  format: 'dot' | 'mermaid',
): string {
  return drawArrows(packages.flatMap(arrowsOf), format)
}

/** Nodes have the selected version: a package that can be upgraded can hold another one back. */
function arrowsOf(outdatedPackage: OutdatedPackage): readonly Arrow[] {
  const {package: name, locked, fits, newest} = outdatedPackage
  const to = nodeName(name, fits ?? locked)
  const change = changeText(outdatedPackage)
  const own = change === undefined ? [] : [{from: USER, to, label: change, isUnsatisfied: false}]
  const block = newest === undefined ? undefined : blockOf(outdatedPackage, newest)
  return [...own, ...(block === undefined ? [] : [{...block, to, isUnsatisfied: true}])]
}

/** What happens to a package, if anything. */
function changeText({locked, fits, status, reason = ''}: OutdatedPackage): string | undefined {
  if (status === 'yanked') return `yanked: ${reason}`
  if (status !== 'outdated') return undefined
  return fits === undefined ? 'no longer required' : `upgrade from ${locked}`
}

/** The arrow from what excludes the newest version, which is this version itself if it fits no other package. */
function blockOf(
  {package: name, reason, status, heldBackBy}: OutdatedPackage,
  newest: string,
): Pick<Arrow, 'from' | 'label'> | undefined {
  if (heldBackBy !== undefined) {
    const {requiredBy: from = USER, requirement} = heldBackBy
    return {from, label: `${requirement}, not ${newest}`}
  }
  return status === 'held-back' ? {from: nodeName(name, newest), label: reason ?? ''} : undefined
}

function nodeName(name: string, version: string): string {
  return isDigest(version) ? `${name}@${version}` : `${name}:${version}`
}
