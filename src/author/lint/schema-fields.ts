import {asObject, asObjects, asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import type {DeclaredCrd} from './candidate.js'

/** The schema of a field; `any` where every value is kept, `list` behind a list, `none` where an API server drops it. */
export type FieldSchema = JsonObject | 'any' | 'list' | 'none'

/** The schema of a version of a CRD. */
export interface VersionSchema {
  readonly schema: JsonObject
  /** Whether objects without declared fields keep all: in v1beta1 they do, because their content would be lost. */
  readonly keepsOpenObjects: boolean
}

/** Returns the schema of a version; undefined if any object is accepted. */
export function versionSchema({object}: DeclaredCrd, version: string): VersionSchema | undefined {
  const spec = asObject(object.spec)
  const own = asObject(asObjects(spec.versions).find(({name}) => name === version)?.schema).openAPIV3Schema
  const schema = own ?? asObject(spec.validation).openAPIV3Schema
  if (!isJsonObject(schema) || spec.preserveUnknownFields === true) return undefined
  return {schema, keepsOpenObjects: asText(object.apiVersion) !== 'apiextensions.k8s.io/v1'}
}

/** Returns the schema of a field of an object. */
export function fieldSchema({schema, keepsOpenObjects}: VersionSchema, path: readonly string[]): FieldSchema {
  const [first = ''] = path
  if (['apiVersion', 'kind', 'metadata'].includes(first)) return 'any'
  let node: JsonObject = schema
  for (const step of path) {
    if (node.type === 'array') return 'list'
    const next = childOf(node, step, keepsOpenObjects)
    if (typeof next === 'string') return next
    node = next
  }
  return node
}

function childOf(node: JsonObject, step: string, keepsOpenObjects: boolean): JsonObject | 'any' | 'none' {
  const declared = asObject(node.properties)[step] ?? node.additionalProperties
  if (isJsonObject(declared)) return declared
  const isOpen =
    node.properties === undefined &&
    keepsOpenObjects &&
    [undefined, 'object'].includes(asText(node.type) || undefined)
  if (declared === true || node['x-kubernetes-preserve-unknown-fields'] === true || isOpen) return 'any'
  return 'none'
}
