import {CORE_SCHEMA, defineScalarTag, intCoreTag, loadAll, NOT_RESOLVED} from 'js-yaml'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {corpusText} from '../corpus.js'

const exactInteger = defineScalarTag(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, isExplicit, tagName) => {
    const value = intCoreTag.resolve(source, isExplicit, tagName)
    return value === NOT_RESOLVED || Number.isSafeInteger(value) ? value : BigInt(source)
  },
})

/**
 * What the original program answered, without what an install set never holds: status, timestamps and nulls (its
 * structs were written whole), finalizers and owner references (a running manager set them, with UIDs).
 */
export function recording(...path: string[]): JsonObject[] {
  return loadAll(corpusText(...path), {schema: CORE_SCHEMA.withTags(exactInteger)})
    .filter(document => document !== null && document !== undefined)
    .map(document => withoutRuntime(document as JsonObject))
}

function withoutRuntime(document: JsonObject): JsonObject {
  const {status: _status, ...rest} = withoutNulls(document) as Record<string, JsonValue>
  const {
    finalizers: _finalizers,
    ownerReferences: _owners,
    ...metadata
  } = rest.metadata as Record<string, JsonValue>
  return {...rest, metadata}
}

/** Nulls in a list mean something (an enum may hold one); nulls of a field are Go's empty values. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => (item === null ? null : withoutNulls(item)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, item]) => item !== null)
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]))
}

/** Documents by API group, kind, namespace and name, so that two lists compare whatever their order. */
export function byIdentity(documents: readonly JsonObject[]): Record<string, JsonObject> {
  const keyed = documents.map(document => {
    const {namespace = '', name = ''} = document.metadata as Record<string, string>
    return [[document.apiVersion, document.kind, namespace, name].map(String).join(' '), document] as const
  })
  if (new Set(keyed.map(([key]) => key)).size !== keyed.length)
    throw new Error('two documents of one identity')
  return Object.fromEntries(keyed)
}
