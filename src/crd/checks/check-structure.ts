import {asObject, asText, isJsonArray, type JsonValue} from '../../yaml/json-value.js'
import {goPatternError} from '../go-pattern.js'
import {isPlain} from '../plain-schema.js'
import {child, entry, type Report, type Spot} from '../schema-diagnostic.js'
import {
  branchesOf,
  EMBEDDED,
  givenKeys,
  hasBranches,
  INT_OR_STRING,
  isGiven,
  isIntOrStringPattern,
  itemsOf,
  LIST_MAP_KEYS,
  LIST_TYPE,
  listOf,
  MAP_TYPE,
  additionalOf,
  partsOf,
  PRESERVE,
  propertiesOf,
  RULES,
  type Schema,
} from '../schema-node.js'

/** The position of a structural schema: the root of a resource, or below it. */
export type Level = 'root' | 'below'

/** Reports why a schema is not structural, in all its nodes; the schema must have no unsupported keyword. */
export function checkStructure(schema: Schema, level: Level, spot: Spot, report: Report): void {
  if (level === 'below' && isPlain(schema)) return
  checkNode(schema, level, spot, report)
  for (const [part, at] of partsOf(schema, spot)) checkStructure(part, 'below', at, report)
}

/** The same for one node and its junctors. */
function checkNode(schema: Schema, level: Level, spot: Spot, report: Report): void {
  if (schema.type === 'array' && itemsOf(schema) === undefined) {
    report('items-missing', child(spot, 'items'), 'a list must have a schema for its items')
  }
  checkType(schema, level, spot, report)
  checkExtension(schema, level, spot, report)
  checkMeta(schema, level, spot, report)
  checkValue(schema, spot, report)
}

function checkType(schema: Schema, level: Level, spot: Spot, report: Report): void {
  const type = asText(schema.type)
  const at = child(spot, 'type')
  const embedded = schema[EMBEDDED] === true
  if (embedded && type !== 'object') report('type', at, 'an embedded resource is an object')
  else if (type === '' && schema[INT_OR_STRING] !== true && schema[PRESERVE] !== true) {
    report('type', at, 'every field, item and root must have a type')
  }
  if (level === 'root' && type !== '' && type !== 'object') report('type', at, 'the root is an object')
}

function checkExtension(schema: Schema, level: Level, spot: Spot, report: Report): void {
  const embedded = schema[EMBEDDED] === true
  if (schema[INT_OR_STRING] === true) {
    const message = 'an integer or string has no fields'
    if (schema[PRESERVE] === true) report('int-or-string', child(spot, PRESERVE), message)
    if (embedded) report('int-or-string', child(spot, EMBEDDED), message)
  }
  if (isAdditional(schema) && (level === 'root' || embedded)) {
    const at = child(spot, 'additionalProperties')
    report('additional-properties', at, 'a resource has fields of its own, so it is not a map')
  }
  if (embedded && schema[PRESERVE] !== true && !isGiven(schema.properties)) {
    report(
      'embedded-resource',
      child(spot, 'properties'),
      'an embedded resource must name or keep its fields',
    )
  }
}

function isAdditional({additionalProperties}: Schema): boolean {
  return additionalProperties !== undefined && additionalProperties !== null
}

/** apiVersion, kind and metadata of a resource are built in: a schema can restrict little of them. */
function checkMeta(schema: Schema, level: Level, spot: Spot, report: Report): void {
  if (level !== 'root' && schema[EMBEDDED] !== true) return
  const fields = asObject(schema.properties)
  for (const [name, requested] of Object.entries({
    kind: 'string',
    apiVersion: 'string',
    metadata: 'object',
  })) {
    if (!Object.hasOwn(fields, name) || asObject(fields[name]).type === requested) continue
    const at = child(entry(child(spot, 'properties'), name), 'type')
    report('type', at, `${name} must be of type ${requested}`)
  }
  if (level === 'root' && Object.hasOwn(fields, 'metadata') && restrictsMetadata(asObject(fields.metadata))) {
    const at = entry(child(spot, 'properties'), 'metadata')
    report('metadata-restriction', at, 'of metadata, only name and generateName may be described')
  }
}

function restrictsMetadata(metadata: Schema): boolean {
  const named = propertiesOf(metadata).every(([name]) => name === 'name' || name === 'generateName')
  const harmless = ['type', 'default', '$ref', ...(named ? ['properties'] : [])]
  return givenKeys(metadata).some(key => !harmless.includes(key))
}

/** Reports errors in a node's junctors and pattern. */
function checkValue(schema: Schema, spot: Spot, report: Report): void {
  if (!hasBranches(schema)) {
    checkPattern(schema, spot, report)
    return
  }
  const skipAnyOf = isIntOrStringPattern(schema.anyOf)
  const skipFirstAllOf = isIntOrStringPattern(asObject(listOf(schema.allOf)[0]).anyOf)
  checkJunctor(schema, spot, {skipAnyOf, skipFirstAllOf}, report)
}

interface Skipped {
  readonly skipAnyOf: boolean
  readonly skipFirstAllOf: boolean
}

const NOTHING_SKIPPED: Skipped = {skipAnyOf: false, skipFirstAllOf: false}

function checkJunctor(schema: Schema, spot: Spot, skipped: Skipped, report: Report): void {
  const anyOf = child(spot, 'anyOf').path
  const firstAllOf = `${child(spot, 'allOf').path}[0]`
  for (const [branch, at] of branchesOf(schema, spot)) {
    if (skipped.skipAnyOf && at.path.startsWith(`${anyOf}[`)) continue
    const skipAnyOf = skipped.skipFirstAllOf && at.path === firstAllOf
    checkBranch(branch, at, {...NOTHING_SKIPPED, skipAnyOf}, report)
  }
  checkPattern(schema, spot, report)
}

function checkPattern(schema: Schema, spot: Spot, report: Report): void {
  const pattern = asText(schema.pattern)
  const error = pattern === '' ? undefined : goPatternError(pattern)
  if (error !== undefined)
    report('pattern', child(spot, 'pattern'), `${pattern} is not a Go pattern: ${error}`)
}

/** Keywords that a branch must not have: those that define a value, rather than restrict it. */
const FORBIDDEN = [
  'type',
  'default',
  'title',
  'description',
  'nullable',
  PRESERVE,
  EMBEDDED,
  INT_OR_STRING,
  LIST_MAP_KEYS,
  LIST_TYPE,
  MAP_TYPE,
  RULES,
]

function checkBranch(branch: Schema, spot: Spot, skipped: Skipped, report: Report): void {
  checkJunctor(branch, spot, skipped, report)
  const items = itemsOf(branch)
  if (items !== undefined) checkBranch(items, child(spot, 'items'), NOTHING_SKIPPED, report)
  for (const [name, part] of propertiesOf(branch)) {
    checkBranch(part, entry(child(spot, 'properties'), name), NOTHING_SKIPPED, report)
  }
  const keys = givenKeys(branch)
  for (const key of FORBIDDEN) {
    if (keys.includes(key)) {
      report('junctor', child(spot, key), `${key} must not be within a junctor`)
    }
  }
  if (branch.additionalProperties === true || additionalOf(branch) !== undefined) {
    report('junctor', child(spot, 'additionalProperties'), 'it must not be within a junctor')
  }
  if (Object.hasOwn(asObject(branch.properties), 'metadata')) {
    const at = entry(child(spot, 'properties'), 'metadata')
    report('junctor', at, 'a junctor must not name metadata')
  }
}

/**
 * Reports fields that junctors at the root of a schema describe and the schema itself does not. (Junctors further
 * down are exempt.)
 */
export function checkCompleteness(schema: Schema, spot: Spot, report: Report): void {
  for (const [branch] of branchesOf(schema, spot)) branchCompleteness(branch, schema, spot, report)
}

function branchCompleteness(branch: Schema, schema: Schema | undefined, spot: Spot, report: Report): void {
  if (schema === undefined) {
    report('incomplete', spot, 'only a junctor describes it')
    return
  }
  for (const [nested] of branchesOf(branch, spot)) branchCompleteness(nested, schema, spot, report)
  const items = itemsOf(branch)
  if (items !== undefined) branchCompleteness(items, itemsOf(schema), child(spot, 'items'), report)
  const fields = asObject(schema.properties)
  for (const [name, part] of propertiesOf(branch)) {
    const field = Object.hasOwn(fields, name) ? asObject(fields[name]) : undefined
    branchCompleteness(part, field, entry(child(spot, 'properties'), name), report)
  }
}

/** Keywords with which the server cannot convert a schema to a structural one. */
export function isUnreadable(schema: Schema): boolean {
  if (isPlain(schema)) return false
  if (Object.keys(schema).some(key => UNREADABLE.get(key)?.(schema[key]) === true)) return true
  const isBelow = ([part]: readonly [Schema, Spot]) => isUnreadable(part)
  return partsOf(schema, NOWHERE).some(isBelow) || branchesOf(schema, NOWHERE).some(isBelow)
}

const NOWHERE: Spot = {path: '', place: []}

/** The values of such keywords with which it cannot. */
const UNREADABLE: ReadonlyMap<string, (value: JsonValue | undefined) => boolean> = new Map([
  ...['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'definitions'].map(
    key => [key, isGiven] as const,
  ),
  [PRESERVE, value => value === false],
  ['additionalItems', value => value !== undefined && value !== null],
  ['items', value => isJsonArray(value) && value.length > 0],
])
