import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {escaped} from '../../text.js'
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {placesDiffering} from './differences.js'
import {isApplier, managersAt} from './field-managers.js'
import {keysOf, partAt, type Place, placeText} from './place.js'

/** The contents of an object before and after a write. */
interface Contents {
  readonly before: JsonObject
  readonly after: JsonObject
}

/** A field that a write removes, changes or puts back. */
export interface OverwrittenField {
  /** As users write it; without the value, which can be secret. */
  readonly field: string
  readonly change: 'removed' | 'changed' | 'restored'
  /** The managers that set it, but for the one that writes and those that apply packages; untrusted text. */
  readonly managers: readonly string[]
}

/**
 * Returns each field of an object that a write changes, with who set it: what a controller takes back must not be gone without a word.
 * @param live - the object before, with its managed fields. @param own - the manager that writes.
 */
export function overwrittenFields(
  live: KubernetesObject,
  {before, after}: Contents,
  own?: string,
): readonly OverwrittenField[] {
  const places = placesDiffering(before, after).flatMap(place => [
    ...leaves(place, partAt(before, place) ?? partAt(after, place)),
  ])
  return places.map(place => {
    const [was, is] = [partAt(before, place), partAt(after, place)]
    const managers = managersAt(live, place).map(({manager}) => manager)
    return {
      field: placeText(place),
      change: was === undefined ? 'restored' : is === undefined ? 'removed' : 'changed',
      managers: [...new Set(managers.filter(manager => manager !== own && !isApplier(manager)))],
    }
  })
}

/** Returns the fields that other managers set: those that a new version changes are its own. */
export function setByOthers(fields: readonly OverwrittenField[]): readonly OverwrittenField[] {
  return fields.filter(({managers}) => managers.length > 0)
}

/** Describes overwritten fields: `removed a, b (set by c); changed d`. */
export function overwrittenText(fields: readonly OverwrittenField[]): string {
  return (['removed', 'changed', 'restored'] as const)
    .map(change => ({change, own: fields.filter(field => field.change === change)}))
    .filter(({own}) => own.length > 0)
    .map(({change, own}) => `${change} ${own.map(fieldText).join(', ')}`)
    .join('; ')
}

function fieldText({field, managers}: OverwrittenField): string {
  const setBy = managers.length === 0 ? '' : ` (set by ${managers.map(escaped).join(', ')})`
  return `${field}${setBy}`
}

/** A map that is gone as a whole had fields of its own. */
function leaves(place: Place, value: JsonValue | undefined): readonly Place[] {
  const inner = isJsonObject(value)
    ? Object.entries(value).flatMap(([name, item]) => leaves([...place, name], item))
    : isJsonArray(value)
      ? itemLeaves(place, value)
      : []
  return inner.length === 0 ? [place] : inner
}

function itemLeaves(place: Place, items: JsonArray): readonly Place[] {
  const keys = items.map(item => keysOf(place.at(-1), item))
  return keys.flatMap(key => (key === undefined ? [] : [[...place, key]]))
}
