import {
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {canonicalQuantity} from './quantity.js'

/**
 * Defines how Go's encoding/json reads and writes a set of struct types, and so how every Kubernetes tool reads a
 * file. Each type maps its field names to a type expression: `string`, `boolean`, `integer`, `number`, `any`, `time`,
 * `quantity`, `intOrString`, `list:T`, `map:T`, `oneOrList:T`, `oneOrBoolean:T`, `oneOrStrings:T` or the name of
 * another type. A trailing `?` omits the field if it is empty, `*` if it is absent; without either it is always
 * written.
 */
export type GoTypes = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A value that its type rejects, or a field that its type does not know. */
export interface TypeDiagnostic {
  readonly path: FieldPath
  readonly kind: 'wrong-type' | 'unknown-field' | 'field-case'
  readonly message: string
  /** The fields of the type, for an unknown one. */
  readonly known?: readonly string[]
}

export interface TypedValue {
  readonly value: JsonObject
  readonly diagnostics: readonly TypeDiagnostic[]
}

/** `convert` turns numbers and booleans into strings where a string is expected, as ghodss/yaml does; `strict` rejects them. */
export type ScalarMode = 'strict' | 'convert'

/**
 * Reads a value as the Go type of that name and writes it back: unknown fields drop out, field names match
 * case-insensitively, quantities become canonical, empty optional fields disappear, and nulls are never written.
 */
export function readAs(type: string, types: GoTypes, value: JsonValue, scalars: ScalarMode): TypedValue {
  const reader = {types, scalars, diagnostics: []}
  return {value: readStruct(reader, type, value, []), diagnostics: reader.diagnostics}
}

interface Reader {
  readonly types: GoTypes
  readonly scalars: ScalarMode
  readonly diagnostics: TypeDiagnostic[]
}

function readStruct(reader: Reader, type: string, value: JsonValue, path: FieldPath): JsonObject {
  const fields = reader.types[type] ?? {}
  const given = objectFields(reader, fields, value, path)
  const out: Record<string, JsonValue> = {}
  for (const [name, expression] of Object.entries(fields)) {
    const source = given.get(name)
    const written = readField(reader, expression, source?.value, source?.path ?? [...path, name])
    if (written !== undefined) out[name] = written
  }
  return out
}

interface GivenField {
  readonly path: FieldPath
  readonly value: JsonValue
}

function objectFields(
  reader: Reader,
  fields: Readonly<Record<string, string>>,
  value: JsonValue,
  path: FieldPath,
): Map<string, GivenField> {
  const given = new Map<string, GivenField>()
  if (value === null) return given
  if (!isJsonObject(value)) {
    reject(reader, path, 'an object', value)
    return given
  }
  const known = Object.keys(fields)
  for (const key of Object.keys(value)) {
    const name = Object.hasOwn(fields, key) ? key : matchingCase(fields, key)
    const field = {path: [...path, key], value: value[key] ?? null}
    if (name === undefined)
      note(reader, field.path, 'unknown-field', 'is not a field of this type and is ignored', known)
    else if (name === key) given.set(name, field)
    else if (Object.hasOwn(value, name))
      note(reader, field.path, 'field-case', `is ignored: ${name} is given too`)
    else {
      note(reader, field.path, 'field-case', `is read as ${name}: write it that way`)
      given.set(name, field)
    }
  }
  return given
}

function matchingCase(fields: Readonly<Record<string, string>>, key: string): string | undefined {
  const lower = key.toLowerCase()
  return Object.keys(fields).find(name => name.toLowerCase() === lower)
}

function readField(
  reader: Reader,
  expression: string,
  value: JsonValue | undefined,
  path: FieldPath,
): JsonValue | undefined {
  const optional = expression.endsWith('?')
  const pointer = expression.endsWith('*')
  const type = optional || pointer ? expression.slice(0, -1) : expression
  if (value === undefined || value === null) return optional || pointer ? undefined : zeroOf(reader, type)
  const read = readValue(reader, type, value, path)
  return optional && read !== undefined && isEmpty(read) ? undefined : read
}

const SCALAR_ZEROS: Readonly<Record<string, JsonValue>> = {
  string: '',
  boolean: false,
  integer: 0,
  number: 0,
  intOrString: 0,
  quantity: '0',
}

function zeroOf(reader: Reader, type: string): JsonValue | undefined {
  if (Object.hasOwn(SCALAR_ZEROS, type)) return SCALAR_ZEROS[type]
  return Object.hasOwn(reader.types, type) ? readStruct(reader, type, null, []) : undefined
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === false || value === 0
}

type ReadAs = (reader: Reader, inner: string, value: JsonValue, path: FieldPath) => JsonValue | undefined

/** The reader of each expression with an inner type. */
const COMPOSITES: Readonly<Record<string, ReadAs>> = {
  list: readList,
  map: readMap,
  oneOrList: (reader, inner, value, path) =>
    isJsonArray(value) ? readList(reader, inner, value, path) : readStruct(reader, inner, value, path),
  oneOrBoolean: (reader, inner, value, path) =>
    typeof value === 'boolean' ? value : readStruct(reader, inner, value, path),
  oneOrStrings: (reader, inner, value, path) =>
    isJsonArray(value) ? readList(reader, 'string', value, path) : readStruct(reader, inner, value, path),
}

function readValue(reader: Reader, type: string, value: JsonValue, path: FieldPath): JsonValue | undefined {
  const [outer, inner] = splitType(type)
  const composite = COMPOSITES[outer]
  if (composite !== undefined) return composite(reader, inner, value, path)
  if (Object.hasOwn(reader.types, outer)) return readStruct(reader, outer, value, path)
  return readScalar(reader, outer, value, path)
}

function splitType(type: string): [outer: string, inner: string] {
  const colon = type.indexOf(':')
  return colon === -1 ? [type, ''] : [type.slice(0, colon), type.slice(colon + 1)]
}

function readList(reader: Reader, type: string, value: JsonValue, path: FieldPath): JsonValue | undefined {
  if (!isJsonArray(value)) return reject(reader, path, 'a list', value)
  // A rejected item keeps its place, so that later diagnostics have the right index.
  return value.map((item, index) => readItem(reader, type, item, [...path, index]) ?? null)
}

function readMap(reader: Reader, type: string, value: JsonValue, path: FieldPath): JsonValue | undefined {
  if (!isJsonObject(value)) return reject(reader, path, 'a map', value)
  const entries = Object.keys(value).flatMap(key => {
    const read = readItem(reader, type, value[key] ?? null, [...path, key])
    return read === undefined ? [] : [[key, read] as const]
  })
  return Object.fromEntries(entries)
}

/** Go reads null within a list or map as the zero value, which is only meaningful for a string or `any`. */
function readItem(reader: Reader, type: string, item: JsonValue, path: FieldPath): JsonValue | undefined {
  if (item !== null || type === 'any') return readValue(reader, type, item, path)
  return type === 'string' ? '' : reject(reader, path, 'a value', item)
}

type Scalar = (reader: Reader, value: JsonValue, path: FieldPath) => JsonValue | undefined

const SCALARS: Readonly<Record<string, Scalar>> = {
  any: (_reader, value) => value,
  string: readString,
  quantity: readQuantity,
  boolean: (reader, value, path) =>
    typeof value === 'boolean' ? value : reject(reader, path, 'true or false', value),
  integer: (reader, value, path) => (isInteger(value) ? value : reject(reader, path, 'an integer', value)),
  number: (reader, value, path) =>
    isNumber(value) ? Number(value) : reject(reader, path, 'a number', value),
  intOrString: (reader, value, path) =>
    isInteger(value) || typeof value === 'string'
      ? value
      : reject(reader, path, 'an integer or a string', value),
  time: (reader, value, path) =>
    typeof value === 'string' ? value : reject(reader, path, 'a timestamp', value),
}

function readScalar(reader: Reader, type: string, value: JsonValue, path: FieldPath): JsonValue | undefined {
  return SCALARS[type]?.(reader, value, path)
}

function readString(reader: Reader, value: JsonValue, path: FieldPath): JsonValue | undefined {
  if (typeof value === 'string') return value
  const scalar = isNumber(value) || typeof value === 'boolean'
  if (scalar && reader.scalars === 'convert') return String(value)
  return reject(reader, path, 'a string', value, scalar ? '; quote it' : '')
}

function readQuantity(reader: Reader, value: JsonValue, path: FieldPath): JsonValue | undefined {
  const text = isNumber(value) ? String(value) : value
  const canonical = typeof text === 'string' ? canonicalQuantity(text) : undefined
  return canonical ?? reject(reader, path, 'a quantity such as 500m or 1Gi', value)
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isInteger(value: JsonValue): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

function reject(
  reader: Reader,
  path: FieldPath,
  requested: string,
  value: JsonValue,
  advice = '',
): undefined {
  note(reader, path, 'wrong-type', `must be ${requested}, not ${describe(value)}${advice}`)
  return undefined
}

function note(
  reader: Reader,
  path: FieldPath,
  kind: TypeDiagnostic['kind'],
  message: string,
  known?: readonly string[],
): void {
  reader.diagnostics.push({path, kind, message, known})
}

function describe(value: JsonValue): string {
  if (value === null) return 'null'
  if (isJsonArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'a string'
  return `${typeof value === 'boolean' ? 'the boolean' : 'the number'} ${String(value)}`
}
