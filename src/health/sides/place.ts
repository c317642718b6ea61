import {escaped} from '../../text.js'
import {valueAt} from '../../yaml/value-at.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'

/** The fields that identify an item of a list which servers merge. */
export type ItemKeys = Readonly<Record<string, JsonValue>>

/** A step to a part of an object: a field, the index of an item, or the keys of one. */
export type Step = string | number | ItemKeys

/** A part of an object; empty for the whole. */
export type Place = readonly Step[]

/** Formats a place as users write it: `spec.containers[name=app].image`. */
export function placeText(place: Place): string {
  return place.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (typeof step !== 'string') return `${text}[${keysText(step)}]`
    const inner = formatPath([step])
    return text === '' || inner.startsWith('[') ? `${text}${inner}` : `${text}.${inner}`
  }, '')
}

function keysText(keys: ItemKeys): string {
  return Object.entries(keys)
    .map(([key, value]) => `${key}=${keyText(value)}`)
    .join(',')
}

/** The text of a cluster is untrusted, and what is no scalar is no key but a value, which can be secret. */
function keyText(value: JsonValue): string {
  if (typeof value === 'string') return escaped(value)
  return typeof value === 'object' && value !== null ? '…' : String(value)
}

/** Returns the part of an object at a place; undefined if it has none. */
export function partAt(object: JsonValue | undefined, place: Place): JsonValue | undefined {
  return place.reduce<JsonValue | undefined>((value, step) => {
    if (typeof step !== 'object') return valueAt(value, [step])
    return isJsonArray(value) ? value.find(item => hasKeys(item, step)) : undefined
  }, object)
}

function ownValue(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Reports whether an item of a list is the one with these keys, also if it leaves a default out. */
export function hasKeys(item: JsonValue, keys: ItemKeys): boolean {
  return (
    isJsonObject(item) &&
    Object.entries(keys).every(([key, value]) => jsonEqual(ownValue(item, key) ?? DEFAULT_KEYS[key], value))
  )
}

/**
 * The fields of built-in kinds that are lists which servers merge, with the keys of their items.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
const MERGED_LISTS: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  volumes: ['name'],
  env: ['name'],
  imagePullSecrets: ['name'],
  secrets: ['name'],
  ports: ['containerPort', 'protocol'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
}

/** The values that servers add to keys. */
const DEFAULT_KEYS: ItemKeys = {protocol: 'TCP'}

/** Returns the keys of an item of a merged list; undefined for items of all other lists. */
export function keysOf(list: Step | undefined, item: JsonValue): ItemKeys | undefined {
  const names = typeof list === 'string' && Object.hasOwn(MERGED_LISTS, list) ? MERGED_LISTS[list] : undefined
  if (names === undefined || !isJsonObject(item)) return undefined
  const values = names.map(name => [name, ownValue(item, name) ?? DEFAULT_KEYS[name]] as const)
  if (values.some(([, value]) => value === undefined)) return undefined
  return Object.fromEntries(values) as ItemKeys
}

/** Returns the item of a merged list with these keys, also one that leaves a default out. */
export function itemWith(items: JsonArray, list: Step | undefined, keys: ItemKeys): JsonValue | undefined {
  return items.find(item => {
    const itemKeys = keysOf(list, item)
    return itemKeys !== undefined && jsonEqual(itemKeys, keys)
  })
}

/** Returns the JSON pointer of a part of an object; undefined if it has none. https://www.rfc-editor.org/rfc/rfc6901 */
export function pointerTo(object: JsonValue | undefined, place: Place): string | undefined {
  const steps: string[] = []
  let value = object
  for (const step of place) {
    steps.push(pointerStep(value, step))
    value = partAt(value, [step])
  }
  return value === undefined ? undefined : `/${steps.join('/')}`
}

function pointerStep(value: JsonValue | undefined, step: Step): string {
  if (typeof step === 'string') return step.replaceAll('~', '~0').replaceAll('/', '~1')
  if (typeof step === 'number') return String(step)
  return String(isJsonArray(value) ? value.findIndex(item => hasKeys(item, step)) : -1)
}
