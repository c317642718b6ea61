import {
  type DocumentEvent,
  type Event,
  EVENT_ID,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'
import {type Anchor, Anchors, type TaggedText} from './anchors.js'
import {type DuplicateKey, Entries, type OpenMapping, type Positions} from './entries.js'
import {detached} from './detached.js'
import {fullTag, scalarText, startOf, tagHandles} from './event-text.js'
import {goScalar, isWord} from './go-scalars.js'
import type {JsonValue} from './json-value.js'
import {MERGE, mappingKey} from './mapping-key.js'
import type {ParsedText} from './parse-events.js'
import type {Reject} from './yaml-error.js'

/** One document of a text. */
export interface BuiltDocument {
  readonly value: JsonValue
  /** Offset at which its value begins. */
  readonly at: number
  readonly duplicates: readonly DuplicateKey[]
}

/** Builds the documents of a text, in their order. With `positions`, also records where each part begins. */
export class DocumentBuilder {
  readonly #text: string
  readonly #events: readonly Event[]
  readonly #reject: Reject
  readonly #positions: Positions | undefined
  readonly #anchors: Anchors
  #entries: Entries
  #handles: ReadonlyMap<string, string> = new Map()
  #next = 0
  /** The start of the last event with a position: omitted values are after it. */
  #at = 0

  constructor(parsed: ParsedText, reject: Reject, positions?: Positions, maxValues?: number) {
    this.#text = parsed.text
    this.#events = parsed.events
    this.#reject = reject
    this.#positions = positions
    this.#anchors = new Anchors(reject, maxValues)
    this.#entries = new Entries(reject, positions)
  }

  /** The number of values of all documents so far, including those that aliases repeat. */
  get values(): number {
    return this.#anchors.values
  }

  /** The next document; undefined after the last one. */
  document(): BuiltDocument | undefined {
    const event = this.#take()
    if (event?.type !== EVENT_ID.DOCUMENT) return undefined
    this.#startDocument(event)
    const root = this.#take()
    const at = this.#at
    const value = this.#node(root)
    this.#take()
    return {value, at, duplicates: this.#entries.duplicates}
  }

  #startDocument(event: DocumentEvent): void {
    this.#anchors.startDocument()
    this.#entries = new Entries(this.#reject, this.#positions)
    this.#handles = tagHandles(event)
  }

  #take(): Event | undefined {
    const event = this.#events[this.#next++]
    this.#at = (event === undefined ? undefined : startOf(event)) ?? this.#at
    return event
  }

  /** Takes the next event; undefined if it is the end of the collection around it. */
  #takeChild(): Event | undefined {
    const event = this.#take()
    return event?.type === EVENT_ID.POP ? undefined : event
  }

  #node(event: Event | undefined): JsonValue {
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event)
      case EVENT_ID.ALIAS:
        return this.#repeated(event.anchorStart, event.anchorEnd).value
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING:
        return this.#collection(event, this.#anchorOf(event))
      default:
        return null
    }
  }

  #anchorOf({anchorStart, anchorEnd}: ScalarEvent | SequenceEvent | MappingEvent): Anchor | undefined {
    return anchorStart === -1 ? undefined : this.#anchors.open(this.#text.slice(anchorStart, anchorEnd))
  }

  #repeated(nameStart: number, nameEnd: number): Anchor & {readonly value: JsonValue} {
    return this.#anchors.repeat(this.#text.slice(nameStart, nameEnd), this.#at)
  }

  #scalar(event: ScalarEvent): JsonValue {
    const anchor = this.#anchorOf(event)
    const scalar = this.#taggedText(event)
    this.#anchors.count(scalar.text.length, this.#at)
    const resolved = this.#resolve(scalar)
    const value = typeof resolved === 'string' ? detached(resolved) : resolved
    if (anchor !== undefined) this.#anchors.close(anchor, value, scalar)
    return value
  }

  #taggedText(event: ScalarEvent): TaggedText {
    const text = scalarText(this.#text, event, this.#reject)
    const {tagStart, tagEnd, style} = event
    const tag = tagStart === -1 ? '' : fullTag(this.#text.slice(tagStart, tagEnd), this.#handles)
    return {text, plain: style === SCALAR_STYLE.PLAIN, tag}
  }

  #resolve({text, plain, tag}: TaggedText): JsonValue {
    if (tag === '' && (!plain || isWord(text))) return text
    const scalar = goScalar(text, plain, tag)
    if (scalar.kind === 'rejected') return this.#reject(scalar.rule, scalar.message, this.#at)
    return scalar.kind === 'float' ? this.#float(Number(scalar.value), text) : scalar.value
  }

  /** Kubernetes has one zero. */
  #float(value: number, text: string): number {
    if (!Number.isFinite(value)) return this.#reject('yaml-number', `JSON has no number ${text}`, this.#at)
    return value === 0 ? 0 : value
  }

  /** go-yaml ignores tags of collections. */
  #collection(event: SequenceEvent | MappingEvent, anchor: Anchor | undefined): JsonValue {
    this.#anchors.count(0, this.#at)
    this.#anchors.enter(this.#at)
    const value = event.type === EVENT_ID.SEQUENCE ? this.#sequence() : this.#mapping()
    this.#anchors.leave()
    if (anchor !== undefined) this.#anchors.close(anchor, value)
    return value
  }

  #sequence(): JsonValue[] {
    const items: JsonValue[] = []
    for (let event = this.#takeChild(); event !== undefined; event = this.#takeChild()) {
      this.#entries.begin(items, items.length, this.#anchors.depth - 1, this.#at)
      items.push(this.#node(event))
    }
    return items
  }

  #mapping(): OpenMapping {
    const mapping: OpenMapping = {}
    for (let event = this.#takeChild(); event !== undefined; event = this.#takeChild()) {
      this.#entry(mapping, this.#key(event), this.#at)
    }
    return mapping
  }

  #entry(mapping: OpenMapping, key: string | typeof MERGE, at: number): void {
    const depth = this.#anchors.depth - 1
    this.#entries.begin(mapping, key === MERGE ? '<<' : key, depth, at)
    const value = this.#node(this.#take())
    if (key === MERGE) this.#entries.merge(mapping, value, at)
    else this.#entries.add(mapping, key, value, depth, at)
  }

  #key(event: Event): string | typeof MERGE {
    const {text, plain, tag} = this.#keyText(event)
    this.#anchors.countKey(text.length)
    const key = mappingKey(text, plain, tag)
    return typeof key === 'object' ? this.#reject(key.rule, key.message, this.#at) : key
  }

  #keyText(event: Event): TaggedText {
    if (event.type === EVENT_ID.SCALAR) {
      if (event.anchorStart !== -1) this.#scalar(event)
      this.#expectUndisputed(event)
      return this.#taggedText(event)
    }
    const scalar =
      event.type === EVENT_ID.ALIAS ? this.#repeated(event.anchorStart, event.anchorEnd).scalar : undefined
    if (scalar === undefined)
      return this.#reject('yaml-key', 'a mapping or a list is not a valid key', this.#at)
    // Only a literal `<<` merges.
    return scalar.text === '<<' ? {text: '<<', plain: false, tag: ''} : scalar
  }

  /** `[a:]` is a mapping in YAML 1.2 and the text `a:` to go-yaml. */
  #expectUndisputed({style, valueEnd}: ScalarEvent): void {
    if (style !== SCALAR_STYLE.PLAIN || this.#text.charAt(valueEnd) !== ':') return
    if (BLANKS.includes(this.#text.charAt(valueEnd + 1))) return
    this.#reject(
      'yaml-syntax',
      'a : before a comma or bracket requires a space after it, or quotes',
      valueEnd,
    )
  }
}

const BLANKS = ' \t\n'
