import {asObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {isOfKind, referenceIn} from '../model/references.js'
import type {Service} from '../services.js'

/** Returns the service that a claim names: by its managed resource, else by its class. */
export function serviceOf({spec}: KubernetesObject, services: readonly Service[]): Service | undefined {
  const {resourceRef, classRef} = asObject(spec)
  const resource = referenceIn(resourceRef)
  if (resource !== undefined) return services.find(({managed}) => isOfKind(resource, managed))
  const reference = referenceIn(classRef)
  return services.find(service => service.class !== undefined && isOfKind(reference, service.class))
}
