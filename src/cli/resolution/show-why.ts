import {formatDocument, isDocument, show} from '../shell/document/show.js'
import {drawGraph, type GraphNode, isGraph} from '../shell/text/draw-graph.js'
import {lines} from '../shell/text/lines.js'
import {drawTree} from '../shell/text/draw-tree.js'
import type {Drawing} from './show-tree.js'
import {templatesNode} from './templates-node.js'
import {listSome} from '../../text.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import type {WhyReport} from '../../package/reports.js'

/** How reasons are printed. */
interface WhyForm extends Pick<Drawing, 'format' | 'paint'> {
  readonly verb?: 'is installed'
}

/** Prints the reasons for a package as text, document or graph. */
export async function showWhy(report: WhyReport, {format, paint, verb}: WhyForm): Promise<void> {
  if (isGraph(format))
    await show(
      drawGraph(
        report.reasons.flatMap(({steps}) => pathOf(steps)),
        format,
      ),
    )
  else if (isDocument(format)) await show(formatDocument({kind: 'InstallReasons', ...report}, format))
  else await show(formatWhy(report, paint, verb))
}

/** A path as a graph in which each node has one other below it. */
function pathOf([step, ...rest]: WhyReport['reasons'][number]['steps']): readonly GraphNode[] {
  if (step === undefined) return []
  const {need, package: name} = step
  return [{name, label: need === name ? '' : need, needs: pathOf(rest)}]
}

/** Formats the reasons as text: each path on lines of its own, from the request down. */
function formatWhy(
  {package: name, tag, installs, isInstalled, reasons, templates, notes}: WhyReport,
  paint: Paint,
  verb: 'would be installed' | 'is installed' = 'would be installed',
): string {
  const head = `${paint('bold', plainText(`${name}:${tag}`))} ${isInstalled === false ? 'is not installed yet, and requested' : verb} as ${installs.map(install => plainText(install)).join(', ')}`
  const ways = reasons.flatMap(({steps}) => [
    '',
    ...steps.map(({need, package: met, templates: needing}, index) => {
      const step = index === 0 ? 'requested' : `${'  '.repeat(index)}requires`
      return `  ${step} ${plainText(need)}${need === met ? '' : `: ${plainText(met)}`}${neededText(needing)}`
    }),
  ])
  const remarks = notes.length === 0 ? [] : ['', ...notes.map(note => `  ${plainText(note)}`)]
  const own =
    templates === undefined ? [] : ['', ...drawTree([templatesNode(templates, paint)]).map(indented)]
  return lines([head, ...ways, ...own, ...remarks])
}

function indented(line: string): string {
  return `  ${line}`
}

/** The templates of the package before it that a requirement is for. */
function neededText(templates: WhyReport['reasons'][number]['steps'][number]['templates']): string {
  if (templates === undefined) return ''
  const kinds = templates.creates.map(({apiVersion, kind}) => `${kind} of ${apiVersion}`)
  return ` (its ${plainText(templates.engine)} templates create ${plainText(listSome(kinds, MAX_KINDS))})`
}

const MAX_KINDS = 3
