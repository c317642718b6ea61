import dagre from '@dagrejs/dagre'
import {html, type Html, shortened} from './html.js'

/** A package in a drawing. */
export interface GraphNode {
  readonly id: string
  readonly label: string
  /** The page of the package; absent for one that the catalog does not have. */
  readonly href?: string
  readonly isCenter?: boolean
}

/** Packages, and which one requires which. */
export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly (readonly [from: string, to: string])[]
}

const HEIGHT = 34
const LETTER = 7.4
const MARGIN = 12

/** Draws a graph from left to right, as SVG that needs no script. The lists beside it say the same as text. */
export function drawGraph({nodes, edges}: Graph): Html {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({rankdir: 'LR', nodesep: 14, ranksep: 48, marginx: MARGIN, marginy: MARGIN})
  graph.setDefaultEdgeLabel(() => ({}))
  const widths = new Map(nodes.map(({id, label}) => [id, Math.round(labelOf(label).length * LETTER + 24)]))
  for (const {id} of nodes) graph.setNode(id, {width: widths.get(id) ?? 0, height: HEIGHT})
  for (const [from, to] of edges) graph.setEdge(from, to)
  dagre.layout(graph)
  const {width = 0, height = 0} = graph.graph()
  const lines = edges.map(([from, to]) => line(graph.edge(from, to).points))
  const boxes = nodes.map(node => box(node, graph.node(node.id), widths.get(node.id) ?? 0))
  return html`<div class="graph">
    <svg
      viewBox="0 0 ${round(width)} ${round(height)}"
      width="${round(width)}"
      height="${round(height)}"
      role="img"
      aria-label="Dependencies; the lists below say the same"
    >
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      ${lines}${boxes}
    </svg>
  </div> `
}

function labelOf(label: string): string {
  return shortened(label, 36)
}

function line(points: readonly {readonly x: number; readonly y: number}[]): Html {
  const steps = points.map(({x, y}, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`)
  return html`<path class="edge" d="${steps.join('')}" marker-end="url(#arrow)" /> `
}

function box(
  {label, isCenter, href}: GraphNode,
  {x, y}: {readonly x: number; readonly y: number},
  width: number,
): Html {
  const kind = isCenter === true ? 'center' : href === undefined ? 'foreign' : 'other'
  return html`<g class="node ${kind}"
    ><rect
      x="${round(x - width / 2)}"
      y="${round(y - HEIGHT / 2)}"
      width="${width}"
      height="${HEIGHT}"
      rx="8"
    /><text x="${round(x)}" y="${round(y + 4.5)}" text-anchor="middle">${labelOf(label)}</text></g
  > `
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
