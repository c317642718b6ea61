import type {Diagnostic} from '../../diagnostic.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'

/** One object of a set. */
export interface XpkgSetObject {
  /** 0 for what packages need before they are requested; packages have the stages of their dependencies. */
  readonly stage: number
  readonly object: KubernetesObject
  /** A stem for its file, for an object whose own name contains a version. */
  readonly fileName?: string
}

/** What Crossplane's package manager needs to install a package and all that it requires, in the order of stages. */
export interface XpkgSet {
  readonly objects: readonly XpkgSetObject[]
  readonly warnings: readonly Diagnostic[]
  /** What Crossplane creates for the set, where that is requested; never to be applied. */
  readonly expanded?: readonly KubernetesObject[]
  /** Notes of the resolution. */
  readonly notes?: readonly Diagnostic[]
}
