import {present} from '../../present.js'
import {asObject, asText, type FieldPath, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import {goPatternError} from '../go-pattern.js'
import {
  additionalOf,
  givenKeys,
  INT_OR_STRING,
  isIntOrStringPattern,
  itemsOf,
  JUNCTORS,
  listOf,
  propertiesOf,
  type Schema,
} from '../schema-node.js'

/** A branch that structural schemas cannot express, and why. */
export interface Inexpressible {
  readonly path: FieldPath
  readonly reason: string
}

/** Keywords without effect on validation. */
const ANNOTATIONS = [
  'title',
  'description',
  'default',
  'example',
  'externalDocs',
  'id',
  '$schema',
  'definitions',
]
const FORBIDDEN = ['$ref', 'patternProperties', 'dependencies', 'additionalItems', 'uniqueItems']

/**
 * Converts the junctors of a node to the form that structural schemas can have, with the same values valid: omits
 * types that the node has already, and branches that no value of its type can satisfy. Null never reaches a junctor.
 */
export function convertJunctors(
  node: Schema,
  path: FieldPath,
  inexpressible: Inexpressible[],
  place: 'node' | 'branch' = 'node',
): Schema {
  if (node.not === undefined && JUNCTORS.every(junctor => node[junctor] === undefined)) return node
  const lists = JUNCTORS.map((junctor): [string, JsonValue | undefined] => {
    const branches = listOf(node[junctor])
    if (branches.length === 0) return [junctor, undefined]
    if (junctor === 'anyOf' && node[INT_OR_STRING] === true && isIntOrStringPattern(branches)) {
      return [junctor, place === 'node' ? branches : undefined]
    }
    const kept = branches.flatMap((branch, index) =>
      convertListed(junctor, asObject(branch), node, [...path, junctor, index], inexpressible),
    )
    if (kept.length === 0 && junctor !== 'allOf')
      inexpressible.push({path: [...path, junctor], reason: 'no value satisfies it'})
    return [junctor, isVacuous(junctor, kept) ? undefined : kept]
  })
  const not = isJsonObject(node.not)
    ? convertBranch(node.not, node, [...path, 'not'], inexpressible)
    : undefined
  return withKeys(node, {...Object.fromEntries(lists), not: not === 'impossible' ? undefined : not})
}

function convertListed(
  junctor: string,
  branch: Schema,
  node: Schema,
  path: FieldPath,
  inexpressible: Inexpressible[],
): Schema[] {
  const converted = convertBranch(branch, node, path, inexpressible)
  if (converted !== 'impossible') {
    return junctor === 'allOf' && Object.keys(converted).length === 0 ? [] : [converted]
  }
  if (junctor === 'allOf') inexpressible.push({path, reason: 'no value satisfies it'})
  return []
}

function isVacuous(junctor: string, branches: readonly Schema[]): boolean {
  if (junctor === 'allOf') return branches.length === 0
  return junctor === 'anyOf' && branches.some(branch => Object.keys(branch).length === 0)
}

/** The branch in the form for the node; `impossible` if no value of the node's type satisfies it. */
function convertBranch(
  branch: Schema,
  node: Schema,
  path: FieldPath,
  inexpressible: Inexpressible[],
): Schema | 'impossible' {
  const fit = typeFit(asText(branch.type), node)
  if (fit === 'impossible') return 'impossible'
  if (fit === 'unknown')
    inexpressible.push({path: [...path, 'type'], reason: 'a junctor must not distinguish types'})
  const error = branchError(branch)
  if (error !== undefined) inexpressible.push({path, reason: error})
  const rest = Object.entries(branch).filter(
    ([key, value]) => !DROPPED.has(key) && !(key === 'additionalProperties' && value === true),
  )
  const kept = convertJunctors(
    {...Object.fromEntries(rest), ...nodeType(node)},
    path,
    inexpressible,
    'branch',
  )
  return withParts(withKeys(kept, {type: undefined, [INT_OR_STRING]: undefined}), node, path, inexpressible)
}

const DROPPED = new Set([...ANNOTATIONS, 'type', 'nullable'])

function nodeType(node: Schema): Schema {
  return {
    ...present({type: node.type}),
    ...(node[INT_OR_STRING] === true ? {[INT_OR_STRING]: true} : {}),
  }
}

/** Reports whether a value of the node has the branch's type: always, never, or unknown. */
function typeFit(type: string, node: Schema): 'always' | 'impossible' | 'unknown' {
  if (type === '') return 'always'
  const types = node[INT_OR_STRING] === true ? ['integer', 'string'] : [asText(node.type)]
  if (types.includes('')) return 'unknown'
  const fits = types.map(own => own === type || (own === 'integer' && type === 'number'))
  if (fits.every(Boolean)) return 'always'
  const may = fits.some(Boolean) || (type === 'integer' && types.includes('number'))
  return may ? 'unknown' : 'impossible'
}

function branchError(branch: Schema): string | undefined {
  const keys = givenKeys(branch)
  const bad = keys.find(key => FORBIDDEN.includes(key) || key.startsWith('x-kubernetes-'))
  if (bad !== undefined) return `${bad} must not be within a junctor`
  if (additionalOf(branch) !== undefined) return 'additionalProperties must not be within a junctor'
  if (branch.additionalProperties === false && keys.includes('properties')) {
    return 'properties and additionalProperties are mutually exclusive'
  }
  if (Array.isArray(branch.items)) return 'all items have one schema'
  const pattern = asText(branch.pattern)
  return pattern === '' ? undefined : goPatternError(pattern)
}

function withParts(branch: Schema, node: Schema, path: FieldPath, inexpressible: Inexpressible[]): Schema {
  const own = asObject(node.properties)
  // Keywords for a different type than the node's have no effect.
  const parts = (isOther(node, 'object') ? [] : propertiesOf(branch)).flatMap(
    ([name, part]): [string, Schema][] => {
      const at = [...path, 'properties', name]
      const field = Object.hasOwn(own, name) ? asObject(own[name]) : additionalOf(node)
      const converted = convertPart(part, field, at, inexpressible)
      if (name !== 'metadata') return [[name, converted]]
      if (Object.keys(converted).length > 0)
        inexpressible.push({path: at, reason: 'a junctor must not name metadata'})
      return []
    },
  )
  const items = isOther(node, 'array') ? undefined : itemsOf(branch)
  const convertedItems = items && convertPart(items, itemsOf(node), [...path, 'items'], inexpressible)
  return withKeys(branch, {
    properties: parts.length === 0 ? undefined : Object.fromEntries(parts),
    items: convertedItems,
  })
}

function isOther(node: Schema, type: string): boolean {
  return node[INT_OR_STRING] === true || (node.type !== undefined && node.type !== type)
}

/** A part of a branch, which null can reach if the node's own part accepts it. */
function convertPart(
  part: Schema,
  field: Schema | undefined,
  path: FieldPath,
  inexpressible: Inexpressible[],
): Schema {
  if (field === undefined) {
    inexpressible.push({path, reason: 'only a junctor describes it'})
    return {}
  }
  const converted = convertBranch(part, field, path, inexpressible)
  if (converted === 'impossible') {
    inexpressible.push({path, reason: 'no value satisfies it'})
    return {}
  }
  if (field.nullable === true && asText(part.type) !== '' && part.nullable !== true) {
    inexpressible.push({path, reason: 'a junctor must not distinguish null'})
  }
  return converted
}

/** Returns an object with those keys, the same one if nothing changes; undefined removes one. */
export function withKeys(schema: Schema, keys: Readonly<Record<string, JsonValue | undefined>>): Schema {
  if (Object.keys(keys).every(key => schema[key] === keys[key])) return schema
  const all = Object.entries({...schema, ...keys})
  return Object.fromEntries(all.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))
}
