// The few parts of the libraries that are used. Their own types need those of the DOM, which the program must not see.

declare module 'markdown-it' {
  // eslint-disable-next-line no-restricted-syntax -- the library exports it so
  export default class MarkdownIt {
    constructor(options: {readonly html: boolean; readonly linkify: boolean; readonly typographer: boolean})
    validateLink: (url: string) => boolean
    renderer: {rules: Record<string, RenderRule | undefined>}
    render(text: string): string
  }
  export type RenderRule = (
    tokens: readonly Token[],
    index: number,
    options: unknown,
    env: unknown,
    self: {renderToken(tokens: readonly Token[], index: number, options: unknown): string},
  ) => string
  export interface Token {
    tag: string
    readonly nesting: number
    readonly content: string
    attrSet(name: string, value: string): void
  }
}

declare module '@dagrejs/dagre' {
  export interface Point {
    readonly x: number
    readonly y: number
  }
  export class Graph {
    setGraph(options: Readonly<Record<string, string | number>>): void
    setDefaultEdgeLabel(label: () => object): void
    setNode(name: string, size: {readonly width: number; readonly height: number}): void
    setEdge(from: string, to: string): void
    graph(): {readonly width?: number; readonly height?: number}
    node(name: string): Point
    edge(from: string, to: string): {readonly points: readonly Point[]}
  }
  const dagre: {readonly graphlib: {readonly Graph: typeof Graph}; layout(graph: Graph): void}
  // eslint-disable-next-line no-restricted-syntax -- the library exports it so
  export default dagre
}
