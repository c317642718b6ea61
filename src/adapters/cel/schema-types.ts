import type {Environment} from '@marcbachmann/cel-js'
import {asText} from '../../yaml/json-value.js'
import {
  additionalOf,
  EMBEDDED,
  INT_OR_STRING,
  itemsOf,
  propertiesOf,
  type Schema,
} from '../../crd/schema-node.js'

/** Declares the types of a schema in an environment, as a server does, as far as one text can name their fields. */
export class SchemaTypes {
  readonly #environment: Environment
  readonly #text: string
  #count = 0

  constructor(environment: Environment, text: string) {
    this.#environment = environment
    this.#text = text
  }

  /**
   * Returns the name of a node's type; undefined for a node without one, whose value rules cannot name. A resource has
   * apiVersion, kind and metadata, whether its schema has them or not.
   */
  typeOf(schema: Schema, isResource = schema[EMBEDDED] === true): string | undefined {
    if (schema[INT_OR_STRING] === true) return 'dyn'
    switch (asText(schema.type)) {
      case 'array':
        return this.#listOf(itemsOf(schema))
      case 'object':
        return this.#objectOf(schema, isResource)
      case 'string':
        return FORMATS.get(asText(schema.format)) ?? 'string'
      default:
        return SCALARS.get(asText(schema.type))
    }
  }

  #listOf(items: Schema | undefined): string | undefined {
    const type = items && this.typeOf(items)
    return type === undefined ? undefined : `list<${type}>`
  }

  #objectOf(schema: Schema, isResource: boolean): string | undefined {
    const additional = additionalOf(schema)
    if (additional !== undefined) {
      const values = this.typeOf(additional)
      return values === undefined ? undefined : `map<string, ${values}>`
    }
    const fields = new Map<string, string>()
    for (const [name, property] of [...(isResource ? META : []), ...propertiesOf(schema)]) {
      const names = fieldNames(name).filter(escaped => this.#text.includes(escaped))
      if (names.length === 0) continue
      const type = this.typeOf(isResource && name === 'metadata' ? METADATA : property)
      if (type !== undefined) for (const escaped of names) fields.set(escaped, type)
    }
    this.#count += 1
    const name = `object${this.#count}`
    this.#environment.registerType(name, {fields: Object.fromEntries(fields)})
    this.#environment.registerOperator(`${name} == ${name}`, () => true)
    return name
  }
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
