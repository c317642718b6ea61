import {
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {type GoField, GoStructs, type GoStruct} from './go-structs.js'
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
  readonly knownNames?: readonly string[]
}

export interface TypedValue {
  readonly value: JsonObject
  readonly diagnostics: readonly TypeDiagnostic[]
  /** The places of the numbers and booleans that became strings. */
  readonly converted: readonly FieldPath[]
}

/**
 * `convert` turns numbers and booleans into strings where a string is expected, as ghodss/yaml does; `strict` rejects
 * them. `exact` does too, knows fields in their own case only, as sigs.k8s.io/json does, and writes lists and maps that are
 * absent but always written as null, as Go does.
 */
export type ScalarMode = 'strict' | 'exact' | 'convert'

/**
 * Reads a value as the Go type of that name and writes it back: unknown fields drop out, field names match
 * case-insensitively, quantities become canonical, empty optional fields disappear, and nulls are not written unless the
 * mode is `exact`. Parts that do not change are those of the value.
 */
export function readAs(type: string, types: GoTypes, value: JsonValue, scalars: ScalarMode): TypedValue {
  const reader = {types, scalars, structs: GoStructs.of(types), diagnostics: [], converted: []}
  const {diagnostics, converted} = reader
  return {value: readStruct(reader, type, value, undefined), diagnostics, converted}
}

interface Reader {
  readonly types: GoTypes
  readonly scalars: ScalarMode
  readonly structs: GoStructs
  readonly diagnostics: TypeDiagnostic[]
  readonly converted: FieldPath[]
}

/** The place of a value, undefined for the outermost one: only diagnostics need a whole path. */
type Place = Below | undefined

interface Below {
  readonly around: Place
  readonly step: string | number
}

/** Returns the same object if nothing of it changes, like most. */
function readStruct(reader: Reader, type: string, value: JsonValue, place: Place): JsonObject {
  const struct = reader.structs.named(type)
  const fields = givenFields(reader, struct, value, place)
  for (const field of struct.alwaysWritten) {
    if (!fields.some(presentField => presentField.field === field))
      fields.push({field, value: null, around: place, step: ''})
  }
  fields.sort((a, b) => a.field.index - b.field.index)
  const values = fields.map(presentField => readField(reader, presentField))
  if (isJsonObject(value) && isUnchanged(value, fields, values)) return value
  const out: Record<string, JsonValue> = {}
  for (const [at, {field}] of fields.entries()) {
    const part = values[at]
    if (part !== undefined) out[field.name] = part
  }
  return out
}

function isUnchanged(
  value: JsonObject,
  fields: readonly Given[],
  values: readonly (JsonValue | undefined)[],
): boolean {
  const keys = Object.keys(value)
  return (
    keys.length === fields.length &&
    keys.every((key, at) => fields[at]?.field.name === key && values[at] === value[key])
  )
}

/** A field of a value, which is a place as well. */
interface Given extends Below {
  readonly field: GoField
  readonly value: JsonValue
}

function givenFields(reader: Reader, {fields}: GoStruct, value: JsonValue, around: Place): Given[] {
  const presentFields: Given[] = []
  if (value === null) return presentFields
  if (!isJsonObject(value)) {
    reject(reader, around, 'an object', value)
    return presentFields
  }
  for (const key of Object.keys(value)) {
    const field = fields.get(key)
    if (field === undefined) noteOtherKey(reader, fields, value, {around, step: key}, presentFields)
    else presentFields.push({field, value: value[key] ?? null, around, step: key})
  }
  return presentFields
}

/** Reads a key in a different case than that of its field, or notes that it is ignored. */
function noteOtherKey(
  reader: Reader,
  fields: GoStruct['fields'],
  value: JsonObject,
  place: Below,
  presentFields: Given[],
): void {
  const key = String(place.step)
  const field = reader.scalars === 'exact' ? undefined : inAnotherCase(fields, key)
  if (field === undefined) {
    note(reader, place, 'unknown-field', 'is not a field of this type and is ignored', [...fields.keys()])
  } else if (Object.hasOwn(value, field.name)) {
    note(reader, place, 'field-case', `is ignored: ${field.name} is also set`)
  } else {
    note(reader, place, 'field-case', `is read as ${field.name}: write it that way`)
    const earlier = presentFields.findIndex(entry => entry.field === field)
    presentFields.splice(earlier === -1 ? presentFields.length : earlier, 1, {
      ...place,
      field,
      value: value[key] ?? null,
    })
  }
}

function inAnotherCase(fields: ReadonlyMap<string, GoField>, key: string): GoField | undefined {
  const lower = key.toLowerCase()
  return [...fields.values()].find(({name}) => name.toLowerCase() === lower)
}

function readField(reader: Reader, presentField: Given): JsonValue | undefined {
  const {field, value} = presentField
  if (value === null) return field.isOmittedIfAbsent ? undefined : zeroOf(reader, field.type)
  const read = readValue(reader, field.type, value, presentField)
  return field.isOmittedIfEmpty && read !== undefined && isEmpty(read) ? undefined : read
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
  if (Object.hasOwn(reader.types, type)) return readStruct(reader, type, null, undefined)
  return reader.scalars === 'exact' && /^(?:list|map):/.test(type) ? null : undefined
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === false || value === 0
}

type ReadAs = (reader: Reader, inner: string, value: JsonValue, place: Place) => JsonValue | undefined

/** The reader of each expression with an inner type. */
const COMPOSITES: Readonly<Record<string, ReadAs>> = {
  list: readList,
  map: readMap,
  oneOrList: (reader, inner, value, place) =>
    isJsonArray(value) ? readList(reader, inner, value, place) : readStruct(reader, inner, value, place),
  oneOrBoolean: (reader, inner, value, place) =>
    typeof value === 'boolean' ? value : readStruct(reader, inner, value, place),
  oneOrStrings: (reader, inner, value, place) =>
    isJsonArray(value) ? readList(reader, 'string', value, place) : readStruct(reader, inner, value, place),
}

function readValue(reader: Reader, type: string, value: JsonValue, place: Place): JsonValue | undefined {
  const [outer, inner] = splitType(type)
  const composite = COMPOSITES[outer]
  if (composite !== undefined) return composite(reader, inner, value, place)
  if (Object.hasOwn(reader.types, outer)) return readStruct(reader, outer, value, place)
  return readScalar(reader, outer, value, place)
}

function splitType(type: string): [outer: string, inner: string] {
  const colon = type.indexOf(':')
  return colon === -1 ? [type, ''] : [type.slice(0, colon), type.slice(colon + 1)]
}

function readList(reader: Reader, type: string, value: JsonValue, place: Place): JsonValue | undefined {
  if (!isJsonArray(value)) return reject(reader, place, 'a list', value)
  // A rejected item keeps its place, so that later diagnostics have the right index.
  const read = value.map((item, index) => readItem(reader, type, item, {around: place, step: index}) ?? null)
  return read.every((item, index) => item === value[index]) ? value : read
}

function readMap(reader: Reader, type: string, value: JsonValue, place: Place): JsonValue | undefined {
  if (!isJsonObject(value)) return reject(reader, place, 'a map', value)
  const keys = Object.keys(value)
  const read = keys.map(key => readItem(reader, type, value[key] ?? null, {around: place, step: key}))
  if (keys.every((key, at) => read[at] === value[key])) return value
  return Object.fromEntries(
    keys.flatMap((key, at): [string, JsonValue][] => (read[at] === undefined ? [] : [[key, read[at]]])),
  )
}

/** Go reads null within a list or map as the zero value, which is only meaningful for a string or `any`. */
function readItem(reader: Reader, type: string, item: JsonValue, place: Place): JsonValue | undefined {
  if (item !== null || type === 'any') return readValue(reader, type, item, place)
  return type === 'string' ? '' : reject(reader, place, 'a value', item)
}

type Scalar = (reader: Reader, value: JsonValue, place: Place) => JsonValue | undefined

const SCALARS: Readonly<Record<string, Scalar>> = {
  any: (_reader, value) => value,
  string: readString,
  quantity: readQuantity,
  boolean: (reader, value, place) =>
    typeof value === 'boolean' ? value : reject(reader, place, 'true or false', value),
  integer: (reader, value, place) => (isInteger(value) ? value : reject(reader, place, 'an integer', value)),
  number: (reader, value, place) =>
    isNumber(value) ? Number(value) : reject(reader, place, 'a number', value),
  intOrString: (reader, value, place) =>
    isInteger(value) || typeof value === 'string'
      ? value
      : reject(reader, place, 'an integer or a string', value),
  time: (reader, value, place) =>
    typeof value === 'string' ? value : reject(reader, place, 'a timestamp', value),
}

function readScalar(reader: Reader, type: string, value: JsonValue, place: Place): JsonValue | undefined {
  return SCALARS[type]?.(reader, value, place)
}

function readString(reader: Reader, value: JsonValue, place: Place): JsonValue | undefined {
  if (typeof value === 'string') return value
  const scalar = isNumber(value) || typeof value === 'boolean'
  if (scalar && reader.scalars === 'convert') {
    reader.converted.push(pathOf(place))
    return String(value)
  }
  return reject(reader, place, 'a string', value, scalar ? '; quote it' : '')
}

function readQuantity(reader: Reader, value: JsonValue, place: Place): JsonValue | undefined {
  const text = isNumber(value) ? String(value) : value
  const canonical = typeof text === 'string' ? canonicalQuantity(text) : undefined
  return canonical ?? reject(reader, place, 'a quantity such as 500m or 1Gi', value)
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isInteger(value: JsonValue): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

function reject(reader: Reader, place: Place, requested: string, value: JsonValue, advice = ''): undefined {
  note(reader, place, 'wrong-type', `must be ${requested}, not ${describe(value)}${advice}`)
  return undefined
}

function note(
  reader: Reader,
  place: Place,
  kind: TypeDiagnostic['kind'],
  message: string,
  knownNames?: readonly string[],
): void {
  reader.diagnostics.push({path: pathOf(place), kind, message, knownNames})
}

function pathOf(place: Place): FieldPath {
  const path: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.around) path.push(at.step)
  return path.reverse()
}

function describe(value: JsonValue): string {
  if (value === null) return 'null'
  if (isJsonArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'a string'
  return `${typeof value === 'boolean' ? 'the boolean' : 'the number'} ${String(value)}`
}
