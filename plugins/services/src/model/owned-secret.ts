import {asObjects, asText, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {CONNECTION_TYPE} from './details.js'

/** Returns the controller of an object. */
export function ownerOf({metadata}: KubernetesObject): JsonObject | undefined {
  return asObjects(metadata.ownerReferences).find(({controller}) => controller === true)
}

/** Returns the owner reference of a controller, which does not block its deletion. */
export function controllerReference({apiVersion, kind, metadata}: KubernetesObject): JsonObject {
  return {apiVersion, kind, name: metadata.name, uid: asText(metadata.uid), controller: true}
}

/** Returns why a connection secret belongs to others; undefined if an owner may write it. */
export function whyNotOurs(secret: KubernetesObject, owner: KubernetesObject): string | undefined {
  const controller = ownerOf(secret)
  const {uid} = owner.metadata
  if (controller !== undefined) {
    return controller.uid === uid ? undefined : `existing secret is not controlled by UID "${asText(uid)}"`
  }
  const type = asText(secret.type)
  return type === CONNECTION_TYPE ? undefined : `refusing to modify uncontrolled secret of type "${type}"`
}
