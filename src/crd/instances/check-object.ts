import {isDns1035Label} from '../../reference/kubernetes-names.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {checkValue} from '../checks/check-values.js'
import {child, entry, item, type Spot} from '../schema-diagnostic.js'
import {
  additionalOf,
  EMBEDDED,
  itemsOf,
  LIST_MAP_KEYS,
  LIST_TYPE,
  propertiesOf,
  RULES,
  type Schema,
} from '../schema-node.js'
import type {SchemaRules} from '../schema-rules.js'
import {withDefaults} from './with-defaults.js'

/** A field of a new object that the API server rejects. */
export interface ObjectError {
  readonly place: FieldPath
  readonly message: string
}

/**
 * Reports why an API server rejects a new object by a structural schema, in the server's order: values, embedded
 * resources and items that occur twice first, and rules in CEL only if there is nothing else.
 */
export function checkObject(
  object: JsonObject,
  schema: Schema,
  rules: SchemaRules | undefined,
): readonly ObjectError[] {
  const errors: ObjectError[] = []
  const tell: Tell = ({place}, message) => errors.push({place, message})
  const whole = withDefaults(object, schema)
  checkValue(whole, schema, ROOT, (_rule, spot, message) => {
    tell(spot, message)
  })
  visitValues(whole, schema, ROOT, (value, node, spot) => {
    if (isJsonObject(value) && node[EMBEDDED] === true) checkResource(value, spot, tell)
    if (isJsonArray(value)) checkItems(value, node, spot, tell)
  })
  if (errors.length > 0 || rules === undefined) return errors
  visitValues(whole, schema, ROOT, (value, node, spot) => {
    checkRules(value, node, spot, rules, tell)
  })
  return errors
}

type Tell = (spot: Spot, message: string) => void

/** The place of a whole object. */
export const ROOT: Spot = {path: '', place: []}

/** Sees a value with its schema. */
type Visit = (value: JsonValue, schema: Schema, spot: Spot) => void

/** Visits each value that has a schema. */
export function visitValues(value: JsonValue, schema: Schema, spot: Spot, act: Visit): void {
  act(value, schema, spot)
  const items = itemsOf(schema)
  if (isJsonArray(value) && items !== undefined)
    value.forEach((part, index) => {
      visitValues(part, items, item(spot, index), act)
    })
  if (!isJsonObject(value)) return
  const fields = new Map(propertiesOf(schema))
  for (const [name, part] of Object.entries(value)) {
    const field = fields.get(name) ?? additionalOf(schema)
    if (field !== undefined)
      visitValues(part, field, fields.has(name) ? child(spot, name) : entry(spot, name), act)
  }
}

function checkResource(resource: JsonObject, spot: Spot, tell: Tell): void {
  for (const name of ['apiVersion', 'kind']) {
    if (asText(resource[name]) === '') tell(child(spot, name), 'a resource has an apiVersion and a kind')
  }
  const kind = asText(resource.kind)
  if (kind !== '' && !isDns1035Label(kind.toLowerCase())) tell(child(spot, 'kind'), 'it is not a kind')
  if (asText(resource.apiVersion).split('/').length > 2)
    tell(child(spot, 'apiVersion'), 'it has more than one /')
}

function checkItems(list: readonly JsonValue[], schema: Schema, spot: Spot, tell: Tell): void {
  const listType = asText(schema[LIST_TYPE])
  if (listType !== 'map' && listType !== 'set') return
  const keys = asTexts(schema[LIST_MAP_KEYS])
  const named = listType === 'set' ? 'value' : keys.join(' and ')
  const seen = new Set<string>()
  list.forEach((value, index) => {
    const key = writeJson(listType === 'set' ? value : keys.map(name => asObject(value)[name] ?? null))
    if (seen.has(key)) tell(item(spot, index), `an earlier item has the same ${named}`)
    seen.add(key)
  })
}

/** Rules for changed values do not apply to new ones. */
function checkRules(value: JsonValue, schema: Schema, spot: Spot, rules: SchemaRules, tell: Tell): void {
  for (const {rule, message} of asObjects(schema[RULES])) {
    const text = asText(rule)
    if (/\boldSelf\b/.test(text) || rules.resultOf(text, value) !== false) continue
    const cause = asText(message).replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())
    tell(spot, cause || `it must satisfy ${text}`)
  }
}
