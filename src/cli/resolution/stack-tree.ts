import {present} from '../../present.js'
import type {GraphNode} from '../shell/text/draw-graph.js'
import {type DrawnNode, TREE_MARKS} from '../shell/text/draw-tree.js'
import type {TreeMet, TreeNode} from '../../resolve/dependency-tree.js'
import {templatesNode} from './templates-node.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import type {PackageTemplates, TreeReport} from '../../package/reports.js'

/** Returns the forms in which the tree of packages of Crossplane v0.12 is printed. */
export function stackTree(report: TreeReport, paint: Paint) {
  return {
    document: () => treeDocument(report),
    text: () => drawnNodes(report, paint),
    graph: () => report.roots.map(graphNode),
  }
}

/** What satisfies each requirement, and notable facts about it. */
function drawnNodes({roots, installs, templates = []}: TreeReport, paint: Paint): readonly DrawnNode[] {
  const placed = new Map<string, string[]>()
  for (const {package: name, namespace, name: install} of installs) {
    placed.set(name, [...(placed.get(name) ?? []), `${namespace}/${install}`])
  }
  const undrawn = new Map(templates.map(stack => [stack.package, stack]))
  return roots.map(root => drawnNode(root, {placed, paint, undrawn}, true))
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
    ...(mark === undefined ? [] : [TREE_MARKS[mark]]),
  ]
  return marks.length === 0 ? '' : ` (${marks.join('; ')})`
}

const ASSUMPTIONS: Readonly<Record<Extract<TreeMet, {readonly by: 'assumption'}>['origin'], string>> = {
  assumed: 'assumed to exist',
  cluster: 'exists in the cluster',
  crossplane: 'included in Crossplane',
  kubernetes: 'included in Kubernetes',
  'never-existed': 'always satisfied: the group never had a CRD',
}

/** A package is drawn once; so is a requirement that something else satisfies, or nothing. */
function graphNode({need, met, needs}: TreeNode): GraphNode {
  const name = met.by === 'package' ? `${met.package}:${met.tag}` : need
  const label = need === name ? '' : need
  return {name, label, isUnsatisfied: met.by === 'nothing', needs: needs.map(graphNode)}
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
