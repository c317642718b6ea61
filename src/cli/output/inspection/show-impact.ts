import type {PackageImpact} from '../../../pipeline/package-impact.js'
import {grouped} from '../../../grouped.js'
import {present} from '../../../present.js'
import {count, listAll} from '../../../text.js'
import type {ObjectReference, UsageFinding} from '../../../usage/objects/compare-usage.js'
import {type Verdict, VERDICTS} from '../../../usage/objects/object-findings.js'
import {type Annotation, annotationOf, formatAnnotations} from '../ci/github-annotation.js'
import {repositoryFile} from '../ci/repository-file.js'
import {formatDocument, isDocument, show} from '../document/show.js'
import {type Paint, painter} from '../text/paint.js'
import {plainText} from '../text/plain-text.js'
import {formatSections, type Section} from '../text/section.js'
import {formatTable, type Row} from '../text/table.js'
import {code, versionLines} from './show-comparison.js'

/** Prints the effects of other versions of packages on objects. */
export async function showImpact(
  impact: PackageImpact,
  {output, failOn}: {readonly output: string; readonly failOn: readonly Verdict[]},
  argv: readonly string[],
): Promise<void> {
  if (isDocument(output)) return await show(formatDocument({kind: 'PackageImpact', ...impact}, output))
  if (output === 'github') {
    await show(formatAnnotations(impact.findings.map(finding => findingAnnotation(finding, failOn))))
    process.stderr.write(`${summaryOf(impact)}\n`)
    return
  }
  await show(output === 'markdown' ? markdownOf(impact) : textOf(impact, painter(argv, 'stdout')))
}

const EFFECTS: Readonly<Record<Exclude<Verdict, 'unread'>, readonly [one: string, many: string]>> = {
  breaks: ['breaks', 'break'],
  lost: ['loses fields', 'lose fields'],
  unserved: ['is no longer served', 'are no longer served'],
  meaning: ['is treated in another way', 'are treated in another way'],
  convert: ['is converted by a webhook', 'are converted by a webhook'],
}

function summaryOf({totals, read}: PackageImpact): string {
  const effects = VERDICTS.flatMap(verdict => {
    const total = totals[verdict]
    if (verdict === 'unread' || total === 0) return []
    return [`${total} ${EFFECTS[verdict][total === 1 ? 0 : 1]}`]
  })
  const objects = count(read.judged, 'object')
  const unread = totals.unread === 0 ? '' : `; ${totals.unread} not judged`
  return `${objects}: ${effects.length === 0 ? 'no effects' : listAll(effects)}${unread}`
}

/** A field of an object with all verdicts about it. */
interface ShownRow {
  readonly verdicts: readonly Verdict[]
  readonly path: string
  readonly line: number | undefined
  readonly message: string
}

interface ShownObject {
  readonly title: string
  readonly place: string
  readonly rows: readonly ShownRow[]
}

function shownObjects(findings: readonly UsageFinding[]): readonly ShownObject[] {
  const objects = grouped(findings, ({object, file}) => JSON.stringify([object, file]))
  return [...objects.values()].flatMap(own => {
    const [first] = own
    if (first === undefined) return []
    const rows = [...grouped(own, ({path, line}) => `${line ?? 0} ${path}`).values()].flatMap(rowsOf)
    return [{title: first.object === undefined ? '' : objectName(first.object), place: first.file, rows}]
  })
}

function rowsOf(findings: readonly UsageFinding[]): readonly ShownRow[] {
  const [first] = findings
  if (first === undefined) return []
  const {path, line} = first
  const verdicts = [...new Set(findings.map(({verdict}) => verdict))]
  return [{verdicts, path, line, message: findings.map(({message}) => message).join('; ')}]
}

function objectName({kind, name, namespace}: ObjectReference): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`.trim()
}

function textOf(impact: PackageImpact, paint: Paint): string {
  const judged = impact.findings.filter(({verdict}) => verdict !== 'unread')
  const head: Section = {
    title: summaryOf(impact),
    lines: versionLines(impact).map(line => `  ${plainText(line)}`),
  }
  const sections = shownObjects(judged).map(({title, place, rows}): Section => ({
    title: `${title} (${place})`,
    lines: formatTable(
      rows.map(row => rowOf(row)),
      paint,
    ),
  }))
  return formatSections(
    [head, ...sections, ...placeSections(impact), {title: READ, lines: readLines(impact)}],
    paint,
  )
}

const READ = 'read'

function rowOf({verdicts, path, line, message}: ShownRow): Row {
  const isWorse = verdicts.some(verdict => verdict !== 'meaning' && verdict !== 'convert')
  const shown = {text: verdicts.join(', '), style: isWorse ? 'red' : 'yellow'} as const
  return [shown, path || '-', line === undefined ? '-' : `line ${line}`, message]
}

function placeSections({findings, invalid}: PackageImpact): readonly Section[] {
  const unread = findings.filter(({verdict}) => verdict === 'unread')
  return [
    {title: 'not judged', of: unread},
    {title: 'rejected already', of: invalid},
  ].flatMap(({title, of}) => (of.length === 0 ? [] : [{title, lines: of.map(placeLine)}]))
}

function placeLine({file, line, object, path, message}: UsageFinding): string {
  const about = [object === undefined ? '' : objectName(object), path].filter(text => text !== '').join(' ')
  const place = line === undefined ? file : `${file}:${line}`
  return `  ${plainText(`${place}: ${about === '' ? '' : `${about}: `}${message}`)}`
}

function readLines({read, rendered, unreadCrds}: PackageImpact): readonly string[] {
  const {files, objects, judged} = read
  return [
    `  ${count(objects, 'object')} of ${count(files, 'file')}, ${objects - judged} of other kinds`,
    ...(rendered.length === 0 ? [] : [`  ${count(rendered.length, 'file')} of rendered trees left out`]),
    ...unreadCrds.map(
      ({package: name, name: crd, reason}) =>
        `  ${plainText(`${crd} of ${name} could not be read: ${reason}`)}`,
    ),
  ]
}

function markdownOf(impact: PackageImpact): string {
  const judged = impact.findings.filter(({verdict}) => verdict !== 'unread')
  const rows = shownObjects(judged).flatMap(({title, place, rows: own}) =>
    own.map(({verdicts, path, line, message}) => {
      const at = line === undefined ? place : `${place}:${line}`
      return `| ${[verdicts.join(', '), ...[title, at, path, message].map(code)].join(' | ')} |`
    }),
  )
  const sections = [...placeSections(impact), {title: READ, lines: readLines(impact)}]
  const lines = [
    `**${summaryOf(impact)}**`,
    '',
    ...versionLines(impact).map(line => `- ${code(line)}`),
    '',
    ...(rows.length === 0
      ? []
      : ['| | Object | Place | Field | Effect |', '|---|---|---|---|---|', ...rows, '']),
    ...sections.flatMap(({title, lines: own}) => [
      `**${title}**`,
      '',
      ...own.map(line => `- ${code(line.trim())}`),
      '',
    ]),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function findingAnnotation(
  {verdict, object, file, line, path, message}: UsageFinding,
  failOn: readonly Verdict[],
): Annotation {
  const about = [object === undefined ? '' : objectName(object), path].filter(text => text !== '').join(' ')
  const severity = failOn.includes(verdict) ? 'error' : verdict === 'unread' ? 'note' : 'warning'
  const text = about === '' ? message : `${about}: ${message}`
  return annotationOf({...{severity, rule: verdict, message: text, file}, ...present({line})}, repositoryFile)
}
