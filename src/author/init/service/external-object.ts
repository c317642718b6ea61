import {listAll, quoted} from '../../../text.js'
import {
  asTexts,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../yaml/json-value.js'

/** The fields of an external object: those that users set, and those that a provider reports. */
export interface ExternalFields {
  readonly forProvider: JsonObject
  readonly atProvider: JsonObject
}

/**
 * Makes schemas of an object as the API of a provider has it. The fields that `$output` names are reported; those that
 * `$optional` names can be omitted. Values become examples.
 */
export function externalFields(object: JsonObject, kind: string): ExternalFields {
  const {$output, $optional, ...fields} = object
  const [outputs, optional] = [asTexts($output), asTexts($optional)]
  const inputs = Object.keys(fields).filter(name => !outputs.includes(name))
  const required = inputs.filter(name => !optional.includes(name)).map(lowerCamelCase)
  return {
    forProvider: {
      type: 'object',
      description: `The parameters of a ${kind}.`,
      properties: properties(Object.fromEntries(inputs.map(name => [name, fields[name] ?? '']))),
      ...(required.length === 0 ? {} : {required}),
    },
    atProvider: {
      type: 'object',
      description: `The state of a ${kind} that the provider reports.`,
      properties: properties(Object.fromEntries(outputs.map(name => [name, fields[name] ?? '']))),
    },
  }
}

/** Returns why an object is none that fields can be made of. */
export function objectProblem(object: JsonObject): string | undefined {
  const {$output, $optional, ...fields} = object
  const inputs = Object.keys(fields)
  const unknown = inputs.find(name => name.startsWith('$'))
  if (unknown !== undefined) return `${quoted(unknown)} is neither "$output" nor "$optional"`
  const lists = {$output, $optional}
  const other = Object.entries(lists).find(([, value]) => value !== undefined && !isListOfTexts(value))
  if (other !== undefined) return `${quoted(other[0])} must be a list of names`
  const missing = asTexts($optional).filter(name => !inputs.includes(name))
  if (missing.length > 0)
    return `"$optional" lists ${listAll(missing.map(quoted))}, which it does not contain`
  const invalid = invalidNames([...new Set([...inputs, ...asTexts($output)])])
  if (invalid.length === 0) return undefined
  return `these names have no different forms in lowerCamelCase: ${listAll(invalid.map(quoted))}`
}

function isListOfTexts(value: JsonValue): boolean {
  return isJsonArray(value) && value.every(item => typeof item === 'string')
}

/** The names that Kubernetes objects cannot have, or have twice. */
function invalidNames(names: readonly string[]): readonly string[] {
  const camel = names.map(lowerCamelCase)
  return names.filter((_, index) => {
    const name = camel[index] ?? ''
    return !/^[a-z][A-Za-z0-9]*$/.test(name) || camel.indexOf(name) !== index
  })
}

/** `fanciness_level` becomes `fancinessLevel`. */
function lowerCamelCase(name: string): string {
  const [first = '', ...words] = name.split(/[^A-Za-z0-9]+/).filter(word => word !== '')
  const start =
    first === first.toUpperCase() ? first.toLowerCase() : first.charAt(0).toLowerCase() + first.slice(1)
  return start + words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function properties(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      lowerCamelCase(name),
      {description: descriptionOf(name), ...schemaOf(value)},
    ]),
  )
}

/** `fanciness_level` becomes `The fanciness level.`; an author improves it. */
function descriptionOf(name: string): string {
  const words = lowerCamelCase(name).replace(/[A-Z]+(?![a-z])|[A-Z]/g, word => ` ${word.toLowerCase()}`)
  return `The ${words.trim()}.`
}

function schemaOf(value: JsonValue): JsonObject {
  if (isJsonArray(value))
    return {type: 'array', items: withoutExample(schemaOf(value[0] ?? '')), example: exampleOf(value)}
  if (isJsonObject(value)) return {type: 'object', properties: properties(value)}
  if (typeof value === 'boolean') return {type: 'boolean', example: value}
  if (typeof value === 'bigint') return {type: 'integer', format: 'int64', example: value}
  if (typeof value === 'number') return {type: Number.isInteger(value) ? 'integer' : 'number', example: value}
  return {type: 'string', ...(value === null || value === '' ? {} : {example: value})}
}

function withoutExample({example: _, ...schema}: JsonObject): JsonObject {
  return schema
}

/** An example with the names of the fields of its schema. */
function exampleOf(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(exampleOf)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [lowerCamelCase(name), exampleOf(field)]),
  )
}
