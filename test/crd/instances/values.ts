import {
  asObject,
  asText,
  asTexts,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'

/** A place of the whole instance, with the schema that describes it. */
export interface Place {
  readonly path: FieldPath
  readonly schema: JsonObject
}

export const INT_OR_STRING = 'x-kubernetes-int-or-string'
const EMBEDDED = 'x-kubernetes-embedded-resource'
/** What Kubernetes itself describes, whatever the schema of a CRD says of it. */
const OWN = ['apiVersion', 'kind', 'metadata']
/** The one entry of every map. */
const KEY = 'key'

const RESOURCE: JsonObject = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}}

/** The fields of an object that the CRD, and not Kubernetes, describes. */
function fieldsOf(schema: JsonObject, isResource: boolean): [string, JsonObject][] {
  const named = Object.entries(asObject(schema.properties)).map(([name, part]): [string, JsonObject] => [
    name,
    asObject(part),
  ])
  return isResource ? named.filter(([name]) => !OWN.includes(name)) : named
}

/** Whether an object schema describes no fields, so that its content is a payload. */
export function isPayload(schema: JsonObject): boolean {
  return schema.type === 'object' && schema.properties === undefined && !isMap(schema)
}

/** Whether a value is a resource of whatever kind, and so a payload too. */
export function isEmbedded(schema: JsonObject): boolean {
  return schema[EMBEDDED] === true
}

function isMap({additionalProperties}: JsonObject): boolean {
  return isJsonObject(additionalProperties)
}

/** A body that the schema allows, with every field that it names and that payload wherever it names none. */
export function fullBody(schema: JsonObject, payload: JsonObject = RESOURCE): JsonObject {
  return withoutOwn(asObject(valueOf(schema, true, payload)))
}

/** A body that the schema allows, with no field that it does not demand. */
export function leastBody(schema: JsonObject): JsonObject {
  return withoutOwn(asObject(valueOf(schema, false, RESOURCE)))
}

function withoutOwn(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !OWN.includes(name)))
}

/** Undefined where there is none: a real schema has texts that must be true or false. */
function valueOf(schema: JsonObject, full: boolean, payload: JsonObject): JsonValue | undefined {
  if (isJsonArray(schema.enum)) return schema.enum.find(value => isText(value))
  const type = typeOf(schema)
  const scalar = SCALARS[type]
  if (scalar !== undefined) return scalar(schema)
  if (type !== 'array') return objectOf(schema, full, payload)
  return full ? [valueOf(asObject(schema.items), full, payload) ?? null] : []
}

const numberOf = ({minimum, maximum}: JsonObject): number => Number(minimum ?? maximum ?? 1)

const SCALARS: Readonly<Record<string, (schema: JsonObject) => JsonValue>> = {
  string: textOf,
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
}

/** All enums of the corpus are of texts. */
export function isText(value: JsonValue): boolean {
  return typeof value === 'string'
}

export function typeOf(schema: JsonObject): string {
  return schema[INT_OR_STRING] === true ? 'integer' : asText(schema.type)
}

const TEXTS: Readonly<Record<string, string>> = {'date-time': '2020-01-01T00:00:00Z', byte: 'YQ=='}

/** All patterns of the corpus allow small letters. */
function textOf({format}: JsonObject): string {
  return TEXTS[asText(format)] ?? 'abc'
}

function objectOf(schema: JsonObject, full: boolean, payload: JsonObject): JsonObject {
  if (isEmbedded(schema)) return payload
  if (isPayload(schema)) return full ? payload : {}
  const additional = schema.additionalProperties
  if (isJsonObject(additional)) return full ? {[KEY]: valueOf(additional, full, payload) ?? null} : {}
  const required = asTexts(schema.required)
  const requested = fieldsOf(schema, false).filter(([name]) => full || required.includes(name))
  return Object.fromEntries(
    requested.flatMap(([name, part]) => {
      const value = valueOf(part, full, payload)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Every place that the fullest value has, the deepest included; what is in a payload is no place. */
export function placesIn(schema: JsonObject, path: FieldPath = []): Place[] {
  const {items, additionalProperties} = schema
  const below: [string | number, JsonObject][] = [
    ...(isEmbedded(schema) ? [] : fieldsOf(schema, path.length === 0)),
    ...(isJsonObject(items) ? [[0, items] satisfies [number, JsonObject]] : []),
    ...(isJsonObject(additionalProperties)
      ? [[KEY, additionalProperties] satisfies [string, JsonObject]]
      : []),
  ]
  return [{path, schema}, ...below.flatMap(([step, part]) => placesIn(part, [...path, step]))]
}

/** The value with that one in its place; every step before the last is there. */
export function withAt(whole: JsonValue, path: FieldPath, value: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (isJsonArray(whole)) return whole.map((each, i) => (i === step ? withAt(each, rest, value) : each))
  const object = asObject(whole)
  return {...object, [step]: withAt(object[step] ?? null, rest, value)}
}

export function at(whole: JsonValue, path: FieldPath): JsonValue {
  return path.reduce<JsonValue>(
    (value, step) =>
      (typeof step === 'number' ? (isJsonArray(value) ? value[step] : null) : asObject(value)[step]) ?? null,
    whole,
  )
}
