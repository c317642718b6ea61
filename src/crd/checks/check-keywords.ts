import {listAll} from '../../text.js'
import {asObject, asText, isJsonArray, type JsonValue} from '../../yaml/json-value.js'
import {checkLists} from './check-lists.js'
import {isPlain} from '../plain-schema.js'
import {child, entry, item, type Report, type Spot} from '../schema-diagnostic.js'
import {checkRules} from './check-rules.js'
import {
  additionalOf,
  branchesOf,
  EMBEDDED,
  isGiven,
  LIST_TYPE,
  listOf,
  META_FIELDS,
  PRESERVE,
  propertiesOf,
  type Schema,
  TYPES,
} from '../schema-node.js'
import type {SchemaRules} from '../schema-rules.js'

/** Restrictions of a node by its parents. */
export interface Surroundings {
  readonly isRoot: boolean
  /** Within apiVersion, kind or metadata of a resource. */
  readonly inMetadata: boolean
  readonly allowsDefaults: boolean
  /** Whether a server knows the previous value of the node, which rules can compare with. */
  readonly isCorrelated: boolean
  /** How many values of the node an object can have: the product of all limits around it. */
  readonly occurrences: number
  /** What compiles the rules of nodes. */
  readonly rules?: SchemaRules | undefined
}

const AT_ROOT = {isRoot: true, inMetadata: false, allowsDefaults: true, isCorrelated: true, occurrences: 1}

/** Returns the surroundings of the root of a resource. */
export function atRoot(rules: SchemaRules | undefined): Surroundings {
  return {...AT_ROOT, rules}
}

/** Reports keywords and values that no schema of a CRD may have, in all its nodes and junctors. */
export function checkKeywords(schema: Schema, around: Surroundings, spot: Spot, report: Report): void {
  if (isPlain(schema)) return
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
  checkRules(schema, around, spot, report)
  for (const [part, below, at] of partsBelow(schema, around, spot)) checkKeywords(part, below, at, report)
}

function checkUnsupported(schema: Schema, around: Surroundings, spot: Spot, report: Report): void {
  const type = asText(schema.type)
  if (type !== '' && !TYPES.includes(type)) {
    report('type', child(spot, 'type'), `${type} is not one of ${listAll(TYPES, 'or')}`)
  }
  if (isSet(schema.default) && !around.allowsDefaults) {
    report('default', child(spot, 'default'), 'metadata has no defaults')
  }
  for (const key of unsupportedKeys(schema)) report('keyword', child(spot, key), `${key} is not supported`)
  checkValue(schema, around, spot, report)
}

const IF_GIVEN = ['id', 'patternProperties', 'definitions']
const IF_SET = ['additionalItems', 'dependencies', '$ref']
const UNSUPPORTED: ReadonlySet<string> = new Set([...IF_GIVEN, ...IF_SET])

function unsupportedKeys(schema: Schema): readonly string[] {
  if (!Object.keys(schema).some(key => UNSUPPORTED.has(key))) return []
  return [...IF_GIVEN.filter(key => isGiven(schema[key])), ...IF_SET.filter(key => isSet(schema[key]))]
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
  const parts: Part[] = []
  const below = around.isRoot ? {...around, isRoot: false} : around
  const additional = additionalOf(schema)
  if (additional !== undefined) {
    const mapped = {
      ...withinMany(schema, 'maxProperties', below),
      allowsDefaults: around.allowsDefaults && !around.inMetadata,
    }
    parts.push([additional, mapped, child(spot, 'additionalProperties')])
  }
  const properties = child(spot, 'properties')
  for (const [name, part] of propertiesOf(schema)) {
    const inside = isMetaField(schema, name, around) ? withinMetadata(around) : below
    parts.push([part, inside, entry(properties, name)])
  }
  for (const [branch, at] of branchesOf(schema, spot)) parts.push([branch, below, at])
  for (const [items, at] of itemSchemas(schema, spot)) parts.push([items, withinList(schema, below), at])
  for (const key of ['definitions', 'dependencies']) {
    for (const [name, part] of Object.entries(asObject(schema[key]))) {
      parts.push([asObject(part), below, entry(child(spot, key), name)])
    }
  }
  return parts
}

/** A server finds the previous value of an item only by its keys. */
function withinList(list: Schema, around: Surroundings): Surroundings {
  const below = withinMany(list, 'maxItems', around)
  return list[LIST_TYPE] === 'map' ? below : {...below, isCorrelated: false}
}

function withinMany(schema: Schema, limit: 'maxItems' | 'maxProperties', around: Surroundings): Surroundings {
  const most = schema[limit]
  // Not finite is also nothing of all: a server does not count what is around a list without a limit.
  return {
    ...around,
    occurrences: around.occurrences * (typeof most === 'number' ? Math.max(0, most) : Infinity),
  }
}

/** The built-in fields of a resource have rules of their own. */
function isMetaField(schema: Schema, name: string, {isRoot}: Surroundings): boolean {
  return (isRoot || schema[EMBEDDED] === true) && META_FIELDS.includes(name)
}

function withinMetadata({isRoot, allowsDefaults, ...around}: Surroundings): Surroundings {
  return {...around, isRoot: false, inMetadata: true, allowsDefaults: allowsDefaults && !isRoot}
}

function itemSchemas({items}: Schema, spot: Spot): [Schema, Spot][] {
  if (items === undefined) return []
  const at = child(spot, 'items')
  if (!isJsonArray(items)) return [[asObject(items), at]]
  return listOf(items).map((value, index) => [asObject(value), item(at, index)])
}
