import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {groupOf} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'

import {PAUSED} from '../../../render/xpkg/request-object.js'
import {requestName} from '../../../reference/named.js'
import {shellWord} from '../../../text.js'

/** The kinds of requests for packages of a current Crossplane. */
export const REQUEST_KINDS = ['Provider', 'Function', 'Configuration'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** The one object in which the core keeps its graph of dependencies. */
export const CORE_LOCK: ObjectName = {apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', name: 'lock'}

/** The field manager of requests that the core makes itself. */
export const CORE_MANAGER = 'crossplane'

/** What a running core is requested to install, what it made of that, and its own graph of dependencies. */
export interface CoreState {
  /** By kind and name. */
  readonly requests: readonly CoreRequest[]
  readonly revisions: readonly CoreRevision[]
  readonly lock: CoreLock
}

/** The source and the version of a package, as text of the cluster: untrusted. */
export interface CoreReference {
  /** Everything before the tag and the digest, with the registry. */
  readonly repository: string
  readonly tag?: string
  readonly digest?: string
}

/** A Provider, Function or Configuration. */
export interface CoreRequest extends CoreReference {
  readonly kind: RequestKind
  readonly name: string
  readonly uid: string
  /** In RFC 3339. */
  readonly created: string
  /** The text of `spec.package`. */
  readonly reference: string
  /** Whether the core resolves its dependencies and records it in the Lock. */
  readonly isResolved: boolean
  /** Whether only the core set its package, also if other programs changed the rest. */
  readonly isByCore: boolean
  /** Whether it is being deleted. */
  readonly isTerminating: boolean
  /** The name of the revision that the core made last. */
  readonly revision?: string
  /** The reference after the ImageConfigs. */
  readonly resolved?: string
  readonly object: KubernetesObject
}

/** How a package is in a cluster that is requested, and that Crossplane has not installed yet, after its name. */
export const REQUESTED = 'is requested in the cluster'

/** Returns how a requested package is in a cluster, after its name: Crossplane makes a revision once it has read the package. */
export function stateOf({revision}: Pick<CoreRequest, 'revision'>): string {
  return revision === undefined ? REQUESTED : 'is installed'
}

/** A ProviderRevision, FunctionRevision or ConfigurationRevision. */
export interface CoreRevision extends CoreReference {
  /** The kind of its request. */
  readonly kind: RequestKind
  readonly name: string
  readonly uid: string
  /** The name of its request. */
  readonly request: string
  /** Of two, the newer one has the higher number. */
  readonly number: number
  readonly isActive: boolean
  readonly isTerminating: boolean
  /** The objects that it installed. Those of a new revision can lack their kinds for a minute. */
  readonly objects: readonly CoreObject[]
  readonly object: KubernetesObject
}

/** An object that a revision installed. */
interface CoreObject {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
}

/** The Lock: one entry for each active revision that the core resolves. */
export interface CoreLock {
  readonly entries: readonly LockEntry[]
  /** The message of its condition when the core could not resolve the dependencies. */
  readonly problem?: string
}

/** A package in the Lock. */
export interface LockEntry {
  /** The name of the revision. */
  readonly name: string
  readonly kind: string
  readonly repository: string
  /** A tag or digest. */
  readonly version: string
  readonly dependencies: readonly LockDependency[]
}

/** What a package in the Lock requires. */
export interface LockDependency {
  readonly kind: string
  readonly repository: string
  /** A constraint or a digest. */
  readonly constraint: string
}

/** Returns the command that activates a revision of a request of a kind. */
export function activationCommand(kind: string, revision: string): string {
  const name = shellWord(requestName({kind: `${kind}Revision`, name: revision}))
  return `kubectl patch ${name} --type merge --patch '{"spec":{"desiredState":"Active"}}'`
}

/** Returns the command that makes a revision of a kind of request inactive: it leaves the Lock, and its CRDs stay. */
export function deactivationCommand({kind, name}: Pick<CoreRevision, 'kind' | 'name'>): string {
  const own = shellWord(requestName({kind: `${kind}Revision`, name}))
  return `kubectl patch ${own} --type merge --patch '{"spec":{"desiredState":"Inactive"}}'`
}

/** Reports whether Crossplane ignores a request or a revision. */
export function isPaused({object}: Pick<CoreRequest | CoreRevision, 'object'>): boolean {
  return object.metadata.annotations?.[PAUSED] === 'true'
}

/** Returns the command that has Crossplane look at an object of a kind again. */
export function resumeCommand(object: {readonly kind: string; readonly name: string}): string {
  return `kubectl annotate ${shellWord(requestName(object))} ${PAUSED}-`
}

/** Reports whether an object is a request for a package of a current Crossplane. */
export function isPackageRequest({apiVersion, kind}: Pick<ObjectName, 'apiVersion' | 'kind'>): boolean {
  return groupOf(apiVersion) === 'pkg.crossplane.io' && REQUEST_KINDS.some(request => request === kind)
}
