import type {InstallSet, KubernetesObject, SetObject} from '../../render/install-set.js'
import {ARGOCD_ANNOTATIONS, FLUX_ANNOTATIONS} from '../../kubernetes/controller-annotations.js'

/** Adds annotations to the objects of a set. */
export function annotated(
  set: InstallSet,
  annotationsOf: (object: SetObject) => Readonly<Record<string, string>>,
): InstallSet {
  return {
    ...set,
    objects: set.objects.map(object => ({
      ...object,
      object: withAnnotations(object.object, annotationsOf(object)),
    })),
  }
}

/**
 * A package must not decide how controllers treat its objects, such as that they are never reconciled again. The
 * annotations of service accounts and Deployments are those that the user requests.
 */
function withAnnotations(
  object: KubernetesObject,
  added: Readonly<Record<string, string>>,
): KubernetesObject {
  const {annotations = {}} = object.metadata
  const own = Object.entries(annotations).filter(
    ([name]) => REQUESTED.includes(object.kind) || !OF_CONTROLLERS.some(prefix => name.startsWith(prefix)),
  )
  const all = {...Object.fromEntries(own), ...added}
  if (Object.keys(all).length === 0 && object.metadata.annotations === undefined) return object
  return {...object, metadata: {...object.metadata, annotations: all}}
}

const REQUESTED = ['ServiceAccount', 'Deployment']
const OF_CONTROLLERS = [FLUX_ANNOTATIONS, ARGOCD_ANNOTATIONS]

/** Reports whether an object is one whose `roleRef` cannot change, so that controllers have to replace it. */
export function isBinding({kind}: KubernetesObject): boolean {
  return kind === 'ClusterRoleBinding' || kind === 'RoleBinding'
}

/** Reports whether the deletion of an object deletes the objects of users with it. */
export function isProtected({phase}: SetObject): boolean {
  return phase === 'namespaces' || phase === 'crds'
}
