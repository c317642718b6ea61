import type {PackageImpact} from '../../pipeline/impact/package-impact.js'
import {present} from '../../present.js'
import {count} from '../../text.js'
import type {UsageFinding} from '../../usage/objects/compare-usage.js'
import {
  impactSummary,
  objectName,
  placeText,
  type ShownRow,
  shownObjects,
} from '../../usage/objects/impact-view.js'
import type {Verdict} from '../../usage/objects/verdict.js'
import {type Annotation, annotationOf, formatAnnotations} from '../shell/ci/github-annotation.js'
import {repositoryFile} from '../shell/ci/repository-file.js'
import {formatDocument, isDocument, show} from '../shell/document/show.js'
import {type Paint, painter} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatSections, type Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'
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
    process.stderr.write(`${impactSummary(impact)}\n`)
    return
  }
  await show(output === 'markdown' ? markdownOf(impact) : textOf(impact, painter(argv, 'stdout')))
}

function textOf(impact: PackageImpact, paint: Paint): string {
  const judged = impact.findings.filter(({verdict}) => verdict !== 'unread')
  const head: Section = {
    title: impactSummary(impact),
    lines: changedVersions(impact).map(line => `  ${plainText(line)}`),
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

/** Without a change, no object can be affected: that is not the same as a change without effects. */
function changedVersions(impact: PackageImpact): readonly string[] {
  const lines = versionLines(impact)
  return lines.length === 0 ? ['no package changes'] : lines
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
  return `  ${plainText(`${placeText(file, line)}: ${about === '' ? '' : `${about}: `}${message}`)}`
}

function readLines({read, rendered, unreadCrds}: PackageImpact): readonly string[] {
  const {files, packages = 0, objects, judged} = read
  const also = packages === 0 ? '' : ` and ${count(packages, 'package')}`
  return [
    `  ${count(objects, 'object')} of ${count(files, 'file')}${also}, ${objects - judged} of other kinds`,
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
      const at = placeText(place, line)
      return `| ${[verdicts.join(', '), ...[title, at, path, message].map(code)].join(' | ')} |`
    }),
  )
  const sections = [...placeSections(impact), {title: READ, lines: readLines(impact)}]
  const lines = [
    `**${impactSummary(impact)}**`,
    '',
    ...changedVersions(impact).map(line => `- ${code(line)}`),
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
  {verdict, object, file, line, path, message, configuration}: UsageFinding,
  failOn: readonly Verdict[],
): Annotation {
  const about = [object === undefined ? '' : objectName(object), path].filter(text => text !== '').join(' ')
  const severity = failOn.includes(verdict) ? 'error' : verdict === 'unread' ? 'note' : 'warning'
  const of = configuration === undefined ? '' : ` of ${configuration}`
  const text = about === '' ? message : `${about}${of}: ${message}`
  const place = configuration === undefined ? {file, ...present({line})} : {}
  return annotationOf({severity, rule: verdict, message: text, ...place}, repositoryFile)
}
