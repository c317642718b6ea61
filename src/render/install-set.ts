import type {Diagnostic} from '../diagnostic.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'

export type {KubernetesObject}

/** The order in which a cluster needs what an install consists of. */
export const PHASES = ['namespaces', 'crds', 'identity', 'records', 'controllers'] as const
export type Phase = (typeof PHASES)[number]

/** Namespace and name of the record: what tells two installs of one cluster apart. */
export interface InstallId {
  readonly namespace: string
  readonly name: string
}

/** One object of the set. Without `install` it is shared: a CRD that several installs may claim, a namespace, the base. */
export interface SetObject {
  readonly phase: Phase
  readonly install?: InstallId
  /**
   * Version-free stem for a file that holds this object, such as `clusterrole-admin`: for objects whose own name holds
   * a version. Unique within the install; without it files are named after kind and name.
   */
  readonly fileName?: string
  readonly object: KubernetesObject
}

/**
 * Everything that a list of install requests means, offline: objects in the order of their phases, dependencies
 * first. The same inputs give the same set, whatever the machine.
 */
export interface InstallSet {
  readonly installs: readonly InstallId[]
  readonly objects: readonly SetObject[]
  readonly warnings: readonly Diagnostic[]
}
