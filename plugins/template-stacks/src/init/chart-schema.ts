import {
  asObject,
  asTexts,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'
import {OPEN} from './json-schema.js'

/** The values of a chart, as far as they describe what its users can set. */
export interface ChartValues {
  /** The content of values.yaml; empty if there is none. */
  readonly values: JsonObject
  /** The comment above the key at that path, without its marks; undefined if there is none. */
  readonly commentAt: (path: readonly string[]) => string | undefined
  /** The content of values.schema.json as a structural schema. */
  readonly schema?: JsonObject
  /** Names under which the values of its subcharts are set. */
  readonly subcharts: readonly string[]
}

/** A value that templates or Chart.yaml read, by its path. */
type ReadValue = readonly string[]

/** What only an engine knows of a chart. */
export interface ReadValues {
  readonly reads: readonly ReadValue[]
  /** The values of values.yaml with those of subcharts, and with those that the chart imports from them. */
  readonly defaults: JsonObject
}

/**
 * Returns the schema of `spec`, which accepts and keeps what Helm accepts. Only values.schema.json restricts values: a
 * default is an example, and neither it nor a template tells `8080` from `"8080"`, or a text from a map that is printed. The
 * others name fields, with their comments. Defaults stay in the chart; with null, Helm removes one.
 */
export function chartSchema(chart: ChartValues, {reads, defaults}: ReadValues): JsonObject {
  const root = fieldOf(chart.values, [], chart.commentAt)
  for (const path of reads) addRead(root, path)
  for (const name of chart.subcharts) addField(root, name)
  const described = openSchema(root, defaults)
  const {nullable: _nullable, ...schema} =
    chart.schema === undefined ? described : joined(chart.schema, described, defaults)
  const properties = Object.entries(asObject(schema.properties)).map(([name, field]) => [
    name,
    chart.subcharts.includes(name) ? subchart(asObject(field)) : field,
  ])
  return {
    type: 'object',
    ...schema,
    ...(properties.length === 0 ? {} : {properties: Object.fromEntries(properties) as JsonObject}),
    ...withoutSubcharts(schema, chart.subcharts),
  }
}

/** Helm gives each subchart its values, whether a user sets any or not. */
function withoutSubcharts({required}: JsonObject, subcharts: readonly string[]): JsonObject {
  return required === undefined ? {} : {required: asTexts(required).filter(name => !subcharts.includes(name))}
}

/** A field of the values, with those below it. */
interface Field {
  readonly description?: string
  /** Whether values.yaml has it. */
  readonly isDefault: boolean
  /** A value that has no fields, such as a text. */
  readonly isLeaf: boolean
  readonly fields: Map<string, Field>
  /** The fields of all items together. */
  readonly items?: Field
}

function fieldOf(value: JsonValue, path: readonly string[], commentAt: ChartValues['commentAt']): Field {
  const description = path.length === 0 ? undefined : commentAt(path)
  const field = {isDefault: true, ...(description === undefined ? {} : {description})}
  if (isJsonArray(value)) {
    const items = value.filter(isJsonObject).map(item => fieldOf(item, [...path, '*'], commentAt))
    const fields = new Map(items.flatMap(item => [...item.fields]))
    const all: Field = {isDefault: false, isLeaf: false, fields}
    return {...field, isLeaf: true, fields: new Map(), ...(fields.size === 0 ? {} : {items: all})}
  }
  const entries = isJsonObject(value) ? Object.entries(value) : []
  return {
    ...field,
    isLeaf: value !== null && !isJsonObject(value),
    fields: new Map(entries.map(([name, part]) => [name, fieldOf(part, [...path, name], commentAt)])),
  }
}

function addField({fields}: Field, name: string): Field {
  const field = fields.get(name) ?? {isDefault: false, isLeaf: false, fields: new Map<string, Field>()}
  fields.set(name, field)
  return field
}

function addRead(root: Field, path: ReadValue): void {
  let field = root
  for (const name of path) {
    if (field.isLeaf) return
    field = addField(field, name)
  }
}

/** A server removes null from a field that is not nullable: Helm would use the default, also that of a subchart. */
function openSchema(
  {description, isDefault, fields, items}: Field,
  defaults: JsonValue | undefined,
): JsonObject {
  const properties = [...fields].map(([name, field]) => [name, openSchema(field, valueIn(defaults, name))])
  return {
    ...(description === undefined ? {} : {description}),
    ...(isDefault || defaults !== undefined ? {nullable: true} : {}),
    ...OPEN,
    ...(properties.length === 0 ? {} : {properties: Object.fromEntries(properties) as JsonObject}),
    ...(items === undefined ? {} : {items: openSchema(items, undefined)}),
  }
}

/** The values of a subchart are a map, which has defaults in that chart; the schema of the chart around it may require them. */
function subchart({required: _required, ...field}: JsonObject): JsonObject {
  return {...field, type: 'object', nullable: true, ...OPEN}
}

/**
 * Returns what values.schema.json declares, with the fields and comments that only the second has. Fields with a default are
 * not required, and null, with which Helm removes the default, is one of their values.
 */
function joined(declared: JsonObject, second: JsonObject, defaults: JsonValue | undefined): JsonObject {
  const isDefault = second.nullable === true || defaults !== undefined
  const first = described(isDefault ? nullable(declared) : declared, second)
  if (isJsonObject(first.additionalProperties)) return withRemovableKeys(first, second, defaults)
  if (!canHaveFields(first)) return first
  const {required, ...rest} = first
  const names = asTexts(required).filter(name => !hasField(defaults, name) && !isDefaultOf(second, name))
  const properties = propertiesOf(first, second, defaults)
  return {
    ...rest,
    ...(names.length === 0 ? {} : {required: names}),
    ...(Object.keys(properties).length === 0 ? {} : {properties}),
  }
}

function described(first: JsonObject, {description}: JsonObject): JsonObject {
  return first.description !== undefined || description === undefined ? first : {description, ...first}
}

/** An object, or a value that can be one. */
function canHaveFields(schema: JsonObject): boolean {
  return schema.type === 'object' || (schema.type === undefined && isOpen(schema))
}

function isOpen(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true
}

function propertiesOf(first: JsonObject, second: JsonObject, defaults: JsonValue | undefined): JsonObject {
  const [own, further] = [asObject(first.properties), asObject(second.properties)]
  const isAccepted = (name: string) => isOpen(first) || isDefaultOf(second, name)
  const names = new Set([...Object.keys(further).filter(isAccepted), ...Object.keys(own)])
  const properties = [...names].map(name => {
    const [declared, open] = [own[name], further[name]]
    if (declared === undefined) return [name, open]
    return [name, joined(asObject(declared), asObject(open), valueIn(defaults, name))]
  })
  return Object.fromEntries(properties) as JsonObject
}

function hasField(value: JsonValue | undefined, name: string): boolean {
  return valueIn(value, name) !== undefined
}

function valueIn(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function isDefaultOf(second: JsonObject, name: string): boolean {
  return asObject(asObject(second.properties)[name]).nullable === true
}

/** Keys of a map that have a default in the chart can be null, so all can. */
function withRemovableKeys(map: JsonObject, second: JsonObject, defaults: JsonValue | undefined): JsonObject {
  const isEmpty = second.properties === undefined && Object.keys(asObject(defaults)).length === 0
  return isEmpty ? map : {...map, additionalProperties: nullable(asObject(map.additionalProperties))}
}

/** For an API server, null is never one of an enum; but it does not compare null with what is in `allOf`. */
function nullable({description, enum: choices, ...field}: JsonObject): JsonObject {
  return {
    ...(description !== undefined && {description}),
    nullable: true,
    ...field,
    ...(choices === undefined ? {} : {allOf: [{enum: choices}]}),
  }
}
