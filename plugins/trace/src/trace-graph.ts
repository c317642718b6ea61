import type {ApiResource} from 'kubectl-crossplane/plugin'
import type {Start, Trace, TraceEdge, TraceNode} from './trace.js'

/** The maximum number of objects: those of other users must not make a trace endless. */
const MAX_NODES = 500

/** The objects that were reached so far, how they lead to each other, and what is missing. */
export class TraceGraph {
  /** Undefined for an object that is not read yet. */
  readonly #nodes = new Map<string, TraceNode | undefined>()
  readonly #edges = new Map<string, TraceEdge>()
  readonly #warnings = new Set<string>()
  readonly #gaps = new Set<string>()

  has(id: string): boolean {
    return this.#nodes.has(id)
  }

  /** Adds the ID of an object that will be read; false beyond the maximum. */
  reserve(id: string): boolean {
    if (this.#nodes.size >= MAX_NODES) {
      this.miss(`the trace has more than ${MAX_NODES} objects; the others are not shown`)
      return false
    }
    this.#nodes.set(id, undefined)
    return true
  }

  /** Adds the object of a reserved ID. */
  put(node: TraceNode): void {
    this.#nodes.set(node.id, node)
  }

  /** Adds a reference, once; none to an object that was not reserved, or to itself. */
  connect(from: string, to: string | undefined, relation: string): void {
    if (to === undefined || to === from) return
    const key = JSON.stringify([from, to, relation])
    if (!this.#edges.has(key)) this.#edges.set(key, {from, to, relation})
  }

  isConnected(from: string, to: string): boolean {
    return [...this.#edges.values()].some(edge => edge.from === from && edge.to === to)
  }

  /** Adds a message about what is not shown. */
  warn(message: string): void {
    this.#warnings.add(message)
  }

  /** Adds a reason why it is not known whether all objects are ready. */
  doubt(reason: string): void {
    this.#gaps.add(reason)
  }

  /** Adds a message about what can hide objects that are not ready. */
  miss(message: string): void {
    this.warn(message)
    this.doubt(message)
  }

  result(): Trace {
    const nodes = [...this.#nodes.values()].filter(node => node !== undefined)
    const unknown = nodes.filter(({state}) => state === 'Unknown').map(({reason}) => reason)
    return {
      nodes,
      edges: [...this.#edges.values()],
      warnings: [...this.#warnings],
      gaps: [...new Set([...unknown, ...this.#gaps])],
    }
  }
}

/** Returns the ID of an object in a trace, such as `Bucket.storage.example.org team-a/photos`. */
export function idOf(
  {group, kind}: Pick<ApiResource, 'group' | 'kind'>,
  {namespace, name}: Pick<Start, 'namespace' | 'name'>,
): string {
  const type = group === '' ? kind : `${kind}.${group}`
  return `${type} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}
