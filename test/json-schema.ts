import {readFileSync} from 'node:fs'
import {join} from 'node:path'

const FOLDER = join(import.meta.dirname, '../docs/schemas')

/** The schema of a kind of document, such as `plan`. */
export function schemaOf(name: string): JsonSchema {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.v1alpha1.json`), 'utf8')) as JsonSchema
}

/** The part of JSON Schema (draft 7) that our own schemas use; another keyword in one of them is an error of its own. */
export interface JsonSchema {
  readonly $ref?: string
  readonly oneOf?: readonly JsonSchema[]
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  /** Of a map: what each of its values is. */
  readonly additionalProperties?: JsonSchema | false
  readonly definitions?: Readonly<Record<string, JsonSchema>>
  readonly title?: string
  readonly description?: string
}

const KEYWORDS = new Set([
  ...['$schema', '$id', 'title', 'description', 'definitions', '$ref', 'type', 'enum', 'minimum', 'items'],
  ...['required', 'properties', 'additionalProperties', 'oneOf'],
])

/**
 * What is wrong with a value, as `path: reason`; empty if it is what the schema says. Where the schema names properties
 * another one is wrong, too: readers must take what is added later, and we must describe it.
 */
export function schemaViolations(schema: JsonSchema, value: unknown): string[] {
  return check(schema, value, '$')

  function check(given: JsonSchema, part: unknown, path: string): string[] {
    const at = resolve(schema, given)
    const unknown = Object.keys(at).filter(keyword => !KEYWORDS.has(keyword))
    if (unknown.length > 0) throw new Error(`the schema of ${path} uses ${unknown.join(', ')}`)
    if (at.oneOf !== undefined) return checkOne(at.oneOf, part, path)
    const problem = problemOf(at, part)
    if (problem !== undefined) return [`${path}: ${problem}`]
    if (Array.isArray(part))
      return part.flatMap((item, index) => check(at.items ?? {}, item, `${path}[${index}]`))
    if (typeof part !== 'object' || part === null) return []
    return checkObject(at, part as Record<string, unknown>, path)
  }

  /** The reasons of the one that comes nearest, unless exactly one fits. */
  function checkOne(choices: readonly JsonSchema[], part: unknown, path: string): string[] {
    const tried = choices.map(each => check(each, part, path)).sort((a, b) => a.length - b.length)
    const fits = tried.filter(problems => problems.length === 0).length
    return fits > 1 ? [`${path}: fits ${fits} of what it may be one of`] : (tried[0] ?? [])
  }

  function checkObject(at: JsonSchema, part: Record<string, unknown>, path: string): string[] {
    const {properties, required = [], additionalProperties} = at
    if (typeof additionalProperties === 'object') {
      return Object.entries(part).flatMap(([name, value]) =>
        check(additionalProperties, value, `${path}.${name}`),
      )
    }
    if (properties === undefined) return []
    const missing = required.filter(name => !(name in part)).map(name => `${path}.${name}: is missing`)
    const others = Object.keys(part).filter(name => !(name in properties))
    return [
      ...missing,
      ...others.map(name => `${path}.${name}: is not in the schema`),
      ...Object.entries(properties).flatMap(([name, property]) =>
        name in part ? check(property, part[name], `${path}.${name}`) : [],
      ),
    ]
  }
}

function problemOf({type, enum: values, minimum}: JsonSchema, value: unknown): string | undefined {
  if (type !== undefined && !hasType(type, value)) return `is no ${type}`
  if (values !== undefined && !values.includes(value)) return `is none of ${values.join(', ')}`
  return minimum !== undefined && Number(value) < minimum ? `is below ${minimum}` : undefined
}

/** Paths of what a schema names and does not describe. */
export function undescribed(schema: JsonSchema): string[] {
  const places = {...schema.definitions, [schema.title ?? '$']: schema}
  return Object.entries(places).flatMap(([place, {properties = {}, description = ''}]) => [
    ...(description.length < 5 ? [place] : []),
    ...Object.entries(properties).flatMap(([name, property]) =>
      (resolve(schema, property).description ?? '').length < 5 ? [`${place}.${name}`] : [],
    ),
  ])
}

/** The schema itself, or the definition that it refers to. */
export function resolve(root: JsonSchema, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  const definition = root.definitions?.[schema.$ref.replace('#/definitions/', '')]
  if (definition === undefined) throw new Error(`the schema has no ${schema.$ref}`)
  return definition
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
