import {listSome} from 'kubectl-crossplane/plugin'
import {listOutlines, MAX_LISTED, type Outlines} from './children.js'
import {isCustom} from './kinds.js'
import type {Start, TracePorts} from './trace.js'
import type {TraceGraph} from './trace-graph.js'

/** Lists the objects that can be children, once for each namespace. */
export class ListedObjects {
  readonly #lists = new Map<string, Outlines>()

  /** What cannot be listed is reported to the graph. */
  constructor(
    readonly ports: TracePorts,
    readonly graph: TraceGraph,
  ) {}

  /**
   * Lists what a parent can own: the objects of its namespace; for one without a namespace, all that were listed.
   */
  async outlinesFor({resource, namespace}: Start): Promise<readonly Outlines[]> {
    // What no controller works on owns nothing, and lists are expensive.
    if (!resource.hasStatus) return [...this.#lists.values()]
    const own = this.#lists.get(namespace ?? '') ?? (await this.#list(namespace))
    return namespace === undefined ? [...this.#lists.values()] : [own]
  }

  async #list(namespace: string | undefined): Promise<Outlines> {
    const outlines = await listOutlines(this.ports.reader, this.ports.kinds, namespace)
    this.#lists.set(namespace ?? '', outlines)
    this.#report(outlines, namespace)
    return outlines
  }

  #report({denied, truncated}: Outlines, namespace: string | undefined): void {
    const where = namespace === undefined ? '(cluster-scoped)' : `in namespace ${namespace}`
    for (const {plural} of truncated)
      this.graph.miss(`cannot search all ${plural} ${where}: more than ${MAX_LISTED}`)
    // What Kubernetes itself serves is seldom a part of an application, and what has no status is never broken.
    const [first] = denied.filter(({resource}) => resource.hasStatus && isCustom(resource))
    if (first !== undefined) this.graph.doubt(first.reason)
    if (denied.length === 0) return
    const names = listSome(denied.map(({resource}) => resource.plural).sort())
    this.graph.warn(`cannot find owned objects ${where}: permission denied to list ${names}`)
  }
}
