import type {ApiResource, ClusterReader} from 'kubectl-crossplane/plugin'
import type {Kinds} from './kinds.js'

/** What is known of a traced object. `Unknown`: it could not be read, or its kind is not known. */
export type State = 'Ready' | 'NotReady' | 'Missing' | 'Unknown'

/** An object of a trace. Its texts are those of the cluster, and untrusted. */
export interface TraceNode {
  /** Unique in the trace, such as `Bucket.storage.example.org team-a/photos`. */
  readonly id: string
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly state: State
  /** Why the object is in that state; can be empty. */
  readonly reason: string
  readonly conditions: readonly Condition[]
}

/** A condition of the status of an object. */
export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** How one object leads to another. */
export interface TraceEdge {
  /** IDs of nodes. */
  readonly from: string
  readonly to: string
  /** The field of a reference such as `spec.classRef`, or `owner`, `owned`, `parent`, `child`, `selected`. */
  readonly relation: string
}

/** All objects that are reached from the first one. */
export interface Trace {
  readonly nodes: readonly TraceNode[]
  readonly edges: readonly TraceEdge[]
  /** What could not be searched, as messages for users. */
  readonly warnings: readonly string[]
  /** Why it is not known whether all objects are ready; empty if it is known. */
  readonly gaps: readonly string[]
}

/** The first object of a trace. */
export interface Start {
  readonly resource: ApiResource
  readonly namespace?: string
  readonly name: string
}

/** What a trace reads, and what it knows already. */
export interface TracePorts {
  readonly reader: ClusterReader
  readonly kinds: Kinds
}
