import {type FieldPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from './json-value.js'
import type {Refuse} from './yaml-error.js'

/** A key that was given before in the same mapping, at the offset at which it is given again. */
export interface DuplicateKey {
  readonly path: FieldPath
  readonly at: number
}

/** The most duplicate keys that are reported of one document. */
const MAX_DUPLICATES = 100

/** Where the parts of a document begin: by collection, then by key or index. */
export type Positions = Map<object, Map<string | number, number>>

/** A mapping under construction. */
export type OpenMapping = Record<string, JsonValue>

/** Puts entries into mappings: which of two with the same key counts, and what a merge takes over. */
export class Entries {
  readonly #refuse: Refuse
  readonly #positions: Positions | undefined
  /** The keys that a mapping has from a merge only, which an own key may give again. */
  readonly #merged = new Map<object, Set<string>>()
  readonly #path: (string | number)[] = []
  readonly duplicates: DuplicateKey[] = []

  constructor(refuse: Refuse, positions: Positions | undefined) {
    this.#refuse = refuse
    this.#positions = positions
  }

  /** Notes that the entry of this key or index is read next, in a collection so many levels deep. */
  begin(collection: object, step: string | number, depth: number, at: number): void {
    this.#path[depth] = step
    if (this.#positions !== undefined) this.#locate(this.#positions, collection, step, at)
  }

  #locate(positions: Positions, collection: object, step: string | number, at: number): void {
    const known = positions.get(collection)
    if (known === undefined) positions.set(collection, new Map([[step, at]]))
    else known.set(step, at)
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
   * `<<` as go-yaml v2 has it: what it takes over replaces what stands before it and yields to what comes after it.
   * Of a list of mappings the earlier ones count.
   */
  merge(mapping: OpenMapping, source: JsonValue, at: number): void {
    const sources = isJsonArray(source) ? source.toReversed() : [source]
    for (const each of sources) {
      if (!isJsonObject(each)) return this.#refuse('yaml-key', '<< takes a mapping or a list of mappings', at)
      this.#mergeOne(mapping, each, at)
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

/** An own property of any name, `__proto__` included. */
function assign(mapping: OpenMapping, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(mapping, key, {value, enumerable: true, configurable: true, writable: true})
  } else {
    // eslint-disable-next-line no-param-reassign -- a mapping is filled while it is read
    mapping[key] = value
  }
}
