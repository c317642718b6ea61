import type {PackageComparison} from '../../pipeline/impact/compare-packages.js'
import {count, listAll} from '../../text.js'
import {type Change, SEVERITIES} from '../../usage/change.js'
import {formatDocument, isDocument, show} from '../shell/document/show.js'
import {type Paint, painter} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatSections, type Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'
import {changeWords} from './change-words.js'

/** What decides how much is shown. */
interface ShownAs {
  readonly output: string
  /** Whether all changes of each kind are listed. */
  readonly fields: boolean
}

/** Prints a comparison. Documents have all changes. */
export async function showComparison(
  comparison: PackageComparison,
  {output, fields}: ShownAs,
  argv: readonly string[],
): Promise<void> {
  if (isDocument(output)) {
    await show(formatDocument({kind: 'PackageComparison', ...comparison}, output))
    return
  }
  const text =
    output === 'markdown'
      ? markdownOf(comparison, fields)
      : textOf(comparison, fields, painter(argv, 'stdout'))
  await show(text)
}

/** The changes of one kind, or of one package. */
interface Group {
  readonly title: string
  readonly changes: readonly Change[]
}

/** In the order of the changes, the worst first: a group is as bad as its worst change. */
function groupsOf(changes: readonly Change[]): readonly Group[] {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const {crd, kind, package: name = ''} = change
    const title = crd === undefined ? name : `${kind ?? ''} (${crd})`
    const group = groups.get(title)
    if (group === undefined) groups.set(title, [change])
    else group.push(change)
  }
  return [...groups].map(([title, own]) => ({title, changes: own}))
}

/** The number of changes of a group that are listed without `--fields`. */
const MAX_SHOWN = 5

interface ShownGroup extends Group {
  readonly omitted: number
}

/** Without `--fields`, compatible changes are only counted. */
function shownGroups(changes: readonly Change[], fields: boolean): readonly ShownGroup[] {
  return groupsOf(changes).flatMap(group => {
    if (fields) return [{...group, omitted: 0}]
    const notable = group.changes.filter(({severity}) => severity !== 'compatible')
    const shown = notable.slice(0, MAX_SHOWN)
    const omitted = group.changes.length - shown.length
    return shown.length === 0 ? [] : [{title: group.title, changes: shown, omitted}]
  })
}

function summaryOf({totals, unchanged}: PackageComparison): string {
  const counts = SEVERITIES.filter(severity => totals[severity] > 0).map(
    severity => `${totals[severity]} ${severity}`,
  )
  const same = unchanged === 0 ? '' : `; ${count(unchanged, 'package')} unchanged`
  if (counts.length === 0) return `no changes${same}`
  const all = totals.breaking + totals.risky + totals.compatible
  return `${listAll(counts)} ${all === 1 ? 'change' : 'changes'}${same}`
}

/** Returns the packages that differ, with their versions. */
export function versionLines({packages}: Pick<PackageComparison, 'packages'>): readonly string[] {
  return packages.map(({package: name, before, after}) => {
    if (before === undefined) return `${name}: added${versionIn(after)}`
    if (after === undefined) return `${name}: removed${versionIn(before)}`
    if (before === after) return name
    // Folders have no versions, and one compared with another has another name.
    return after === '' ? `${before} -> ${name}` : `${name}: ${before || 'no version'} -> ${after}`
  })
}

function versionIn(version: string | undefined): string {
  return version === undefined || version === '' ? '' : `, ${version}`
}

function textOf(comparison: PackageComparison, fields: boolean, paint: Paint): string {
  const {changes} = comparison
  const groups = shownGroups(changes, fields)
  const head: Section = {
    title: summaryOf(comparison),
    lines: versionLines(comparison).map(line => `  ${plainText(line)}`),
  }
  const sections = groups.map(({title, changes: own, omitted}): Section => ({
    title,
    lines: [
      ...formatTable(
        own.map(change => rowOf(change)),
        paint,
      ),
      ...(omitted === 0 ? [] : [`  and ${omitted} more; list them with --fields`]),
    ],
  }))
  return formatSections([head, ...sections, ...unreadSections(comparison)], paint)
}

function unreadSections({unread}: PackageComparison): readonly Section[] {
  if (unread.length === 0) return []
  const lines = unread.map(({package: name, name: part, reason}) =>
    plainText(`  ${part} of ${name}: ${reason}`),
  )
  return [{title: NOT_COMPARED, lines}]
}

const NOT_COMPARED = 'not compared'

function rowOf(change: Change): Row {
  const {severity, versions = [], path} = change
  const shown =
    severity === 'compatible'
      ? severity
      : ({text: severity, style: severity === 'breaking' ? 'red' : 'yellow'} as const)
  return [shown, versions.join(', ') || '-', path || '-', changeWords(change)]
}

function markdownOf(comparison: PackageComparison, fields: boolean): string {
  const groups = shownGroups(comparison.changes, fields)
  const omitted = comparison.changes.length - groups.reduce((sum, {changes: own}) => sum + own.length, 0)
  const lines = [
    `**${summaryOf(comparison)}**`,
    '',
    ...versionLines(comparison).map(line => `- ${code(line)}`),
    '',
    ...(groups.length === 0 ? [] : HEADER),
    ...groups.flatMap(({title, changes: own}) => own.map(change => markdownRow(title, change))),
    ...(omitted === 0
      ? []
      : ['', `${count(omitted, 'more change')}: \`package compare --fields\` lists them.`]),
    ...unreadSections(comparison).flatMap(({title, lines: own}) => [
      '',
      `**${title}**`,
      '',
      ...own.map(line => `- ${code(line.trim())}`),
    ]),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

const HEADER = ['| | Kind or package | Versions | Field | Change |', '|---|---|---|---|---|']

function markdownRow(title: string, change: Change): string {
  const {severity, versions = [], path = ''} = change
  const cells = [severity, ...[title, versions.join(', '), path, changeWords(change)].map(code)]
  return `| ${cells.join(' | ')} |`
}

/** The longest text of a cell. */
const CELL_LENGTH = 200

/** Formats untrusted text as code, in which Markdown has no meaning, and which ends no cell of a table. */
export function code(text: string): string {
  if (text === '') return ''
  const plain = plainText(text, CELL_LENGTH).replaceAll('`', "'").replaceAll('|', '\\|')
  return `\`${plain}\``
}
