import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {InstallSet} from '../../render/install-set.js'
import type {Package} from '../../unpack/package.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {JsonObject} from '../../yaml/json-value.js'

/** A package of 2020 to translate. */
export interface TranslationInput {
  readonly package: Package
  /** What it installs in the namespace of Crossplane, with CRDs of v1. */
  readonly set: InstallSet
  /** The CRDs of the package itself in v1, without labels and annotations of an install. */
  readonly crds: readonly KubernetesObject[]
  /** The repository and tag of the translated package. */
  readonly target: string
  /** The name that Crossplane derives from that repository. */
  readonly name: string
  readonly namespace: string
}

/** A package for a current Crossplane, and what has to be applied to install it. */
export interface Translated {
  /** The metadata object, a Provider. */
  readonly metadata: JsonObject
  readonly crds: readonly KubernetesObject[]
  /** In the order in which they are applied: roles and runtime before the request. */
  readonly objects: readonly JsonObject[]
  /** What could not be carried over. */
  readonly notes: readonly Diagnostic[]
}

/** A note on something that could not be carried over. */
export function lostNote(rule: string, message: string): Diagnostic {
  return {severity: 'note', rule, message}
}
