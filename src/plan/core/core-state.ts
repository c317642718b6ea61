import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'

/** The API group and version of requests and revisions for a current Crossplane. */
export const CORE_API = 'pkg.crossplane.io/v1'

/** The kinds of requests. */
export const CORE_KINDS = ['Provider', 'Function', 'Configuration'] as const

/** What the package manager of a current Crossplane has, read once. */
export interface CoreState {
  readonly requests: readonly CoreRequest[]
  readonly revisions: readonly CoreRevision[]
  /** Absent if Crossplane has not created it yet. */
  readonly lock?: CoreLock
}

/** An object by which a package is requested. */
export interface CoreRequest {
  readonly kind: string
  readonly name: string
  readonly uid: string
  /** The text of `spec.package`, without its tag and digest. */
  readonly repository: string
  readonly reference: string
  /** RFC 3339. */
  readonly created: string
  /** Whether Crossplane itself created it for a dependency. */
  readonly isByCore: boolean
  /** Whether it is being deleted. */
  readonly isTerminating: boolean
  readonly object: KubernetesObject
}

/** One version of a requested package. */
export interface CoreRevision {
  /** Of its request, such as Provider. */
  readonly kind: string
  readonly name: string
  readonly uid: string
  /** The name of its request. */
  readonly request: string
  /** Of two, the newer one has the higher number. */
  readonly number: number
  /** Active, Inactive or, with manual activation, empty. */
  readonly desiredState: string
  readonly isTerminating: boolean
  readonly object: KubernetesObject
}

/** The Lock: the packages among which Crossplane resolves dependencies. */
export interface CoreLock {
  readonly packages: readonly CoreLockEntry[]
  /** The message of `Resolved=False`. */
  readonly failure?: string
}

/** One revision in the Lock. */
export interface CoreLockEntry {
  readonly kind: string
  /** Of the revision. */
  readonly revision: string
  /** The repository. */
  readonly source: string
  /** A tag or digest. */
  readonly version: string
  readonly dependencies: readonly {readonly repository: string; readonly constraints: string}[]
}

/** An object that packages bring, with the objects that keep it from being collected. */
export interface OwnedObject {
  readonly kind: string
  readonly name: string
  readonly uid: string
  /** The UIDs of its owners. */
  readonly owners: readonly string[]
}
