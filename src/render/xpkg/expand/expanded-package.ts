import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {PackageContent} from '../../../xpkg/content/package-content.js'
import {revisionName} from '../../../xpkg/package-name.js'
import type {JsonObject} from '../../../yaml/json-value.js'

/** Takes the place of what is known only in a cluster, such as uids and certificates. */
export const UNKNOWN = '<unknown>'

/** The namespace of Crossplane. */
export const CORE_NAMESPACE = 'crossplane-system'

/** A package whose objects are listed: its request, and its content. */
export interface ExpandedPackage {
  readonly request: KubernetesObject
  /** `REPOSITORY:TAG` or `REPOSITORY@DIGEST` */
  readonly reference: string
  /** The reference that Crossplane reads, after the rewriting of an ImageConfig. */
  readonly image: string
  readonly digest?: string
  readonly content: PackageContent
  /** The DeploymentRuntimeConfig of the package, if the set has one. */
  readonly runtimeConfig?: KubernetesObject
}

/** Returns the name of the revision; its end is unknown for a package without a digest. */
export function revisionOf({request, digest}: Pick<ExpandedPackage, 'request' | 'digest'>): string {
  const {name} = request.metadata
  return digest === undefined ? `${name}-${UNKNOWN}` : revisionName(name, digest)
}

/** Returns the owner reference of a controller, as Crossplane writes it. */
export function controllerReference(apiVersion: string, kind: string, name: string): JsonObject {
  return {apiVersion, blockOwnerDeletion: true, controller: true, kind, name, uid: UNKNOWN}
}

/** Returns the owner reference of a revision as the controller of an object. */
export function revisionReference(one: Pick<ExpandedPackage, 'request' | 'digest'>): JsonObject {
  const {apiVersion, kind} = one.request
  return controllerReference(apiVersion, `${kind}Revision`, revisionOf(one))
}

/** Returns the labels of the Pods of a package. */
export function podLabels(one: Pick<ExpandedPackage, 'request' | 'digest'>): Record<string, string> {
  const {kind, metadata} = one.request
  return {
    [`pkg.crossplane.io/${kind.toLowerCase()}`]: metadata.name,
    'pkg.crossplane.io/revision': revisionOf(one),
  }
}
