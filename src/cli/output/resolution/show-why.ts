import {lines} from '../text/lines.js'
import {drawTree} from '../text/draw-tree.js'
import {templatesNode} from './templates-node.js'
import {listSome} from '../../../text.js'
import type {Paint} from '../text/paint.js'
import {plainText} from '../text/plain-text.js'
import type {WhyReport} from '../../../package/reports.js'

/** Formats the reasons as text: each path on lines of its own, from the request down. */
export function formatWhy(
  {package: name, tag, installs, reasons, templates, notes}: WhyReport,
  paint: Paint,
  verb: 'would be installed' | 'is installed' = 'would be installed',
): string {
  const head = `${paint('bold', plainText(`${name}:${tag}`))} ${verb} as ${installs.map(install => plainText(install)).join(', ')}`
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
