import {plainText} from './plain-text.js'

/** A node of a graph to draw, as part of the tree that it is drawn from. Nodes of one name are the same. */
export interface GraphNode {
  readonly name: string
  /** What is at the arrow to it; empty for nothing. */
  readonly label: string
  readonly isUnsatisfied?: boolean
  readonly needs: readonly GraphNode[]
}

/** An edge of a drawing: a requirement, its dependent, and what satisfies it. */
export interface Arrow extends Required<Omit<GraphNode, 'name' | 'needs'>> {
  readonly from: string
  readonly to: string
}

/** The node of the user. */
export const USER = 'you'

/** Formats what a user requests as one graph. Unsatisfied requirements are red (Graphviz) or dotted (Mermaid). */
export function drawGraph(roots: readonly GraphNode[], format: 'dot' | 'mermaid'): string {
  return drawArrows(arrows(roots), format)
}

/** The same of edges. */
export function drawArrows(all: readonly Arrow[], format: 'dot' | 'mermaid'): string {
  return format === 'dot' ? formatDot(all) : formatMermaid(all)
}

/** Reports whether a format is that of a graph. */
export function isGraph(format: string): format is 'dot' | 'mermaid' {
  return format === 'dot' || format === 'mermaid'
}

/** Each edge once, in the order of the tree. */
function arrows(roots: readonly GraphNode[]): readonly Arrow[] {
  const byKey = new Map<string, Arrow>()
  const walk = ({name: to, label, isUnsatisfied = false, needs}: GraphNode, from: string) => {
    const arrow = {from, label, to, isUnsatisfied}
    byKey.set(JSON.stringify(arrow), arrow)
    for (const node of needs) walk(node, to)
  }
  for (const root of roots) walk(root, USER)
  return [...byKey.values()]
}

function formatDot(all: readonly Arrow[]): string {
  const text = (value: string) => JSON.stringify(plainText(value))
  const edges = all.map(
    ({from, label, to, isUnsatisfied}) =>
      `  ${text(from)} -> ${text(to)} [label=${text(label)}${isUnsatisfied ? ', color=red' : ''}]`,
  )
  return ['digraph dependencies {', '  rankdir=LR', '  node [shape=box]', ...edges, '}', ''].join('\n')
}

function formatMermaid(all: readonly Arrow[]): string {
  const names = [...new Set(all.flatMap(({from, to}) => [from, to]))]
  const idOf = (name: string) => `n${names.indexOf(name)}`
  // Mermaid has entities for the characters that end a label, and reads them within quotes.
  const text = (value: string) =>
    `"${plainText(value).replace(/[^\w ./:@*-]/g, character => `#${character.charCodeAt(0)};`)}"`
  const edges = all.map(({from, label, to, isUnsatisfied}) => {
    const words = label === '' ? '' : `|${text(label)}|`
    return `  ${idOf(from)} ${isUnsatisfied ? '-.->' : '-->'}${words} ${idOf(to)}`
  })
  return ['flowchart LR', ...names.map(name => `  ${idOf(name)}[${text(name)}]`), ...edges, ''].join('\n')
}
