import {
  asObject,
  asText,
  asTexts,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'
import {LIMITS} from './limits.js'

/** A field of a kind, as its schema has it. */
export interface Field {
  readonly name: string
  /** `spec.list[].name`, `spec.map.*`; as `package compare` writes it. */
  readonly path: string
  /** In the words of `kubectl explain`. */
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  /** Default, limits and other keywords, by name. */
  readonly facts: readonly (readonly [name: string, text: string])[]
  /** Its rules in CEL, with their messages. */
  readonly rules: readonly {readonly rule: string; readonly message: string}[]
  readonly fields: readonly Field[]
}

/** The fields of one version, and how many were left out. */
export interface FieldTree {
  readonly fields: readonly Field[]
  readonly count: number
  readonly omitted: number
  /** Rules of the whole object. */
  readonly rules: Field['rules']
}

/** What was read of a schema so far. */
class Reading {
  count = 0
  omitted = 0

  isFull(): boolean {
    return this.count >= LIMITS.fields
  }

  take(): void {
    this.count += 1
  }

  /** Counts a field and those in it. */
  leaveOut(schema: JsonObject): void {
    this.omitted += 1
    for (const inner of Object.values(asObject(objectIn(schema).holder.properties)))
      this.leaveOut(asObject(inner))
  }
}

/** Reads the fields of a schema, those of each object in the order of their names. */
export function readFields(schema: JsonObject): FieldTree {
  const reading = new Reading()
  const fields = fieldsOf(withStandard(schema), '', 0, reading)
  const {count, omitted} = reading
  return {fields, count, omitted, rules: rulesOf(schema)}
}

/** The API server publishes its fields for each object, whatever the schema says; pages do not repeat them. */
const METADATA: JsonObject = {type: 'object', description: 'Name, namespace, labels and annotations.'}

/** Every object has these. */
const STANDARD: Readonly<Record<string, JsonObject>> = {
  apiVersion: {type: 'string', description: 'API group and version of the object.'},
  kind: {type: 'string', description: 'Kind of the object.'},
  metadata: METADATA,
}

function withStandard(schema: JsonObject): JsonObject {
  const own = Object.entries(asObject(schema.properties)).filter(([name]) => !Object.hasOwn(STANDARD, name))
  return {...schema, properties: Object.fromEntries([...Object.entries(STANDARD), ...own])}
}

/** The API server adds these to an object within another one, and requires its type. */
function embedded(schema: JsonObject): JsonObject {
  return {
    ...withStandard(schema),
    required: [...new Set(['apiVersion', 'kind', ...asTexts(schema.required)])],
  }
}

function fieldsOf(schema: JsonObject, path: string, depth: number, reading: Reading): readonly Field[] {
  const {holder: own, step} = objectIn(schema)
  const holder = own['x-kubernetes-embedded-resource'] === true ? embedded(own) : own
  const at = `${path}${step}`
  const required = new Set(asTexts(holder.required))
  const entries = Object.entries(asObject(holder.properties))
  if (depth >= LIMITS.depth) {
    for (const [, value] of entries) reading.leaveOut(asObject(value))
    return []
  }
  const fields: Field[] = []
  for (const [name, value] of entries.sort(byName)) {
    if (reading.isFull()) reading.leaveOut(asObject(value))
    else fields.push(fieldOf(name, {value, at, isRequired: required.has(name), depth}, reading))
  }
  return fields
}

interface Placed {
  readonly value: JsonValue
  readonly at: string
  readonly isRequired: boolean
  readonly depth: number
}

function fieldOf(name: string, {value, at, isRequired, depth}: Placed, reading: Reading): Field {
  reading.take()
  const schema = asObject(value)
  const path = at === '' ? name : `${at}.${name}`
  return {
    ...{name, path, isRequired},
    type: typeOf(schema),
    description: descriptionOf(unwrapped(asText(schema.description).trim())),
    facts: factsOf(schema),
    rules: rulesOf(schema),
    fields: fieldsOf(schema, path, depth + 1, reading),
  }
}

/** Joins the lines of paragraphs that authors wrapped in their sources; lists, and lines that end early, stay lines. */
function unwrapped(text: string): string {
  return text.replace(/^(.{49,}[^:\n])\n(?![-*+#|>\s]|\d+[.)]|$)/gm, '$1 ')
}

function descriptionOf(text: string): string {
  return text.length <= LIMITS.description
    ? text
    : `${text.slice(0, LIMITS.description)}… (the end of the description is not shown)`
}

function byName([a]: readonly [string, JsonValue], [b]: readonly [string, JsonValue]): number {
  return a < b ? -1 : 1
}

/** Returns the schema of an object that holds fields: of items and values, with the steps to them. */
function objectIn(schema: JsonObject): {readonly holder: JsonObject; readonly step: string} {
  let [holder, step] = [schema, '']
  for (let level = 0; level < LIMITS.depth; level += 1) {
    const [inner, next] = innerOf(holder)
    if (inner === undefined) break
    holder = inner
    step += next
  }
  return {holder, step}
}

function innerOf({
  items,
  additionalProperties,
  properties,
}: JsonObject): readonly [JsonObject | undefined, string] {
  if (items !== undefined) return [asObject(items), '[]']
  if (properties === undefined && additionalProperties !== undefined)
    return [asObject(additionalProperties), '.*']
  return [undefined, '']
}

/** Returns the type of a schema as `kubectl explain` writes it. */
function typeOf(schema: JsonObject, depth = 0): string {
  if (schema === METADATA) return 'ObjectMeta'
  if (depth > LIMITS.depth) return 'Object'
  const [inner, step] = innerOf(schema)
  if (inner !== undefined) return `${step === '[]' ? '[]' : 'map[string]'}${typeOf(inner, depth + 1)}`
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string'
  const type = asText(schema.type)
  return type === 'object' || type === '' ? 'Object' : type
}

const LIMIT_WORDS: readonly (readonly [keyword: string, words: string])[] = [
  ['minimum', 'minimum'],
  ['maximum', 'maximum'],
  ['multipleOf', 'multiple of'],
  ['minLength', 'minimum length'],
  ['maxLength', 'maximum length'],
  ['minItems', 'minimum items'],
  ['maxItems', 'maximum items'],
  ['minProperties', 'minimum properties'],
  ['maxProperties', 'maximum properties'],
  ['format', 'format'],
  ['pattern', 'pattern'],
  ['x-kubernetes-list-type', 'list type'],
]

function factsOf(schema: JsonObject): Field['facts'] {
  const values = isJsonArray(schema.enum) ? schema.enum : []
  const keys = asTexts(schema['x-kubernetes-list-map-keys'])
  const limits = LIMIT_WORDS.flatMap(([keyword, words]) => {
    const value = schema[keyword]
    return value === undefined ? [] : [[words, typeof value === 'string' ? value : jsonText(value)] as const]
  })
  const texts = ['default', 'example'].flatMap(keyword => {
    const value = schema[keyword]
    return value === undefined ? [] : [[keyword, jsonText(value)] as const]
  })
  return [
    ...texts,
    ...(values.length === 0 ? [] : [['one of', enumText(values)] as const]),
    ...limits,
    ...FLAG_WORDS.flatMap(([keyword, words, text]) =>
      schema[keyword] === true ? [[words, text] as const] : [],
    ),
    ...(keys.length === 0 ? [] : [['key', keys.join(', ')] as const]),
  ]
}

const FLAG_WORDS: readonly (readonly [keyword: string, words: string, text: string])[] = [
  ['exclusiveMinimum', 'minimum itself', 'excluded'],
  ['exclusiveMaximum', 'maximum itself', 'excluded'],
  ['uniqueItems', 'items', 'unique'],
  ['nullable', 'null', 'accepted'],
  ['x-kubernetes-preserve-unknown-fields', 'other fields', 'accepted'],
]

function enumText(values: readonly JsonValue[]): string {
  const texts = values.slice(0, LIMITS.values).map(jsonText)
  return `${texts.join(', ')}${values.length > texts.length ? `, and ${values.length - texts.length} more` : ''}`
}

function jsonText(value: JsonValue): string {
  return exactJson(value).slice(0, LIMITS.description)
}

/** As `JSON.stringify`, which has no integers of 64 bits. */
function exactJson(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (isJsonArray(value)) return `[${value.map(exactJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${exactJson(inner)}`)
    .join(',')}}`
}

function rulesOf(schema: JsonObject): Field['rules'] {
  const rules = schema['x-kubernetes-validations']
  if (!isJsonArray(rules)) return []
  return rules.map(asObject).map(({rule, message}) => ({rule: asText(rule), message: asText(message)}))
}
