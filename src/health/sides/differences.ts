import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {itemWith, keysOf, type Place, type Step} from './place.js'

/**
 * Returns the places at which an object lacks what another one wants of it. What it has besides, such as the defaults of
 * an API server, does not count. An item too many counts only in a list that servers replace as a whole.
 */
export function placesLacking(
  want: JsonValue,
  have: JsonValue | undefined,
  place: Place = [],
): readonly Place[] {
  if (isEmpty(want, place.at(-1)) && isEmpty(have)) return []
  if (isJsonObject(want) && isJsonObject(have)) return lackingFields(want, have, place)
  if (isJsonArray(want) && isJsonArray(have)) return lackingItems(want, have, place)
  return isSameScalar(want, have) ? [] : [place]
}

/** Returns the places at which either of two objects lacks what the other one has. */
export function placesDiffering(one: JsonValue, other: JsonValue): readonly Place[] {
  return outermost([...placesLacking(one, other), ...placesLacking(other, one)])
}

/** Returns each place once, without those within others. */
export function outermost(places: readonly Place[]): readonly Place[] {
  const texts = new Set<string>()
  const sorted = places.map(place => ({place, steps: place.map(step => JSON.stringify(step))}))
  sorted.sort((a, b) => a.steps.length - b.steps.length)
  const kept = sorted.filter(({steps}) => {
    const isWithin =
      steps.some((_, index) => texts.has(steps.slice(0, index).join('\0'))) || texts.has(steps.join('\0'))
    if (!isWithin) texts.add(steps.join('\0'))
    return !isWithin
  })
  return places.filter(place => kept.some(other => other.place === place))
}

function lackingFields(want: JsonObject, have: JsonObject, place: Place): readonly Place[] {
  return Object.entries(want).flatMap(([name, value]) =>
    placesLacking(value, Object.hasOwn(have, name) ? have[name] : undefined, [...place, name]),
  )
}

function lackingItems(want: JsonArray, have: JsonArray, place: Place): readonly Place[] {
  const list = place.at(-1)
  const keys = want.map(item => keysOf(list, item))
  if (want.length > 0 && keys.every(itemKeys => itemKeys !== undefined)) {
    return want.flatMap((item, index) => {
      const itemKeys = keys[index] ?? {}
      return placesLacking(item, itemWith(have, list, itemKeys), [...place, itemKeys])
    })
  }
  if (want.length !== have.length) return [place]
  return want.flatMap((item, index) => placesLacking(item, have[index], [...place, index]))
}

/** Fields whose presence has a meaning, without any content. */
const MARKS: readonly (Step | undefined)[] = ['emptyDir', 'status']

/** API servers leave out what has no value. */
function isEmpty(value: JsonValue | undefined, name?: Step): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true
  if (isJsonArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0 && !MARKS.includes(name)
}

function isSameScalar(want: JsonValue, have: JsonValue | undefined): boolean {
  if (want === have) return true
  const [wanted, actual] = [scalarText(want), scalarText(have)]
  if (wanted === undefined || actual === undefined) return false
  return wanted === actual || isSameQuantity(wanted, actual)
}

/** Servers return some numbers as text, such as those of ports. */
function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/ */
const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))([eE][+-]?\d{1,2}|[numkMGTPE]|[KMGTPE]i)?$/

const FACTORS: Readonly<Record<string, number>> = {
  ...{n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18},
  ...{Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60},
}

/** API servers write quantities in one form. */
function isSameQuantity(one: string, other: string): boolean {
  const [first, second] = [amountOf(one), amountOf(other)]
  return first !== undefined && second !== undefined && Math.abs(first - second) <= Math.abs(first) * 1e-12
}

function amountOf(text: string): number | undefined {
  const [, number, suffix = ''] = QUANTITY.exec(text) ?? []
  if (number === undefined) return undefined
  return Number(number) * (FACTORS[suffix] ?? (suffix === '' ? 1 : Number(`1${suffix}`)))
}
