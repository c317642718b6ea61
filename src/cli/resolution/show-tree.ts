import type {ShownTree} from '../../package/reports.js'
import {formatDocument, isDocument, show} from '../shell/document/show.js'
import {drawGraph, type GraphNode, isGraph} from '../shell/text/draw-graph.js'
import {drawTree} from '../shell/text/draw-tree.js'
import {lines} from '../shell/text/lines.js'
import type {Paint} from '../shell/text/paint.js'
import {stackTree} from './stack-tree.js'
import {xpkgTree} from './xpkg-tree.js'

/** How a tree is printed. */
export interface Drawing {
  readonly format: 'text' | 'json' | 'yaml' | 'dot' | 'mermaid'
  readonly depth?: number
  readonly paint: Paint
}

/**
 * Prints trees, each when it is known; graphs are joined to one. Throws the reason if a request cannot be resolved.
 * @param onTree - is called before a tree is printed.
 */
export async function showTrees(
  trees: AsyncIterable<ShownTree> | Iterable<ShownTree>,
  drawing: Drawing,
  onTree: (tree: ShownTree) => void,
): Promise<void> {
  const {format} = drawing
  const graph: GraphNode[] = []
  let rejection: ShownTree['rejection']
  for await (const tree of trees) {
    onTree(tree)
    rejection ??= tree.rejection
    const forms = formsOf(tree, drawing)
    if (isDocument(format)) await show(formatDocument(forms.document(), format))
    else if (format === 'text') await show(lines(drawTree(forms.text())))
    else graph.push(...forms.graph())
  }
  if (isGraph(format)) await show(drawGraph(graph, format))
  if (rejection !== undefined) throw rejection
}

/** Each document has forms of its own. */
function formsOf(tree: ShownTree, {paint, depth}: Drawing) {
  return tree.kind === 'XpkgTree' ? xpkgTree(tree, paint, depth) : stackTree(tree, paint)
}
