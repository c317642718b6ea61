import {asText} from '../yaml/json-value.js'
import {additionalOf, EMBEDDED, INT_OR_STRING, itemsOf, propertiesOf, type Schema} from './schema-node.js'
import type {ObjectType} from './schema-rules.js'

/** The types of a node for the expressions of its rules. */
export interface RuleTypes {
  readonly self: string
  readonly objects: readonly ObjectType[]
}

/**
 * Returns the types of a node as a server gives them to its rules, as far as an expression can name their fields; undefined for
 * a node without a type. A resource has apiVersion, kind and metadata, whether its schema has them or not.
 */
export function ruleTypes(schema: Schema, isResource: boolean, text: string): RuleTypes | undefined {
  const types: Types = {text, objects: []}
  const self = typeOf(schema, isResource, types)
  return self === undefined ? undefined : {self, objects: types.objects}
}

interface Types {
  readonly text: string
  readonly objects: ObjectType[]
}

function typeOf(schema: Schema, isResource: boolean, types: Types): string | undefined {
  if (schema[INT_OR_STRING] === true) return 'dyn'
  const type = asText(schema.type)
  if (type === 'array') return listOf(itemsOf(schema), types)
  if (type === 'object') return objectOf(schema, isResource, types)
  if (type === 'string') return FORMATS.get(asText(schema.format)) ?? 'string'
  return SCALARS.get(type)
}

function partType(schema: Schema, types: Types): string | undefined {
  return typeOf(schema, schema[EMBEDDED] === true, types)
}

function listOf(items: Schema | undefined, types: Types): string | undefined {
  const type = items && partType(items, types)
  return type === undefined ? undefined : `list<${type}>`
}

function objectOf(schema: Schema, isResource: boolean, types: Types): string | undefined {
  const additional = additionalOf(schema)
  if (additional !== undefined) {
    const values = partType(additional, types)
    return values === undefined ? undefined : `map<string, ${values}>`
  }
  const fields = new Map<string, string>()
  for (const [name, property] of [...(isResource ? META : []), ...propertiesOf(schema)]) {
    const names = fieldNames(name).filter(escaped => types.text.includes(escaped))
    if (names.length === 0) continue
    const type = partType(isResource && name === 'metadata' ? METADATA : property, types)
    if (type !== undefined) for (const escaped of names) fields.set(escaped, type)
  }
  const name = `object${types.objects.length + 1}`
  types.objects.push({name, fields: Object.fromEntries(fields)})
  return name
}

const TEXT: Schema = {type: 'string'}
const METADATA: Schema = {type: 'object', properties: {name: TEXT, generateName: TEXT}}
const META: readonly [string, Schema][] = [
  ['apiVersion', TEXT],
  ['kind', TEXT],
  ['metadata', METADATA],
]

const SCALARS: ReadonlyMap<string, string> = new Map([
  ['boolean', 'bool'],
  ['integer', 'int'],
  ['number', 'double'],
])

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['byte', 'bytes'],
  ['duration', 'google.protobuf.Duration'],
  ['date', 'google.protobuf.Timestamp'],
  ['date-time', 'google.protobuf.Timestamp'],
])

/** Words of CEL that can follow a dot as they are, and in the form that was needed before. */
const RESERVED = new Set([
  ...[
    'as',
    'break',
    'const',
    'continue',
    'else',
    'for',
    'function',
    'if',
    'import',
    'let',
    'loop',
    'package',
  ],
  ...['namespace', 'return', 'var', 'void', 'while'],
])
/** Words of CEL for which only that form is read. */
const LITERALS = new Set(['true', 'false', 'null', 'in'])

const ESCAPES: readonly (readonly [RegExp, string])[] = [
  [/__/g, '__underscores__'],
  [/\./g, '__dot__'],
  [/-/g, '__dash__'],
  [/\//g, '__slash__'],
]

/** Returns the names by which rules access a field; none for one that they cannot. */
function fieldNames(name: string): readonly string[] {
  if (LITERALS.has(name)) return [`__${name}__`]
  if (RESERVED.has(name)) return [name, `__${name}__`]
  const escaped = ESCAPES.reduce((text, [from, to]) => text.replace(from, to), name)
  return /^[A-Za-z_]\w*$/.test(escaped) ? [escaped] : []
}
