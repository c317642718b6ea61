import {type FieldPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from './json-value.js'
import type {Reject} from './yaml-error.js'

/** A duplicate key of a mapping, at the offset of its second occurrence. */
export interface DuplicateKey {
  readonly path: FieldPath
  readonly at: number
}

/** The maximum number of duplicate keys that are reported for one document. */
const MAX_DUPLICATES = 100

/** The positions of the parts of a document: by collection, then by key or index. */
export type Positions = Map<object, Map<string | number, number>>

/** A mapping under construction. */
export type OpenMapping = Record<string, JsonValue>

/** Adds entries to mappings: decides on duplicate keys and merges. */
export class Entries {
  readonly #reject: Reject
  readonly #positions: Positions | undefined
  /** The keys that a mapping has from a merge only, which an own key can override. */
  readonly #merged = new Map<object, Set<string>>()
  readonly #path: (string | number)[] = []
  readonly duplicates: DuplicateKey[] = []

  constructor(reject: Reject, positions: Positions | undefined) {
    this.#reject = reject
    this.#positions = positions
  }

  /** Records that the entry of this key or index is read next, in a collection at this depth. */
  begin(collection: object, step: string | number, depth: number, at: number): void {
    this.#path[depth] = step
    if (this.#positions !== undefined) this.#locate(this.#positions, collection, step, at)
  }

  #locate(positions: Positions, collection: object, step: string | number, at: number): void {
    const steps = positions.get(collection)
    if (steps === undefined) positions.set(collection, new Map([[step, at]]))
    else steps.set(step, at)
  }

  /** Adds an entry; the last one of a key counts. */
  add(mapping: OpenMapping, key: string, value: JsonValue, depth: number, at: number): void {
    if (Object.hasOwn(mapping, key) && this.#merged.get(mapping)?.delete(key) !== true) {
      this.#noteDuplicate(key, depth, at)
    }
    assign(mapping, key, value)
  }

  #noteDuplicate(key: string, depth: number, at: number): void {
    if (this.duplicates.length === MAX_DUPLICATES) return
    this.duplicates.push({path: [...this.#path.slice(0, depth), key], at})
  }

  /**
   * Merges `<<` as go-yaml v2 does: merged entries replace earlier ones and are replaced by later ones. Of a list of
   * mappings the earlier ones take precedence.
   */
  merge(mapping: OpenMapping, source: JsonValue, at: number): void {
    const sources = isJsonArray(source) ? source.toReversed() : [source]
    for (const value of sources) {
      if (!isJsonObject(value))
        return this.#reject('yaml-key', '<< takes a mapping or a list of mappings', at)
      this.#mergeOne(mapping, value, at)
    }
  }

  #mergeOne(mapping: OpenMapping, source: JsonObject, at: number): void {
    const merged = this.#merged.get(mapping) ?? new Set()
    this.#merged.set(mapping, merged)
    for (const [key, value] of Object.entries(source)) {
      merged.add(key)
      assign(mapping, key, value)
      const origin = this.#positions?.get(source)?.get(key) ?? at
      if (this.#positions !== undefined) this.#locate(this.#positions, mapping, key, origin)
    }
  }
}

/** Defines an own property of any name, including `__proto__`. */
function assign(mapping: OpenMapping, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(mapping, key, {value, enumerable: true, configurable: true, writable: true})
  } else {
    // eslint-disable-next-line no-param-reassign -- a mapping is filled while it is read
    mapping[key] = value
  }
}
