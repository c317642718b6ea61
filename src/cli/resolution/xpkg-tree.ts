import {isDigest} from '../../reference/image-name.js'
import {type TreeMark, treeMarks} from '../../resolve/dependency-tree.js'
import type {GraphNode} from '../shell/text/draw-graph.js'
import {type DrawnNode, TREE_MARKS} from '../shell/text/draw-tree.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import type {XpkgTree, XpkgTreePackage} from '../../package/reports.js'

/**
 * Returns the forms in which the tree of packages for a current Crossplane is printed.
 * @param depth - the levels to draw below the roots.
 */
export function xpkgTree(tree: XpkgTree, paint: Paint, depth?: number) {
  return {
    document: () => ({...tree, kind: 'XpkgTree'}),
    text: () => nodesOf(tree, depth).map(node => drawnNode(node, paint)),
    graph: () => nodesOf(tree, depth).map(graphNode),
  }
}

/** A package where another one requires it. */
interface XpkgNode {
  readonly package: XpkgTreePackage
  /** Empty for what is requested. */
  readonly constraint: string
  readonly mark?: TreeMark
  readonly needs: readonly XpkgNode[]
}

function nodesOf({roots, packages}: XpkgTree, depth: number | undefined): readonly XpkgNode[] {
  const byName = new Map(packages.map(node => [node.package, node]))
  const markOf = treeMarks(depth)
  const grow = (name: string, constraint: string, path: readonly string[]): readonly XpkgNode[] => {
    const own = byName.get(name)
    if (own === undefined) return []
    const {requires} = own
    const mark = markOf(name, path, requires.length > 0)
    if (mark !== undefined) return [{package: own, constraint, mark, needs: []}]
    const below = requires.flatMap(next => grow(next.package, next.constraint, [...path, name]))
    return [{package: own, constraint, needs: below}]
  }
  return roots.flatMap(name => grow(name, '', []))
}

function drawnNode({package: own, constraint, mark, needs}: XpkgNode, paint: Paint): DrawnNode {
  const why = constraint === '' ? '' : ` (${plainText(constraint)})`
  const note = mark === undefined ? '' : ` (${TREE_MARKS[mark]})`
  const text = `${own.kind} ${paint('bold', plainText(nameOf(own)))}${why}${note}`
  return {text, children: needs.map(need => drawnNode(need, paint))}
}

function graphNode({package: own, constraint, needs}: XpkgNode): GraphNode {
  return {name: nameOf(own), label: constraint, needs: needs.map(graphNode)}
}

function nameOf({package: name, version}: XpkgTreePackage): string {
  if (version === '') return name
  return isDigest(version) ? `${name}@${version}` : `${name}:${version}`
}
