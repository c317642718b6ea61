import {asObject, isJsonArray, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import {isPlain} from '../plain-schema.js'
import {child, entry, type Report, type Spot} from '../schema-diagnostic.js'
import {
  additionalOf,
  EMBEDDED,
  itemsOf,
  META_FIELDS,
  PRESERVE,
  propertiesOf,
  propertyOf,
  type Schema,
} from '../schema-node.js'
import {checkValue, type TellValue} from './check-values.js'

/**
 * Reports errors in the defaults of a structural schema: unknown fields, and values that the schema beside them
 * rejects. Not checked are defaults within the metadata of an embedded resource, and what `checkValue` omits.
 */
export function checkDefaults(schema: Schema, spot: Spot, report: Report, isResource = true): void {
  if (isPlain(schema)) return
  const value = schema.default ?? null
  if (value !== null) checkOwn(schema, value, child(spot, 'default'), isResource, report)
  const items = itemsOf(schema)
  if (items !== undefined) checkDefaults(items, child(spot, 'items'), report, false)
  for (const [name, part] of propertiesOf(schema)) {
    if ((isResource || schema[EMBEDDED] === true) && META_FIELDS.includes(name)) continue
    checkDefaults(part, entry(child(spot, 'properties'), name), report, false)
  }
}

/** The server only checks the values if the resources in them are complete. */
function checkOwn(schema: Schema, value: JsonValue, spot: Spot, isRoot: boolean, report: Report): void {
  const embedding = isRoot ? {...schema, [EMBEDDED]: true} : schema
  if (hasUnknown(value, schema, schema[EMBEDDED] === true)) {
    report('default', spot, 'it has fields that the schema does not know')
  }
  const missing = missingTypes(value, embedding, [])
  for (const steps of missing) {
    const path = steps.reduce<string>(
      (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`),
      spot.path,
    )
    report('default', {path, place: [...spot.place, ...steps]}, 'a resource has an apiVersion and a kind')
  }
  if (missing.length > 0) return
  const tell: TellValue = (_keyword, at, message) => {
    report('default', at, message)
  }
  checkValue(value, schema, spot, tell, {isDefault: true})
}

/** Reports whether the server would drop a field of the value. */
function hasUnknown(value: JsonValue, schema: Schema | undefined, isEmbedded: boolean): boolean {
  if (isJsonArray(value)) {
    const items = schema && itemsOf(schema)
    return value.some(item => hasUnknown(item, keptBy(schema, items), items?.[EMBEDDED] === true))
  }
  if (!isJsonObject(value)) return false
  if (schema === undefined) return Object.keys(value).length > 0
  return Object.entries(value).some(([name, part]) => {
    if (isEmbedded && META_FIELDS.includes(name)) return false
    const property = propertyOf(schema, name) ?? additionalOf(schema)
    if (property === undefined) return schema[PRESERVE] !== true
    return hasUnknown(part, property, property[EMBEDDED] === true)
  })
}

/** Within a list of any values, no field is unknown. */
function keptBy(list: Schema | undefined, items: Schema | undefined): Schema | undefined {
  return list?.[PRESERVE] === true ? {...items, [PRESERVE]: true} : items
}

type Steps = readonly (string | number)[]

/** Lists resources within the value that lack their apiVersion or kind. */
function missingTypes(value: JsonValue, schema: Schema, steps: Steps): Steps[] {
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => missingTypes(item, asObject(schema.items), [...steps, index]))
  }
  if (!isJsonObject(value)) return []
  const own =
    schema[EMBEDDED] === true ? ['apiVersion', 'kind'].filter(name => !Object.hasOwn(value, name)) : []
  const below = Object.entries(value).flatMap(([name, part]) =>
    missingTypes(part, propertyOf(schema, name) ?? additionalOf(schema) ?? {}, [...steps, name]),
  )
  return [...own.map(name => [...steps, name]), ...below]
}
