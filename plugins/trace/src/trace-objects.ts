import {mapConcurrent} from 'kubectl-crossplane/plugin'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import {childrenOf, kindNamed} from './children.js'
import {deniedReason} from './denial.js'
import {findParents, findReferences, findSelectors} from './find-references.js'
import type {Reference} from './find-references.js'
import {judgeObject} from './judge-object.js'
import {kindOf} from './kinds.js'
import {ListedObjects} from './listed-objects.js'
import {idOf, TraceGraph} from './trace-graph.js'
import type {Start, Trace, TraceNode, TracePorts} from './trace.js'

const CONCURRENT = 8
/** References of one object, and its owners: objects of other users must not make a trace endless. */
const MAX_REFERENCES = 200

/**
 * Follows all references of an object, and of what they lead to, and finds what these objects own. Owners are shown, but
 * their other children are not. What cannot be read is part of the trace as `Unknown`.
 */
export async function traceObjects(start: Start, ports: TracePorts): Promise<Trace> {
  const tracing = new Tracing(ports)
  tracing.reach({...start, isAbove: false})
  do await tracing.visitAll()
  while (await tracing.findChildren())
  return tracing.graph.result()
}

/** An object to visit. `isAbove`: it was reached from something that it owns. */
interface Target extends Start {
  readonly isAbove: boolean
}

interface Visited extends Target {
  readonly id: string
  readonly object?: KubernetesObject
}

class Tracing {
  readonly graph = new TraceGraph()
  readonly #listed: ListedObjects
  #queue: Target[] = []
  #parents: Visited[] = []

  constructor(readonly ports: TracePorts) {
    this.#listed = new ListedObjects(ports, this.graph)
  }

  /** Puts an object on the list of those to visit, once; returns its ID, undefined beyond the maximum. */
  reach(target: Target): string | undefined {
    const id = idOf(target.resource, target)
    if (this.graph.has(id)) return id
    if (!this.graph.reserve(id)) return undefined
    this.#queue.push(target)
    return id
  }

  /** Reads all objects that were reached, until their references lead to nothing new. */
  async visitAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const level = this.#queue
      this.#queue = []
      const read = new Map<Target, Visited>()
      await mapConcurrent(level, CONCURRENT, async target => {
        read.set(target, await this.#read(target))
      })
      for (const target of level) {
        const visited = read.get(target)
        if (visited?.object !== undefined) this.#follow(visited, visited.object)
      }
    }
  }

  /** Searches the children of what was visited since the last search; false if there was nothing to search. */
  async findChildren(): Promise<boolean> {
    const parents = this.#parents
    this.#parents = []
    for (const parent of parents) {
      const {object, resource, id} = parent
      if (object === undefined) continue
      const selectors = findSelectors(object)
      for (const {outlines} of await this.#listed.outlinesFor(parent)) {
        for (const child of childrenOf({object, resource, selectors}, outlines)) {
          const {namespace, name} = child.object.metadata
          const reached = this.reach({resource: child.resource, namespace, name, isAbove: false})
          this.graph.connect(id, reached, child.relation)
        }
      }
    }
    return this.#queue.length > 0
  }

  async #read(target: Target): Promise<Visited> {
    const {resource, namespace, name} = target
    const id = idOf(resource, target)
    const {apiVersion, kind} = kindNamed(resource)
    const described = {id, apiVersion, kind, ...(namespace === undefined ? {} : {namespace}), name}
    const put = (judged: Pick<TraceNode, 'state' | 'reason' | 'conditions'>) =>
      this.graph.put({...described, ...judged})
    try {
      // The values of Secrets are not even requested.
      const metadataOnly = resource.group === '' && kind === 'Secret'
      const object = await this.ports.reader.get(described, {metadataOnly})
      put(
        object === undefined ? {state: 'Missing', reason: '', conditions: []} : judgeObject(object, resource),
      )
      return {...target, id, ...(object === undefined ? {} : {object})}
    } catch (error) {
      put({state: 'Unknown', reason: deniedReason(error), conditions: []})
      return {...target, id}
    }
  }

  #follow(visited: Visited, object: KubernetesObject): void {
    for (const reference of this.#first(findReferences(object), `${visited.id} has`, 'references'))
      this.#followReference(visited, reference, false)
    for (const parent of this.#first(findParents(object), `${visited.id} has`, 'owners'))
      this.#followReference(visited, parent, true)
    if (!visited.isAbove) this.#parents.push(visited)
  }

  /** Returns the first of many references, and reports that there are more. */
  #first(references: readonly Reference[], has: string, what: string): readonly Reference[] {
    const {length} = references
    if (length > MAX_REFERENCES) this.graph.miss(`${has} ${length} ${what}; ${MAX_REFERENCES} are followed`)
    return references.slice(0, MAX_REFERENCES)
  }

  #followReference({resource, namespace, id, isAbove}: Visited, reference: Reference, isUp: boolean): void {
    const {name, field} = reference
    const kind = kindOf(reference, resource, this.ports.kinds)
    if ('unknown' in kind) {
      this.graph.warn(`${id}: ${field} ${name} is not followed: ${kind.unknown}`)
      return
    }
    if (!('resource' in kind)) {
      this.graph.connect(id, this.#addUnserved(kind, reference), field)
      return
    }
    const place = kind.resource.namespaced ? (reference.namespace ?? namespace) : undefined
    if (kind.resource.namespaced && place === undefined) {
      this.graph.warn(`${id}: ${field} ${name} is not followed: it has no namespace`)
      return
    }
    const target = {resource: kind.resource, namespace: place, name, isAbove: isAbove || isUp}
    // A child leads back to the parent from which it was reached.
    if (isUp && this.graph.isConnected(idOf(kind.resource, target), id)) return
    this.graph.connect(id, this.reach(target), field)
  }

  #addUnserved({apiVersion, kind}: {apiVersion: string; kind: string}, {namespace, name}: Reference) {
    const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : []
    const id = idOf({group, kind}, {namespace, name})
    if (this.graph.has(id)) return id
    if (!this.graph.reserve(id)) return undefined
    const reason = `${kind} of ${apiVersion} is not served by the cluster`
    const place = namespace === undefined ? {} : {namespace}
    this.graph.put({id, apiVersion, kind, ...place, name, state: 'Missing', reason, conditions: []})
    return id
  }
}
