import type {ObjectName} from '../kubernetes/object-name.js'

/** The effect of an uninstall on the data of users and on other installs. */
export interface UninstallImpact {
  /** The CRDs with instances that lose their controller, or that other installs use. */
  readonly crds: readonly CrdImpact[]
  readonly dependents: readonly Dependent[]
}

/** The effect on one CRD. */
export interface CrdImpact {
  /** The name of the CRD. */
  readonly crd: string
  /** The number of instances that lose their controller. */
  readonly instances: number
  /** The first of them. */
  readonly first: readonly LostInstance[]
  /** Other installs that use the CRD, as NAMESPACE/NAME, or as the label of a claim whose install is unknown. */
  readonly users: readonly string[]
}

/** The instances of a CRD that lose their controller. */
export interface LostInstances {
  readonly total: number
  /** The first of them. */
  readonly first: readonly LostInstance[]
  /** All of them, if they are to be deleted. */
  readonly listed?: readonly ListedInstance[]
}

/** An instance as it was listed. */
export interface ListedInstance {
  readonly object: ObjectName
  readonly uid: string
}

/** An instance that loses its controller; all texts are escaped. */
export interface LostInstance {
  readonly namespace?: string
  readonly name: string
  /** `spec.reclaimPolicy` and `spec.deletionPolicy`, which decide about its external resource when it is deleted. */
  readonly reclaimPolicy?: string
  readonly deletionPolicy?: string
  /** The finalizers that keep it when it is deleted. */
  readonly finalizers?: readonly string[]
}

/** An install that requires CRDs of one that is removed; installs as NAMESPACE/NAME. */
export interface Dependent {
  readonly install: string
  readonly crds: readonly string[]
  /** The install that is removed. */
  readonly of: string
}
