import {asObject, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import type {RenderedResource} from './render-resource.js'

/**
 * The objects of a custom resource in the order in which they are applied. The status that templates set comes last: the
 * custom resource with nothing else.
 */
export function renderedObjects({resource, objects, status}: RenderedResource): readonly KubernetesObject[] {
  const applied = objects.map(({object}) => object)
  return status === undefined ? applied : [...applied, statusObject(resource.object, status)]
}

function statusObject(
  {apiVersion = '', kind = '', metadata}: JsonObject,
  status: JsonObject,
): KubernetesObject {
  const {name = '', namespace} = asObject(metadata)
  const place = namespace === undefined ? {name} : {name, namespace}
  return {apiVersion, kind, metadata: place, status} as unknown as KubernetesObject
}
