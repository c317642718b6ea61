import type {JsonObject, JsonValue} from 'kubectl-crossplane/plugin'
import type {TemplateFacts} from '../engines/engine.js'

/** The fields of `spec` that templates read, as a schema, and an example that has them all. */
export interface ReadSchema {
  readonly spec: JsonObject
  readonly example: JsonObject
}

/** A field by its name; without fields of its own, its type is not known. */
interface Field {
  readonly fields: Map<string, Field>
  isList: boolean
  isWhole: boolean
}

/**
 * Makes a schema of the fields of `spec` that templates read. A text does not say of which type a field is: it accepts any,
 * until its author narrows it, but for lists, over which the templates range.
 */
export function readSchema(facts: TemplateFacts['templates']): ReadSchema {
  const root = newField()
  for (const {field, whole} of facts.flatMap(({reads}) => reads)) {
    const [first, ...path] = field
    if (first === 'spec' && path.length > 0) fieldAt(root, path).isWhole ||= whole
  }
  for (const {text} of facts.flatMap(({branches}) => branches)) {
    const [, path] = RANGE.exec(text) ?? []
    if (path !== undefined) fieldAt(root, path.split('.')).isList = true
  }
  return {spec: objectSchema(root), example: exampleOf(root)}
}

/** `range .spec.names`, also with variables: `range $index, $name := .spec.names`. */
const RANGE = /^range\s+(?:[^:]*:=\s*)?\$?\.spec\.([\w.]+)\s*$/

function newField(): Field {
  return {fields: new Map(), isList: false, isWhole: false}
}

function fieldAt(root: Field, path: readonly string[]): Field {
  return path.reduce((parent, name) => {
    const field = parent.fields.get(name) ?? newField()
    parent.fields.set(name, field)
    return field
  }, root)
}

function sorted({fields}: Field): readonly (readonly [string, Field])[] {
  return [...fields].sort(([one], [other]) => (one < other ? -1 : 1))
}

const ANY: JsonObject = {'x-kubernetes-preserve-unknown-fields': true}

function objectSchema(field: Field): JsonObject {
  const properties = Object.fromEntries(sorted(field).map(([name, each]) => [name, schemaOf(each)]))
  // A map that is also printed as a whole can have other fields.
  return {type: 'object', properties, ...(field.isWhole ? ANY : {})}
}

function schemaOf(field: Field): JsonObject {
  if (field.isList) return {type: 'array', items: ANY}
  return field.fields.size === 0 ? ANY : objectSchema(field)
}

function exampleOf(field: Field): JsonObject {
  return Object.fromEntries(
    sorted(field).map(([name, each]): [string, JsonValue] => [name, valueOf(each, name)]),
  )
}

/** The value of a text is the name of its field, as in other examples. */
function valueOf(field: Field, name: string): JsonValue {
  if (field.isList) return []
  return field.fields.size === 0 ? name : exampleOf(field)
}
