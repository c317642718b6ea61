import type {GoTypes, ScalarMode} from '../../src/unpack/go/go-types.js'
import {type FieldPath, formatPath, type JsonValue} from '../../src/yaml/json-value.js'

/** A value that its type refuses, in a document that holds nothing else. */
export interface WrongValue {
  /** `spec.names.kind = a list`, for messages. */
  readonly name: string
  readonly text: string
  readonly line: number
  readonly field: string
}

const VALUES: Readonly<Record<string, JsonValue>> = {
  'a text': 'text',
  'an integer': 5,
  'a fraction': 1.5,
  'a boolean': true,
  'a list': [],
  'an object': {},
}
const EVERYTHING = Object.keys(VALUES)

/** What each expression takes, but for the modes of a string. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  any: EVERYTHING,
  boolean: ['a boolean'],
  integer: ['an integer'],
  number: ['an integer', 'a fraction'],
  time: ['a text'],
  quantity: ['an integer', 'a fraction'],
  intOrString: ['an integer', 'a text'],
  list: ['a list'],
  map: ['an object'],
  oneOrList: ['a list', 'an object'],
  oneOrBoolean: ['a boolean', 'an object'],
  oneOrStrings: ['a list', 'an object'],
}
const TEXT_TAKEN: Readonly<Record<ScalarMode, readonly string[]>> = {
  strict: ['a text'],
  exact: ['a text'],
  convert: ['a text', 'an integer', 'a fraction', 'a boolean'],
}

/**
 * Every value of a wrong type in every field that can be reached from a type, and in the lists and maps there: one
 * list for each Go type on the way. `at` is where the type stands in its document.
 */
export function wrongValues(
  types: GoTypes,
  type: string,
  scalars: ScalarMode,
  at: FieldPath,
): Map<string, readonly WrongValue[]> {
  const found = new Map<string, readonly WrongValue[]>()
  const visit = (name: string, path: FieldPath) => {
    const fields = types[name]
    if (fields === undefined || found.has(name)) return
    const places = Object.entries(fields).flatMap(([field, of]) => placesOf([...path, field], of))
    found.set(
      name,
      places.flatMap(place => wrongAt(place.path, refusedBy(types, place.expression, scalars))),
    )
    for (const place of places) visit(split(place.expression)[0], place.path)
  }
  visit(type, at)
  return found
}

interface TypedPlace {
  readonly path: FieldPath
  readonly expression: string
}

/** A field, and what its list or map holds. */
function placesOf(path: FieldPath, expression: string): TypedPlace[] {
  const [outer, inner] = split(expression)
  const within = STEPS[outer]
  const place = {path, expression}
  return inner === undefined || within === undefined
    ? [place]
    : [place, ...placesOf([...path, ...within], inner)]
}

/** What leads from a value of a composite type to one within it. */
const STEPS: Readonly<Record<string, FieldPath>> = {list: [0], map: ['key'], oneOrList: [0]}

function split(expression: string): [outer: string, inner?: string] {
  const bare = expression.replace(/[?*]$/, '')
  const colon = bare.indexOf(':')
  return colon === -1 ? [bare] : [bare.slice(0, colon), bare.slice(colon + 1)]
}

function refusedBy(types: GoTypes, expression: string, scalars: ScalarMode): string[] {
  const [outer] = split(expression)
  const named = outer === 'string' ? TEXT_TAKEN[scalars] : TAKEN[outer]
  if (named === undefined && types[outer] === undefined) throw new Error(`${outer} is no known expression`)
  const taken = named ?? ['an object']
  return EVERYTHING.filter(value => !taken.includes(value))
}

function wrongAt(path: FieldPath, values: readonly string[]): WrongValue[] {
  const lines = path.map((step, depth) => '  '.repeat(depth) + (step === 0 ? '-' : `${step}:`))
  return values.map(value => ({
    name: `${formatPath(path)} = ${value}`,
    text: `${lines.join('\n')} ${JSON.stringify(VALUES[value])}\n`,
    line: lines.length,
    field: formatPath(path),
  }))
}
