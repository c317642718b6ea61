import {
  type Event,
  EVENT_ID,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'
import {type GoScalar, keyText, resolvePlain, resolveTagged} from './go-scalars.js'
import type {FieldPath, JsonValue} from './json-value.js'
import type {Refuse} from './yaml-fault.js'

/** The most values that one file may hold once its aliases are written out. */
export const MAX_VALUES = 1_000_000
/** The deepest that values may be nested, aliases written out. */
export const MAX_DEPTH = 100

/** A key that a mapping has twice: where it stands, and the offset of its second place. */
export interface DuplicateKey {
  readonly path: FieldPath
  readonly offset: number
}

/** The events of one text, and how to end the reading of it. */
export interface EventSource {
  readonly text: string
  readonly events: readonly Event[]
  readonly refuse: Refuse
}

/** A value with its size and height once aliases are written out. */
interface Built {
  readonly value: JsonValue
  readonly count: number
  readonly height: number
  readonly isMapping: boolean
}

/** Builds the documents of one text from the parser's events. */
export class ValueBuilder {
  readonly #source: EventSource
  readonly #path: (string | number)[] = []
  #anchors = new Map<string, Built | 'open'>()
  #duplicates: DuplicateKey[] = []
  #next = 0
  #total = 0

  constructor(source: EventSource) {
    this.#source = source
  }

  /** The document whose first event stands at this index. */
  document(index: number): {readonly value: JsonValue; readonly duplicates: readonly DuplicateKey[]} {
    this.#next = index + 1
    this.#anchors = new Map()
    this.#duplicates = []
    return {value: this.#node().value, duplicates: this.#duplicates}
  }

  #node(): Built {
    const event = this.#source.events[this.#next++]
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#anchored(event, () => this.#scalarValue(event))
      case EVENT_ID.SEQUENCE:
        return this.#anchored(event, () => this.#sequence())
      case EVENT_ID.MAPPING:
        return this.#anchored(event, () => this.#mapping())
      case EVENT_ID.ALIAS:
        return this.#alias(event.anchorStart, event.anchorEnd)
      default:
        return {value: null, count: 0, height: 0, isMapping: false}
    }
  }

  #anchored(event: ScalarEvent | SequenceEvent | MappingEvent, build: () => Built): Built {
    if (event.anchorStart === -1) return build()
    const name = this.#source.text.slice(event.anchorStart, event.anchorEnd)
    this.#anchors.set(name, 'open')
    const built = build()
    this.#anchors.set(name, built)
    return built
  }

  #alias(start: number, end: number): Built {
    const name = this.#source.text.slice(start, end)
    const target = this.#anchors.get(name)
    if (target === undefined)
      return this.#source.refuse('yaml-syntax', `*${name} is no anchor of this document`, start)
    if (target === 'open')
      return this.#source.refuse('yaml-alias-cycle', `*${name} stands inside of &${name}`, start)
    this.#count(target.count, start)
    if (this.#path.length + target.height > MAX_DEPTH) this.#tooDeep(start)
    return target
  }

  #count(values: number, offset: number): void {
    this.#total += values
    if (this.#total <= MAX_VALUES) return
    this.#source.refuse('yaml-limit', `a file may hold ${MAX_VALUES} values, aliases written out`, offset)
  }

  #tooDeep(offset: number): never {
    return this.#source.refuse(
      'yaml-limit',
      `values may be nested ${MAX_DEPTH} deep, aliases written out`,
      offset,
    )
  }

  #scalarValue(event: ScalarEvent): Built {
    this.#count(1, event.valueStart)
    return {value: this.#scalar(event).value, count: 1, height: 0, isMapping: false}
  }

  #scalar(event: ScalarEvent): GoScalar {
    const text = scalarText(this.#source.text, event)
    const tag = event.tagStart === -1 ? '' : shortTag(this.#source.text.slice(event.tagStart, event.tagEnd))
    if (tag === '')
      return event.style === SCALAR_STYLE.PLAIN ? this.#accept(resolvePlain(text), event) : {value: text}
    return this.#accept(resolveTagged(tag, text), event)
  }

  #accept(resolved: ReturnType<typeof resolvePlain>, event: ScalarEvent): GoScalar {
    if (!('rule' in resolved)) return resolved
    return this.#source.refuse(resolved.rule, resolved.message, event.valueStart)
  }

  #sequence(): Built {
    const items: JsonValue[] = []
    let [count, height] = [1, 0]
    this.#count(1, 0)
    while (!this.#ends()) {
      this.#path.push(items.length)
      const item = this.#node()
      this.#path.pop()
      items.push(item.value)
      count += item.count
      height = Math.max(height, item.height)
    }
    return {value: items, count, height: height + 1, isMapping: false}
  }

  #mapping(): Built {
    const entries: Record<string, JsonValue> = {}
    const given = new Set<string>()
    let [count, height] = [1, 0]
    this.#count(1, 0)
    while (!this.#ends()) {
      const key = this.#source.events[this.#next]
      const value = isMergeKey(this.#source.text, key) ? this.#merge(entries) : this.#entry(entries, given)
      count += value.count
      height = Math.max(height, value.height)
    }
    return {value: entries, count, height: height + 1, isMapping: true}
  }

  /** Whether the collection ends here; then the event that says so is taken. */
  #ends(): boolean {
    const event = this.#source.events[this.#next]
    if (event !== undefined && event.type !== EVENT_ID.POP) return false
    this.#next += 1
    return true
  }

  #entry(entries: Record<string, JsonValue>, given: Set<string>): Built {
    const event = this.#source.events[this.#next++]
    const offset = offsetOf(event)
    const key = this.#key(event, offset)
    this.#path.push(key)
    if (given.has(key)) this.#duplicates.push({path: [...this.#path], offset})
    given.add(key)
    const built = this.#node()
    this.#path.pop()
    setOwn(entries, key, built.value)
    return built
  }

  #key(event: Event | undefined, offset: number): string {
    const scalar = event?.type === EVENT_ID.SCALAR ? this.#scalar(event) : this.#aliasedKey(event)
    const key = scalar === undefined ? undefined : keyText(scalar)
    return key ?? this.#source.refuse('yaml-key', 'a key has to be a string, a number or a boolean', offset)
  }

  #aliasedKey(event: Event | undefined): GoScalar | undefined {
    if (event?.type !== EVENT_ID.ALIAS) return undefined
    const {value} = this.#alias(event.anchorStart, event.anchorEnd)
    return typeof value === 'object' ? undefined : {value}
  }

  /** go-yaml merges where the key stands: keys before it are overridden, keys after it override. */
  #merge(entries: Record<string, JsonValue>): Built {
    const offset = offsetOf(this.#source.events[this.#next++])
    const isList = this.#source.events[this.#next]?.type === EVENT_ID.SEQUENCE
    const parts: Built[] = []
    if (isList) {
      this.#next += 1
      while (!this.#ends()) parts.push(this.#node())
    } else parts.push(this.#node())
    // Of several the first counts most, so it is merged last.
    for (const part of parts.reverse()) {
      if (!part.isMapping) this.#source.refuse('yaml-syntax', '<< merges mappings only', offset)
      for (const [key, value] of Object.entries(part.value as Record<string, JsonValue>))
        setOwn(entries, key, value)
    }
    const [count, height] = [
      sum(parts.map(part => part.count)),
      Math.max(0, ...parts.map(part => part.height - 1)),
    ]
    return {value: null, count, height, isMapping: true}
  }
}

/**
 * A block scalar at the very end of a text without a last line break has none either, as in libyaml; js-yaml adds one
 * (YAML 1.2.2, 8.1.1.2, leaves it open).
 */
function scalarText(source: string, event: ScalarEvent): string {
  const text = getScalarValue(source, event)
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK
  const endsOpen = isBlock && event.valueEnd >= source.length && !source.endsWith('\n') && text.endsWith('\n')
  return endsOpen ? text.slice(0, -1) : text
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Assignment would reach the prototype for `__proto__`. */
function setOwn(entries: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(entries, key, {value, enumerable: true, configurable: true, writable: true})
  // eslint-disable-next-line no-param-reassign -- it is the mapping being built, and this is the innermost loop
  else entries[key] = value
}

function isMergeKey(text: string, event: Event | undefined): boolean {
  if (event?.type !== EVENT_ID.SCALAR) return false
  const {style, valueStart, valueEnd, tagStart, tagEnd} = event
  if (valueEnd - valueStart !== 2 || style !== SCALAR_STYLE.PLAIN || !text.startsWith('<<', valueStart))
    return false
  return tagStart === -1 || shortTag(text.slice(tagStart, tagEnd)) === '!!merge'
}

const TAG_PREFIX = 'tag:yaml.org,2002:'

/** `!!str` for each of the ways to write that tag. */
function shortTag(tag: string): string {
  const verbatim = tag.startsWith('!<') ? tag.slice(2, -1) : tag
  return verbatim.startsWith(TAG_PREFIX) ? `!!${verbatim.slice(TAG_PREFIX.length)}` : verbatim
}

/** Where an event's content begins in the text. */
export function offsetOf(event: Event | undefined): number {
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return event.valueStart
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start
    case EVENT_ID.ALIAS:
      return event.anchorStart
    default:
      return -1
  }
}
