import {load} from 'js-yaml'
import {
  asObject,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/yaml/json-value.js'
import {below, pick} from './campaign.js'

type Random = () => number

/** The objects of each kind in a round: 20 in the full check, 100 in five rounds of a soak. */
const OBJECTS = 20

/** An object with one fault, or with a change that is none. */
export interface FaultyObject {
  readonly kind: string
  readonly change: string
  readonly object: JsonObject
}

/** Returns copies of an object of YAML, each with another change at one place. */
export function faultyObjects(text: string, random: Random): readonly FaultyObject[] {
  const base = load(text) as JsonObject
  return Array.from({length: OBJECTS}, () => {
    const {object, change} = changed(base, random)
    return {kind: asText(base.kind), change, object}
  })
}

/** Changes one place of an object: removes it, repeats it, or gives it another value. */
function changed(base: JsonObject, random: Random): {readonly object: JsonObject; readonly change: string} {
  const path = pick(
    random,
    placesIn(base, []).filter(place => place.length > 1),
  )
  const [name, next] = pick(random, changesOf(valueAt(base, path), path, random))
  const shown = next === undefined ? '' : `: ${JSON.stringify(next).slice(0, 100)}`
  return {object: asObject(withValue(base, path, next)), change: `${name} ${path.join('.')}${shown}`}
}

type Path = readonly (string | number)[]

function placesIn(value: JsonValue, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]): readonly Path[] => {
    const at = [...path, isJsonArray(value) ? Number(name) : name]
    return [at, ...placesIn(inner, at)]
  })
}

function partOf(value: JsonValue, step: string | number): JsonValue {
  return (isJsonArray(value) ? value[Number(step)] : asObject(value)[step]) ?? null
}

function valueAt(value: JsonValue, path: Path): JsonValue {
  return path.reduce(partOf, value)
}

/** Returns a value with another one at a path, or without one. */
function withValue(value: JsonValue, [step = '', ...rest]: Path, next: JsonValue | undefined): JsonValue {
  const inner = rest.length === 0 ? next : withValue(partOf(value, step), rest, next)
  if (isJsonArray(value))
    return value.flatMap((part, index) => (index !== step ? [part] : inner === undefined ? [] : [inner]))
  return Object.fromEntries(
    Object.entries(asObject(value)).flatMap(([name, part]) =>
      name !== step ? [[name, part]] : inner === undefined ? [] : [[name, inner]],
    ),
  )
}

type Change = readonly [name: string, value: JsonValue | undefined]

const KEYWORDS: readonly JsonObject[] = [
  {type: 'text'},
  {uniqueItems: true},
  {pattern: '(?=a)'},
  {default: {}},
  {default: 'a'},
  {nullable: true},
  {minimum: 3},
  {enum: ['a', 1]},
  {format: 'date-time'},
  {required: ['a']},
  {additionalProperties: {type: 'string'}},
  {anyOf: [{type: 'string'}]},
  {oneOf: [{required: ['a']}]},
  {not: {properties: {metadata: {}}}},
  {'x-kubernetes-list-type': 'set'},
  {'x-kubernetes-map-type': 'atomic'},
  {'x-kubernetes-embedded-resource': true},
  {'x-kubernetes-preserve-unknown-fields': true},
  {'x-kubernetes-int-or-string': true},
  {'x-kubernetes-validations': [{rule: 'has(self.nothing)'}]},
  {'x-kubernetes-validations': [{rule: 'self == oldSelf'}]},
  {'x-kubernetes-validations': [{rule: 'self.size() < 3'}]},
  {'x-kubernetes-validations': [{rule: 'true ||'}]},
]

function changesOf(value: JsonValue, path: Path, random: Random): readonly Change[] {
  const shared: readonly Change[] = [['remove', undefined], ...otherTypes(value)]
  if (typeof value === 'string')
    return [
      ...shared,
      ['capital', value.toUpperCase()],
      ['lower', value.toLowerCase()],
      ['blank', `${value} `],
      ['empty', ''],
    ]
  if (typeof value === 'number')
    return [...shared, ...[-1, 0, 70_000].map((other): Change => ['number', other])]
  if (isJsonArray(value))
    return [
      ...shared,
      ['repeat', [...value, ...value.slice(-1)]],
      ['empty', []],
      ['repeat', [...value, ...value.slice(-1)]],
    ]
  if (!isJsonObject(value)) return shared
  const isSchema = value.type !== undefined && path.includes('openAPIV3Schema')
  const keyword = KEYWORDS[below(random, KEYWORDS.length)] ?? {}
  const grown: readonly Change[] = isSchema
    ? Array.from({length: 6}, (): Change => ['keyword', {...value, ...keyword}])
    : [['field', {...value, other: 1}]]
  return [...shared, ['empty', {}], ...grown]
}

function otherTypes(value: JsonValue): readonly Change[] {
  const values: readonly JsonValue[] = ['text', 5, true, {a: 'b'}, ['a']]
  const others = values.filter(
    other => typeof other !== typeof value || isJsonArray(other) !== isJsonArray(value),
  )
  return others.map((other): Change => ['type', other])
}
