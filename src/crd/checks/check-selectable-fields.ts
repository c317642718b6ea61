import {listAll} from '../../text.js'
import {asObject, asObjects, asText, type JsonValue} from '../../yaml/json-value.js'
import {fieldAt} from './field-at.js'
import {child, item, type Report, type Spot} from '../schema-diagnostic.js'
import type {Schema} from '../schema-node.js'
import {isUnreadable} from './check-structure.js'

const MAX_FIELDS = 8
const SELECTABLE_TYPES = ['string', 'boolean', 'integer']

/** Reports errors in the selectable fields. */
export function checkSelectableFields(
  fields: JsonValue,
  schema: Schema | undefined,
  spot: Spot,
  report: Report,
): void {
  if (schema === undefined) {
    report('selectable-field', spot, 'selectable fields require a schema of the version')
    return
  }
  if (isUnreadable(schema)) {
    const holder = {path: spot.path.replace(/\.\w+$/, ''), place: spot.place.slice(0, -1)}
    const at = child(child(holder, 'schema'), 'openAPIV3Schema')
    report('selectable-field', at, 'the schema next to the selectable fields cannot be read')
    return
  }
  const seen = new Set<string>()
  asObjects(fields).forEach((field, index) => {
    const at = child(item(spot, index), 'jsonPath')
    const path = asText(field.jsonPath)
    const selected = path === '' ? undefined : fieldAt(schema, path, {brackets: false})
    const [root] = selected?.steps ?? []
    if (selected === undefined) report('selectable-field', at, `${path} leads to no field`)
    else if (root === 'metadata')
      report('selectable-field', at, 'metadata fields cannot be selectable fields')
    else if (!SELECTABLE_TYPES.includes(asText(asObject(selected.schema).type))) {
      report('selectable-field', at, `a field to select by is one of ${listAll(SELECTABLE_TYPES, 'or')}`)
    } else if (seen.has(path)) report('selectable-field', at, `${path} is named twice`)
    if (selected !== undefined) seen.add(path)
  })
  if (seen.size > MAX_FIELDS) report('selectable-field', spot, `there are more than ${MAX_FIELDS}`)
}
