import {MAX_VALUES} from './anchors.js'
import {
  blanksAt,
  Doubt,
  doubt,
  endsAt,
  HASH,
  HYPHEN,
  LINE_FEED,
  lineEnd,
  Occurrences,
  SPACE,
  TAB,
} from './block-characters.js'
import {BlockScalars} from './block-scalars.js'
import type {BuiltDocument} from './build-value.js'
import type {JsonValue} from './json-value.js'
import {plainKey} from './plain-scalars.js'

/** The documents of a text, and how many values they have. */
export interface BlockText {
  readonly documents: readonly BuiltDocument[]
  readonly values: number
  /** The different keys and values without quotes that may be of a different type than text. */
  readonly ambiguous: ReadonlySet<string>
}

/**
 * Reads a text that is plain block style, as programs write it: undefined for any other, and at any doubt. What it
 * returns is what js-yaml's events give, without duplicate keys.
 */
export function readBlockStyle(text: string, maxValues = MAX_VALUES): BlockText | undefined {
  try {
    return new BlockReader(text).read(maxValues)
  } catch (error) {
    if (error instanceof Doubt) return undefined
    throw error
  }
}

/** Far less than the limit of all values: js-yaml reports what is deeper than that. */
const MAX_BLOCK_DEPTH = 60

/** Reads a text line by line, from its first one on. */
class BlockReader {
  readonly #text: string
  readonly #scalars: BlockScalars
  readonly #colons: Occurrences
  /** The offset and the column of the next character that is neither blank nor in a comment; -1 at the end. */
  #at = 0
  #column = 0
  #values = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#scalars = new BlockScalars(text)
    this.#colons = new Occurrences(text, ':')
  }

  read(maxValues: number): BlockText {
    if (this.#text.includes('\ufeff')) doubt()
    const documents: BuiltDocument[] = []
    this.#toContent(0)
    if (this.#column !== -1 && !this.#isMarker()) documents.push(this.#document())
    while (this.#column !== -1) {
      if (!this.#isMarker()) doubt()
      this.#toContent(this.#at + MARKER.length + 1)
      documents.push(this.#document())
    }
    if (this.#values > maxValues) doubt()
    return {documents, values: this.#values, ambiguous: this.#scalars.ambiguous}
  }

  #document(): BuiltDocument {
    const at = this.#at
    const isEmpty = this.#column === -1 || this.#isMarker()
    if (!isEmpty && this.#column > 0) doubt()
    return {at, value: isEmpty ? this.#nothing() : this.#collection(), duplicates: []}
  }

  #isMarker(): boolean {
    if (this.#column !== 0 || !this.#text.startsWith(MARKER, this.#at)) return false
    if (!endsAt(this.#text, this.#at + MARKER.length)) doubt()
    return true
  }

  /** Moves to the first content from the start of a line on. */
  #toContent(start: number): void {
    const text = this.#text
    for (let at = start; ; at = lineEnd(text, this.#at) + 1) {
      this.#column = blanksAt(text, at)
      this.#at = at + this.#column
      const code = text.charCodeAt(this.#at)
      if (code === TAB) doubt()
      if (this.#at >= text.length) this.#column = -1
      else if (code === HASH || code === LINE_FEED) continue
      return
    }
  }

  /** Reads the mapping or list that begins here. */
  #collection(): JsonValue {
    this.#values++
    if (++this.#depth > MAX_BLOCK_DEPTH) doubt()
    const value = this.#isItem(this.#at) ? this.#sequence(this.#column) : this.#mapping(this.#column)
    this.#depth--
    return value
  }

  /** Reports whether an offset is that of a hyphen before an item of a list. */
  #isItem(at: number): boolean {
    return this.#text.charCodeAt(at) === HYPHEN && !(this.#text.charCodeAt(at + 1) > SPACE)
  }

  #sequence(column: number): JsonValue[] {
    const items: JsonValue[] = []
    while (this.#column === column && this.#isItem(this.#at)) {
      const at = this.#at + 1 + blanksAt(this.#text, this.#at + 1)
      items.push(this.#item(at, column))
      if (this.#column > column) doubt()
    }
    return items
  }

  #item(at: number, column: number): JsonValue {
    if (endsAt(this.#text, at)) {
      this.#toContent(at + 1)
      return this.#column > column ? this.#collection() : this.#nothing()
    }
    if (!this.#isItem(at) && this.#key(at) === undefined) return this.#scalar(at, column)
    this.#column += at - this.#at
    this.#at = at
    return this.#collection()
  }

  #mapping(column: number): JsonValue {
    const mapping: Record<string, JsonValue> = {}
    while (this.#column === column && this.#text.charCodeAt(this.#at) !== HYPHEN) {
      const key = this.#key(this.#at) ?? doubt()
      // A key that every object inherits is no duplicate, but it is as rare as one.
      if (mapping[key] !== undefined) doubt()
      mapping[key] = this.#value(this.#colons.next(this.#at) + 1, column)
      if (this.#column > column) doubt()
    }
    return mapping
  }

  /** Returns the plain key at an offset, before a colon; undefined if there is none. */
  #key(at: number): string | undefined {
    const end = this.#colons.next(at)
    if (end - at > MAX_KEY_LENGTH || end === this.#text.length) return undefined
    if (this.#text.charCodeAt(end + 1) > SPACE) return undefined
    const text = this.#text.slice(at, end)
    return plainKey(text, this.#scalars.ambiguous)
  }

  /** Reads the value after the colon of a key; a list can be in the column of its key. */
  #value(after: number, column: number): JsonValue {
    const at = after + blanksAt(this.#text, after)
    if (!endsAt(this.#text, at)) return this.#scalar(at, column)
    this.#toContent(at + 1)
    if (this.#column > column) return this.#collection()
    return this.#column === column && this.#isItem(this.#at) ? this.#collection() : this.#nothing()
  }

  #scalar(at: number, column: number): JsonValue {
    this.#values++
    const value = this.#scalars.read(at, column)
    this.#values += this.#scalars.inner
    this.#toContent(this.#scalars.end + 1)
    return value
  }

  #nothing(): null {
    this.#values++
    return null
  }
}

const MARKER = '---'

const MAX_KEY_LENGTH = 100
