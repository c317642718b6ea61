import type {JsonValue} from './json-value.js'
import {MAX_FILE_BYTES} from './source-text.js'
import type {Reject} from './yaml-error.js'

/**
 * The maximum number of values in one file, including those that its aliases repeat: 20 times the largest known CRD.
 */
export const MAX_VALUES = 200_000
/** The maximum depth of collections, also through aliases. */
export const MAX_DEPTH = 100
/** Aliases can repeat as much text as a whole file can have. */
const MAX_REPEATED_TEXT = MAX_FILE_BYTES

/** The amounts that have been read so far, with aliases expanded. */
interface Tally {
  readonly values: number
  readonly text: number
}

/** A scalar before it was resolved, with its full tag, or '' for none. */
export interface TaggedText {
  readonly text: string
  readonly plain: boolean
  readonly tag: string
}

/** A value that an alias can repeat. */
export interface Anchor {
  /** Undefined while the value is being read: an alias to it would contain itself. */
  value: JsonValue | undefined
  /** The scalar before it was resolved, if it is one: it can be a key. */
  scalar: TaggedText | undefined
  /** The number of values and characters of text in it, and its depth of collections. */
  size: Tally
  height: number
  /** The deepest collection that was open, outside of this value. */
  readonly deepestBefore: number
}

/**
 * The anchors of the documents of one file, and the total size of its values. An alias counts as if its value had been
 * written again, because it is written in full: a small file must not give a large output.
 */
export class Anchors {
  readonly #reject: Reject
  readonly #maxValues: number
  readonly #anchors = new Map<string, Anchor>()
  #values = 0
  #text = 0
  #repeatedText = 0
  #depth = 0
  #deepest = 0
  #valuesBefore = 0
  #repeatedValues = 0

  constructor(reject: Reject, maxValues = MAX_VALUES) {
    this.#reject = reject
    this.#maxValues = maxValues
  }

  get depth(): number {
    return this.#depth
  }

  /** All values counted so far, of all documents. */
  get values(): number {
    return this.#values
  }

  /** Forgets the anchors: they are those of one document. */
  startDocument(): void {
    this.#anchors.clear()
    this.#valuesBefore = this.#values
    this.#repeatedValues = 0
  }

  /** Counts one value and its text, in characters. */
  count(text: number, at: number): void {
    this.#values++
    this.#text += text
    if (this.#values > this.#maxValues) this.#rejectAsTooMany(at)
  }

  /** Counts the text of a key, in characters. */
  countKey(text: number): void {
    this.#text += text
  }

  enter(at: number): void {
    this.#depth++
    if (this.#depth > this.#deepest) this.#deepest = this.#depth
    if (this.#depth > MAX_DEPTH) this.#rejectAsTooDeep(at)
  }

  leave(): void {
    this.#depth--
  }

  /** Names the next value; a redefined name refers to the newer value from here on. */
  open(name: string): Anchor {
    const size = {values: this.#values, text: this.#text}
    const anchor = {value: undefined, scalar: undefined, size, height: 0, deepestBefore: this.#deepest}
    this.#anchors.set(name, anchor)
    this.#deepest = this.#depth
    return anchor
  }

  close(anchor: Anchor, value: JsonValue, scalar?: TaggedText): void {
    const {values, text} = anchor.size
    const height = this.#deepest - this.#depth
    Object.assign(anchor, {
      value,
      scalar,
      size: {values: this.#values - values, text: this.#text - text},
      height,
    })
    this.#deepest = Math.max(this.#deepest, anchor.deepestBefore)
  }

  /** Returns the value of an alias, counted as if it were written here in full. */
  repeat(name: string, at: number): Anchor & {readonly value: JsonValue} {
    const anchor = this.#anchors.get(name)
    if (anchor === undefined) return this.#reject('yaml-syntax', `the anchor ${name} is not defined`, at)
    if (!isComplete(anchor)) {
      return this.#reject('yaml-alias-cycle', `the value of the anchor ${name} contains itself`, at)
    }
    this.#values += anchor.size.values
    this.#text += anchor.size.text
    this.#repeatedValues += anchor.size.values
    this.#repeatedText += anchor.size.text
    this.#deepest = Math.max(this.#deepest, this.#depth + anchor.height)
    this.#rejectExpansion(anchor, at)
    return anchor
  }

  #rejectExpansion(anchor: Anchor, at: number): void {
    if (this.#depth + anchor.height > MAX_DEPTH) this.#rejectAsTooDeep(at)
    if (this.#values > this.#maxValues) this.#rejectAsTooMany(at)
    const values = this.#values - this.#valuesBefore
    if (isExcessive(this.#repeatedValues, values) || this.#repeatedText > MAX_REPEATED_TEXT) {
      this.#reject('yaml-limit', 'nearly all of the document is repeated by its aliases', at)
    }
  }

  #rejectAsTooDeep(at: number): never {
    return this.#reject('yaml-limit', `values are nested more than ${MAX_DEPTH} levels deep`, at)
  }

  #rejectAsTooMany(at: number): never {
    return this.#reject('yaml-limit', `the file has more than ${this.#maxValues} values`, at)
  }
}

function isComplete(anchor: Anchor): anchor is Anchor & {readonly value: JsonValue} {
  return anchor.value !== undefined
}

/** The share of a document that go-yaml v2 allows to be repetition: 99 %, and less in a large one. */
function isExcessive(repeated: number, values: number): boolean {
  if (repeated <= 100 || values <= 1000) return false
  const share = values <= 400_000 ? 0.99 : 0.99 - (0.89 * (values - 400_000)) / 3_600_000
  return repeated / values > share
}
