import type {JsonObject} from '../../../yaml/json-value.js'
import type {KnownKind} from '../known-kinds.js'

const TEXTS = {type: 'object', additionalProperties: {type: 'string'}}
const ENCODED = {type: 'object', additionalProperties: {type: 'string', format: 'byte'}}
const OWN = {apiVersion: {type: 'string'}, kind: {type: 'string'}, metadata: {type: 'object'}}

function kindOf(fields: JsonObject): KnownKind {
  return {
    schema: {type: 'object', properties: {...OWN, ...fields}},
    ...{isNamespaced: true, hasStatus: false, isStored: true},
  }
}

const IMMUTABLE = {type: 'boolean'}
const KINDS: Readonly<Record<string, KnownKind>> = {
  ConfigMap: kindOf({data: TEXTS, binaryData: ENCODED, immutable: IMMUTABLE}),
  Secret: kindOf({data: ENCODED, stringData: TEXTS, type: {type: 'string'}, immutable: IMMUTABLE}),
}

/** Returns the kinds of Kubernetes that Compositions fill with values most often. */
export function builtinSchemaOf(apiVersion: string, kind: string): KnownKind | undefined {
  return apiVersion === 'v1' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
}
