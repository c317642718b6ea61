import {listSome, mapConcurrent} from 'kubectl-crossplane/plugin'
import type {ApiResource, ClusterReader, KubernetesObject} from 'kubectl-crossplane/plugin'
import {childrenOf, kindNamed, listOutlines, MAX_LISTED, type Outlines} from './children.js'
import {deniedReason} from './denial.js'
import {findParents, findReferences, findSelectors} from './find-references.js'
import type {Reference} from './find-references.js'
import {judgeObject} from './judge-object.js'
import {isCustom, kindOf, type Kinds} from './kinds.js'
import type {Start, Trace, TraceEdge, TraceNode} from './trace.js'

/** What a trace reads, and what it knows already. */
export interface TracePorts {
  readonly reader: ClusterReader
  readonly kinds: Kinds
}

const CONCURRENT = 8
/** Objects of a trace, and references of one object: objects of other users must not make a trace endless. */
const MAX_NODES = 500
const MAX_REFERENCES = 200

/**
 * Follows all references of an object, and of what they lead to, and finds what these objects own. Owners are shown, but
 * their other children are not. What cannot be read is part of the trace as `Unknown`.
 */
export async function traceObjects(start: Start, ports: TracePorts): Promise<Trace> {
  const trace = new Tracing(ports)
  trace.reach({...start, isAbove: false})
  do await trace.visitAll()
  while (await trace.findChildren())
  return trace.result()
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
  readonly #nodes = new Map<string, TraceNode | undefined>()
  readonly #edges = new Map<string, TraceEdge>()
  readonly #warnings = new Set<string>()
  readonly #listed = new Map<string, Outlines>()
  #queue: Target[] = []
  #parents: Visited[] = []
  readonly #gaps = new Set<string>()

  constructor(readonly ports: TracePorts) {}

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

  /** Puts an object on the list of those to visit, once; returns its ID, undefined beyond the maximum. */
  reach(target: Target): string | undefined {
    const id = idOf(target.resource, target)
    if (this.#nodes.has(id)) return id
    if (!this.#hasRoom()) return undefined
    this.#nodes.set(id, undefined)
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
      for (const {found} of await this.#outlinesFor(parent)) {
        for (const child of childrenOf({object, resource, selectors}, found)) {
          const {namespace, name} = child.object.metadata
          this.#connect(
            id,
            this.reach({resource: child.resource, namespace, name, isAbove: false}),
            child.relation,
          )
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
    try {
      // The values of Secrets are not even requested.
      const metadataOnly = resource.group === '' && kind === 'Secret'
      const object = await this.ports.reader.get(described, {metadataOnly})
      if (object === undefined) {
        this.#nodes.set(id, {...described, state: 'Missing', reason: '', conditions: []})
        return {...target, id}
      }
      this.#nodes.set(id, {...described, ...judgeObject(object, resource)})
      return {...target, id, object}
    } catch (error) {
      this.#nodes.set(id, {...described, state: 'Unknown', reason: deniedReason(error), conditions: []})
      return {...target, id}
    }
  }

  #follow(visited: Visited, object: KubernetesObject): void {
    const references = findReferences(object)
    if (references.length > MAX_REFERENCES) {
      this.#miss(`${visited.id} has ${references.length} references; ${MAX_REFERENCES} are followed`)
    }
    for (const each of references.slice(0, MAX_REFERENCES)) this.#followReference(visited, each, false)
    for (const each of findParents(object).slice(0, MAX_REFERENCES))
      this.#followReference(visited, each, true)
    if (!visited.isAbove) this.#parents.push(visited)
  }

  #followReference({resource, namespace, id, isAbove}: Visited, reference: Reference, isUp: boolean): void {
    const {name, field} = reference
    const kind = kindOf(reference, resource, this.ports.kinds)
    if ('unknown' in kind) {
      this.#warnings.add(`${id}: ${field} ${name} is not followed: ${kind.unknown}`)
      return
    }
    if (!('resource' in kind)) {
      this.#connect(id, this.#addUnserved(kind, reference), field)
      return
    }
    const place = kind.resource.namespaced ? (reference.namespace ?? namespace) : undefined
    if (kind.resource.namespaced && place === undefined) {
      this.#warnings.add(`${id}: ${field} ${name} is not followed: it has no namespace`)
      return
    }
    const target = {resource: kind.resource, namespace: place, name, isAbove: isAbove || isUp}
    // A child leads back to the parent from which it was reached.
    if (isUp && this.#isConnected(idOf(kind.resource, target), id)) return
    this.#connect(id, this.reach(target), field)
  }

  #addUnserved({apiVersion, kind}: {apiVersion: string; kind: string}, {namespace, name}: Reference) {
    const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : []
    const id = idOf({group, kind}, {namespace, name})
    if (!this.#nodes.has(id)) {
      if (!this.#hasRoom()) return undefined
      const reason = `${kind} of ${apiVersion} is not served by the cluster`
      const place = namespace === undefined ? {} : {namespace}
      this.#nodes.set(id, {id, apiVersion, kind, ...place, name, state: 'Missing', reason, conditions: []})
    }
    return id
  }

  #hasRoom(): boolean {
    if (this.#nodes.size < MAX_NODES) return true
    this.#miss(`the trace has more than ${MAX_NODES} objects; the others are not shown`)
    return false
  }

  #connect(from: string, to: string | undefined, relation: string): void {
    if (to === undefined || to === from) return
    const key = JSON.stringify([from, to, relation])
    if (!this.#edges.has(key)) this.#edges.set(key, {from, to, relation})
  }

  #isConnected(from: string, to: string): boolean {
    return [...this.#edges.values()].some(edge => edge.from === from && edge.to === to)
  }

  /** The objects that a parent can own: those of its namespace; for one without a namespace, all that were listed. */
  async #outlinesFor({resource, namespace}: Visited): Promise<readonly Outlines[]> {
    // What no controller works on owns nothing, and lists are expensive.
    if (!resource.hasStatus) return [...this.#listed.values()]
    const key = namespace ?? ''
    if (!this.#listed.has(key)) {
      const outlines = await listOutlines(this.ports.reader, this.ports.kinds, namespace)
      this.#listed.set(key, outlines)
      this.#warnAbout(outlines, namespace)
    }
    const own = this.#listed.get(key)
    return namespace === undefined || own === undefined ? [...this.#listed.values()] : [own]
  }

  #warnAbout({denied, truncated}: Outlines, namespace: string | undefined): void {
    const where = namespace === undefined ? '(cluster-scoped)' : `in namespace ${namespace}`
    for (const {plural} of truncated)
      this.#miss(`cannot search all ${plural} ${where}: more than ${MAX_LISTED}`)
    // What Kubernetes itself serves is seldom a part of an application, and what has no status is never broken.
    const [first] = denied.filter(({resource}) => resource.hasStatus && isCustom(resource))
    if (first !== undefined) this.#gaps.add(first.reason)
    if (denied.length === 0) return
    const names = listSome(denied.map(({resource}) => resource.plural).sort())
    this.#warnings.add(`cannot find owned objects ${where}: permission denied to list ${names}`)
  }

  #miss(message: string): void {
    this.#gaps.add(message)
    this.#warnings.add(message)
  }
}

function idOf(
  {group, kind}: Pick<ApiResource, 'group' | 'kind'>,
  {namespace, name}: Pick<Start, 'namespace' | 'name'>,
): string {
  const type = group === '' ? kind : `${kind}.${group}`
  return `${type} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}
