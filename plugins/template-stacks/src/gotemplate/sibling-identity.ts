import {asObject, asText, groupOf, type JsonObject} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'

/** What identifies the object of a template; its namespace is that of the custom resource. */
export interface Identity {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
}

/** The identity of an object, as far as it has texts. */
export function identityOf({apiVersion, kind, metadata}: JsonObject): Identity {
  return {apiVersion: asText(apiVersion), kind: asText(kind), name: asText(asObject(metadata).name)}
}

/** An identity for messages: `Redis cache of cache.example.org/v1`. */
export function identityName({apiVersion, kind, name}: Identity): string {
  return `${kind} ${name} of ${apiVersion}`
}

/** Finds the live object of an identity among given ones, in any version. */
export function liveObject(
  live: readonly JsonObject[],
  {apiVersion, kind, name}: Identity,
  {namespace = ''}: CustomResource,
): JsonObject | undefined {
  return live.find(object => {
    const other = identityOf(object)
    const place = asText(asObject(object.metadata).namespace)
    const isSame =
      groupOf(other.apiVersion) === groupOf(apiVersion) && other.kind === kind && other.name === name
    return isSame && (place === namespace || place === '')
  })
}
