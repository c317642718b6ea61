import {listAll} from '../../text.js'
import {asObject, asText, asTexts, isJsonArray} from '../../yaml/json-value.js'
import {child, entry, type Report, type Spot} from '../schema-diagnostic.js'
import {isGiven, itemsOf, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, type Schema} from '../schema-node.js'

const LIST_TYPES = ['atomic', 'set', 'map']
const MAP_TYPES = ['atomic', 'granular']

/** Reports errors in a node's rules for merging lists and maps. */
export function checkLists(schema: Schema, spot: Spot, report: Report): void {
  const mapType = schema[MAP_TYPE] ?? undefined
  if (mapType !== undefined && schema.type !== 'object') {
    report('map-type', child(spot, 'type'), `${MAP_TYPE} is for objects`)
  }
  if (mapType !== undefined && !MAP_TYPES.includes(asText(mapType))) {
    report('map-type', child(spot, MAP_TYPE), `it is one of ${listAll(MAP_TYPES, 'or')}`)
  }
  const listType = schema[LIST_TYPE] ?? undefined
  if (isGiven(schema[LIST_MAP_KEYS]) && listType !== 'map') {
    report('list-type', child(spot, LIST_TYPE), `it must be map where there are ${LIST_MAP_KEYS}`)
  }
  if (listType !== undefined) checkListType(schema, asText(listType), spot, report)
}

function checkListType(schema: Schema, listType: string, spot: Spot, report: Report): void {
  if (!LIST_TYPES.includes(listType)) {
    report('list-type', child(spot, LIST_TYPE), `it is one of ${listAll(LIST_TYPES, 'or')}`)
  }
  if (schema.type !== 'array') report('list-type', child(spot, 'type'), `${LIST_TYPE} is for arrays`)
  else if (listType === 'set') checkSet(schema, spot, report)
  if (listType === 'map') checkMap(schema, spot, report)
  if (['map', 'set'].includes(listType) && itemsOf(schema)?.nullable === true) {
    report('list-type', child(child(spot, 'items'), 'nullable'), `items of a ${listType} are never null`)
  }
}

/** Items of a set are compared as a whole, so they must be merged as a whole. */
function checkSet(schema: Schema, spot: Spot, report: Report): void {
  const items = itemsOf(schema)
  if (items === undefined) return
  const at = child(spot, 'items')
  const listType = items[LIST_TYPE] ?? 'atomic'
  if (items.type === 'array' && listType !== 'atomic') {
    report('list-type', child(at, LIST_TYPE), 'a list within a set must be atomic')
  }
  if (items.type === 'object' && items[MAP_TYPE] !== 'atomic') {
    report('list-type', child(at, MAP_TYPE), 'an object within a set must be atomic')
  }
}

function checkMap(schema: Schema, spot: Spot, report: Report): void {
  const at = child(spot, 'items')
  const keysAt = child(spot, LIST_MAP_KEYS)
  const items = itemsOf(schema)
  if (!isGiven(schema[LIST_MAP_KEYS])) report('list-type', keysAt, 'a map of a list has keys')
  if (items === undefined) {
    const message = isJsonArray(schema.items)
      ? 'a map has one schema of items'
      : 'a map has a schema of items'
    report('list-type', at, message)
    return
  }
  if (items.type !== 'object') report('list-type', child(at, 'type'), 'the items of a map are objects')
  const keys = asTexts(schema[LIST_MAP_KEYS])
  if (items.type === 'object' && new Set(keys).size < keys.length) {
    report('list-type', keysAt, 'a key is named twice')
  }
  for (const key of keys) checkKey(items, key, spot, report)
}

function checkKey(items: Schema, key: string, spot: Spot, report: Report): void {
  const fields = asObject(items.properties)
  const at = entry(child(child(spot, 'items'), 'properties'), key)
  if (!Object.hasOwn(fields, key)) {
    if (items.type !== 'object') return
    report('list-type', child(spot, LIST_MAP_KEYS), `the items have no field ${key}`)
    return
  }
  const field = asObject(fields[key])
  if (items.type === 'object' && (field.type === 'array' || field.type === 'object')) {
    report('list-type', child(at, 'type'), 'a key is a scalar')
  }
  if (!asTexts(items.required).includes(key) && (field.default ?? undefined) === undefined) {
    report('list-type', child(at, 'default'), 'a key is required or has a default')
  }
  if (field.nullable === true) report('list-type', child(at, 'nullable'), 'a key is never null')
}
