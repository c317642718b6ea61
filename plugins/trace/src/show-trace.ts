import {drawTree, formatDocument, lines, plainText, show} from 'kubectl-crossplane/plugin'
import type {DrawnNode, Paint} from 'kubectl-crossplane/plugin'
import type {State, Trace, TraceEdge, TraceNode} from './trace.js'

/** The formats of a trace. */
export const FORMATS = ['text', 'json', 'yaml', 'dot'] as const

/** Characters of the reason of a state; servers write texts of any length. */
const MAX_REASON = 200

/** Prints a trace in a format. */
export async function showTrace(trace: Trace, format: (typeof FORMATS)[number], paint: Paint): Promise<void> {
  if (format === 'text') return await show(formatText(trace, paint))
  if (format === 'dot') return await show(formatDot(trace))
  await show(formatDocument(traceDocument(trace), format))
}

/** Formats a trace as a tree. Each object is described once, with all that it leads to. */
export function formatText({nodes, edges}: Trace, paint: Paint): string {
  const [first] = nodes
  if (first === undefined) return ''
  const byId = new Map(nodes.map(node => [node.id, node]))
  const from = new Map<string, TraceEdge[]>()
  for (const edge of edges) from.set(edge.from, [...(from.get(edge.from) ?? []), edge])
  const shown = new Set<string>()
  const draw = (node: TraceNode, relation: string, path: readonly string[]): DrawnNode => {
    const label = relation === '' ? '' : `${plainText(relation)}: `
    if (path.includes(node.id)) return {text: `${label}${objectText(node)} (cycle)`, children: []}
    if (shown.has(node.id)) return {text: `${label}${objectText(node)} (as above)`, children: []}
    shown.add(node.id)
    const children = (from.get(node.id) ?? []).flatMap(edge => {
      const to = byId.get(edge.to)
      return to === undefined ? [] : [draw(to, edge.relation, [...path, node.id])]
    })
    return {text: `${label}${paint('bold', objectText(node))}: ${stateText(node, paint)}`, children}
  }
  return lines(drawTree([draw(first, '', [])]))
}

function objectText({kind, namespace, name}: TraceNode): string {
  return plainText(`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`)
}

const STATES: Readonly<Record<State, {readonly word: string; readonly style?: Parameters<Paint>[0]}>> = {
  Ready: {word: 'Ready'},
  NotReady: {word: 'Not ready', style: 'yellow'},
  Missing: {word: 'Missing', style: 'red'},
  Unknown: {word: 'Unknown', style: 'yellow'},
}

function stateText({state, reason}: TraceNode, paint: Paint): string {
  const {word, style} = STATES[state]
  const text = style === undefined ? word : paint(style, word)
  if (reason === '') return text
  const why = plainText(reason, MAX_REASON)
  return state === 'Ready' ? `${text} (${why})` : `${text}: ${why}`
}

const DOT_STYLES: Readonly<Record<State, string>> = {
  Ready: '',
  NotReady: ', color=orange',
  Missing: ', color=red, style=dotted',
  Unknown: ', color=gray, style=dashed',
}

/** Formats a trace for Graphviz: orange is not ready, red and dotted is missing, gray could not be read. */
export function formatDot({nodes, edges}: Trace): string {
  const text = (value: string) => JSON.stringify(plainText(value))
  const boxes = nodes.map(node => {
    const label = text(`${objectText(node)}: ${STATES[node.state].word}`)
    return `  ${text(node.id)} [label=${label}${DOT_STYLES[node.state]}]`
  })
  const arrows = edges.map(
    ({from, to, relation}) => `  ${text(from)} -> ${text(to)} [label=${text(relation)}]`,
  )
  return lines(['digraph trace {', '  rankdir=LR', '  node [shape=box]', ...boxes, ...arrows, '}'])
}

/** Returns the `Trace` document. */
function traceDocument({nodes, edges, warnings, gaps}: Trace) {
  return {
    kind: 'Trace',
    isComplete: gaps.length === 0,
    objects: nodes.map(({conditions, ...node}) => ({
      ...node,
      conditions: conditions.map(condition => ({...condition})),
    })),
    references: edges.map(edge => ({...edge})),
    warnings: [...warnings],
  } as const
}
