import {asObjects, asText, type JsonObject, type JsonValue} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'

/** The reference by which an object is owned and controlled; undefined for a custom resource that was never created. */
export function ownerReference({object, name, uid}: CustomResource): JsonObject | undefined {
  if (uid === undefined) return undefined
  const {apiVersion = '', kind = ''} = object
  return {apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true}
}

/** Adds an owner reference in place of one with its UID. */
export function withOwner(references: JsonValue | undefined, owner: JsonObject): readonly JsonObject[] {
  const others = asObjects(references)
  const index = others.findIndex(({uid}) => uid === owner.uid)
  return index === -1 ? [...others, owner] : others.with(index, owner)
}

/** Finds another controller of an object: an API server rejects a second one. */
export function otherController(
  references: JsonValue | undefined,
  uid: string | undefined,
): string | undefined {
  const other = asObjects(references).find(each => each.controller === true && each.uid !== uid)
  return other && `${asText(other.kind)} ${asText(other.name)}`
}
