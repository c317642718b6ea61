import {present} from '../../../present.js'
import {type DrawnNode, drawTree} from '../text/draw-tree.js'
import {lines} from '../text/lines.js'
import type {TreeMet, TreeNode} from '../../../resolve/dependency-tree.js'
import {templatesNode} from './templates-node.js'
import type {Paint} from '../text/paint.js'
import {plainText} from '../text/plain-text.js'
import {formatDocument, show} from '../document/show.js'
import type {PackageTemplates, TreeReport} from '../../../package/reports.js'

/** Formats the tree as text: what satisfies each requirement, and notable facts about it. */
function formatTree({roots, installs, templates = []}: TreeReport, paint: Paint): string {
  const placed = new Map<string, string[]>()
  for (const {package: name, namespace, name: install} of installs) {
    placed.set(name, [...(placed.get(name) ?? []), `${namespace}/${install}`])
  }
  const undrawn = new Map(templates.map(stack => [stack.package, stack]))
  return lines(drawTree(roots.map(root => drawnNode(root, {placed, paint, undrawn}, true))))
}

function drawnNode(node: TreeNode, style: Style, isRoot: boolean): DrawnNode {
  return {
    text: nodeText(node, style, isRoot),
    children: [...templatesOf(node, style), ...node.needs.map(need => drawnNode(need, style, false))],
  }
}

/** The templates of a package where its requirements are drawn, which is once. */
function templatesOf({met, mark}: TreeNode, {undrawn, paint}: Style): readonly DrawnNode[] {
  const stack = met.by === 'package' && mark === undefined ? undrawn.get(met.package) : undefined
  if (stack === undefined) return []
  undrawn.delete(stack.package)
  return [templatesNode(stack, paint)]
}

interface Style {
  /** The templates that are not drawn yet. */
  readonly undrawn: Map<string, PackageTemplates>
  readonly placed: ReadonlyMap<string, readonly string[]>
  readonly paint: Paint
}

function nodeText({need, met, mark}: TreeNode, {placed, paint}: Style, isRoot: boolean): string {
  const text = plainText(need)
  if (met.by === 'nothing') return `${text}: ${paint('red', `UNSATISFIED: ${plainText(met.words)}`)}`
  if (met.by === 'assumption') return `${text}: ${ASSUMPTIONS[met.origin]}`
  const name = plainText(`${met.package}:${met.tag}`)
  const isNamed = text === name || (isRoot && name.startsWith(`${text}:`))
  const isFirst = mark === undefined || mark === 'depth'
  const where = isFirst ? placeText(placed.get(met.package) ?? []) : ''
  return `${isNamed ? '' : `${text}: `}${paint('bold', name)}${where}${markText(met.isMismatch, mark)}`
}

function placeText(places: readonly string[]): string {
  return places.length === 0 ? '' : ` in ${places.map(place => plainText(place)).join(', ')}`
}

function markText(isMismatch: boolean, mark: TreeNode['mark']): string {
  const marks = [
    ...(isMismatch ? ['version mismatch, accepted'] : []),
    ...(mark === undefined ? [] : [MARKS[mark]]),
  ]
  return marks.length === 0 ? '' : ` (${marks.join('; ')})`
}

const MARKS: Readonly<Record<NonNullable<TreeNode['mark']>, string>> = {
  cycle: 'cycle',
  depth: 'more below',
  repeat: 'as above',
}

const ASSUMPTIONS: Readonly<Record<Extract<TreeMet, {readonly by: 'assumption'}>['origin'], string>> = {
  assumed: 'assumed to exist',
  cluster: 'exists in the cluster',
  crossplane: 'included in Crossplane',
  kubernetes: 'included in Kubernetes',
  'never-existed': 'always satisfied: the group never had a CRD',
}

/** An edge of a drawing: a requirement, its dependent, and the package or fact that satisfies it. */
interface Arrow {
  readonly from: string
  readonly need: string
  readonly to: string
  readonly isUnsatisfied: boolean
}

const ROOT = 'you'

/** Each edge once, in the order of the tree. */
function arrows(roots: readonly TreeNode[]): Arrow[] {
  const byKey = new Map<string, Arrow>()
  const walk = (node: TreeNode, from: string) => {
    const {met, need} = node
    const to = met.by === 'package' ? `${met.package}:${met.tag}` : need
    const arrow = {from, need, to, isUnsatisfied: met.by === 'nothing'}
    byKey.set(JSON.stringify(arrow), arrow)
    for (const treeNode of node.needs) walk(treeNode, to)
  }
  for (const root of roots) walk(root, ROOT)
  return [...byKey.values()]
}

/** Formats the graph for Graphviz; unsatisfied requirements are red. */
function formatDot({roots}: TreeReport): string {
  const text = (value: string) => JSON.stringify(plainText(value))
  const edges = arrows(roots).map(
    ({from, need, to, isUnsatisfied}) =>
      `  ${text(from)} -> ${text(to)} [label=${text(need === to ? '' : need)}${isUnsatisfied ? ', color=red' : ''}]`,
  )
  return ['digraph dependencies {', '  rankdir=LR', '  node [shape=box]', ...edges, '}', ''].join('\n')
}

/** Formats the graph for Markdown pages (Mermaid); unsatisfied requirements are dotted. */
function formatMermaid({roots}: TreeReport): string {
  const all = arrows(roots)
  const names = [...new Set(all.flatMap(({from, to}) => [from, to]))]
  const idOf = (name: string) => `n${names.indexOf(name)}`
  // Mermaid has entities for the characters that end a label, and reads them within quotes.
  const text = (value: string) =>
    `"${plainText(value).replace(/[^\w ./:@*-]/g, character => `#${character.charCodeAt(0)};`)}"`
  const edges = all.map(({from, need, to, isUnsatisfied}) => {
    const label = need === to ? '' : `|${text(need)}|`
    return `  ${idOf(from)} ${isUnsatisfied ? '-.->' : '-->'}${label} ${idOf(to)}`
  })
  return ['flowchart LR', ...names.map(name => `  ${idOf(name)}[${text(name)}]`), ...edges, ''].join('\n')
}

/** Returns the `DependencyTree` document of a report. */
function treeDocument({isComplete, roots, installs, notes, templates}: TreeReport) {
  return {
    kind: 'DependencyTree',
    isComplete,
    roots: roots.map(nodeDocument),
    installs: installs.map(install => ({...install, for: install.for.map(reason => ({...reason}))})),
    notes: notes.map(note => ({...note})),
    ...present({templates}),
  } as const
}

interface NodeDocument {
  readonly [key: string]: string | {readonly [key: string]: string | boolean} | readonly NodeDocument[]
}

function nodeDocument({need, met, mark, needs}: TreeNode): NodeDocument {
  return {need, met: {...met}, ...present({mark}), needs: needs.map(nodeDocument)}
}

/** Prints the report in a format. */
export async function showTree(
  report: TreeReport,
  format: 'text' | 'json' | 'yaml' | 'dot' | 'mermaid',
  paint: Paint,
): Promise<void> {
  if (format === 'text') return await show(formatTree(report, paint))
  if (format === 'dot') return await show(formatDot(report))
  if (format === 'mermaid') return await show(formatMermaid(report))
  await show(formatDocument(treeDocument(report), format))
}
