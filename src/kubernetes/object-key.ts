import {asObject, asText, type JsonObject} from '../yaml/json-value.js'
import type {ObjectName} from './object-name.js'

/** API group, kind, namespace and name: they identify an object in a cluster, regardless of its version. */
export function objectKey({apiVersion, kind, namespace = '', name}: ObjectName): string {
  return [groupOf(apiVersion), kind, namespace, name].join('\0')
}

/** The group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
}

/** The version of an `apiVersion`, without its group. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}

/** The object for messages: `Deployment team/my-provider`. */
export function objectText({kind, namespace, name}: Omit<ObjectName, 'apiVersion'>): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** The identifying fields of an object, as far as they are present. */
export function nameOf({apiVersion, kind, metadata}: JsonObject): ObjectName {
  const {name, namespace} = asObject(metadata)
  return {
    apiVersion: asText(apiVersion),
    kind: asText(kind),
    ...(namespace === undefined ? {} : {namespace: asText(namespace)}),
    name: asText(name),
  }
}
