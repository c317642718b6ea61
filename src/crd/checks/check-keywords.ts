import {asObject, asText, isJsonArray, type JsonValue} from '../../yaml/json-value.js'
import {checkLists} from './check-lists.js'
import {child, entry, item, type Report, type Spot} from '../schema-diagnostic.js'
import {checkRules} from './check-rules.js'
import {
  additionalOf,
  branchesOf,
  EMBEDDED,
  isGiven,
  listOf,
  META_FIELDS,
  PRESERVE,
  propertiesOf,
  type Schema,
  TYPES,
} from '../schema-node.js'

/** Restrictions of a node by its parents. */
export interface Surroundings {
  readonly isRoot: boolean
  /** Within apiVersion, kind or metadata of a resource. */
  readonly inMetadata: boolean
  readonly allowsDefaults: boolean
}

export const AT_ROOT: Surroundings = {isRoot: true, inMetadata: false, allowsDefaults: true}

/** Reports keywords and values that no schema of a CRD may have, in all its nodes and junctors. */
export function checkKeywords(schema: Schema, around: Surroundings, spot: Spot, report: Report): void {
  checkUnsupported(schema, around, spot, report)
  if (schema.uniqueItems === true) {
    report('keyword', child(spot, 'uniqueItems'), 'the time it takes grows with the square of the list')
  }
  const additional = schema.additionalProperties ?? true
  if (additional !== true && isGiven(schema.properties)) {
    const message = 'a value has named fields or is a map, never both'
    report('additional-properties', child(spot, 'additionalProperties'), message)
  }
  checkLists(schema, spot, report)
  checkRules(schema, spot, report)
  for (const [part, below, at] of partsBelow(schema, around, spot)) checkKeywords(part, below, at, report)
}

function checkUnsupported(schema: Schema, around: Surroundings, spot: Spot, report: Report): void {
  const type = asText(schema.type)
  if (type !== '' && !TYPES.includes(type)) {
    report('type', child(spot, 'type'), `${type} is not one of ${TYPES.join(', ')}`)
  }
  if (isSet(schema.default) && !around.allowsDefaults) {
    report('default', child(spot, 'default'), 'metadata has no defaults')
  }
  const unsupported = [
    ...['id', 'patternProperties', 'definitions'].filter(key => isGiven(schema[key])),
    ...['additionalItems', 'dependencies', '$ref'].filter(key => isSet(schema[key])),
  ]
  for (const key of unsupported) report('keyword', child(spot, key), `${key} is not supported`)
  checkValue(schema, around, spot, report)
}

function checkValue(schema: Schema, around: Surroundings, spot: Spot, report: Report): void {
  if (isJsonArray(schema.items) && schema.items.length > 0) {
    report('keyword', child(spot, 'items'), 'all items have one schema')
  }
  if (schema[EMBEDDED] === true && around.inMetadata) {
    report('embedded-resource', child(spot, EMBEDDED), 'metadata does not contain a resource')
  }
  if (schema[PRESERVE] === false) report('keyword', child(spot, PRESERVE), 'it is true or left out')
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null
}

type Part = readonly [Schema, Surroundings, Spot]

function partsBelow(schema: Schema, around: Surroundings, spot: Spot): Part[] {
  const below = {...around, isRoot: false}
  const additional = additionalOf(schema)
  const mapped = {...below, allowsDefaults: around.allowsDefaults && !around.inMetadata}
  return [
    ...(additional === undefined
      ? []
      : [[additional, mapped, child(spot, 'additionalProperties')] satisfies Part]),
    ...propertiesOf(schema).map(([name, part]): Part => {
      const inside = withinResource(schema, name, around)
      return [part, inside, entry(child(spot, 'properties'), name)]
    }),
    ...branchesOf(schema, spot).map(([branch, at]): Part => [branch, below, at]),
    ...itemSchemas(schema, spot).map(([items, at]): Part => [items, below, at]),
    ...['definitions', 'dependencies'].flatMap(key =>
      Object.entries(asObject(schema[key])).map(([name, part]): Part => [
        asObject(part),
        below,
        entry(child(spot, key), name),
      ]),
    ),
  ]
}

/** The built-in fields of a resource have rules of their own. */
function withinResource(schema: Schema, name: string, around: Surroundings): Surroundings {
  const isMeta = (around.isRoot || schema[EMBEDDED] === true) && META_FIELDS.includes(name)
  return {
    isRoot: false,
    inMetadata: around.inMetadata || isMeta,
    allowsDefaults: around.allowsDefaults && !(isMeta && around.isRoot),
  }
}

function itemSchemas({items}: Schema, spot: Spot): [Schema, Spot][] {
  const at = child(spot, 'items')
  if (!isJsonArray(items)) return items === undefined ? [] : [[asObject(items), at]]
  return listOf(items).map((each, index) => [asObject(each), item(at, index)])
}
