import {blanksAt, doubt} from './block-characters.js'
import {detached} from './detached.js'
import type {JsonValue} from './json-value.js'
import {plainKey, plainValue} from './plain-scalars.js'

/** A collection in brackets or braces. */
export interface FlowCollection {
  readonly value: JsonValue
  /** The offset after it. */
  readonly end: number
  /** The number of values in it, without itself. */
  readonly values: number
}

/**
 * Reads a collection in brackets or braces on one line, as users write short ones: keys without quotes, and values that are words,
 * numbers, quoted text without escapes or such collections. Leaves any other to js-yaml.
 */
export function readFlowCollection(text: string, at: number, ambiguous: Set<string>): FlowCollection {
  const reader = new FlowReader(text, at, ambiguous)
  const value = reader.collection()
  return {value, end: reader.at, values: reader.values}
}

/** Far less than the limit of all values, also within the deepest block. */
const MAX_FLOW_DEPTH = 20

class FlowReader {
  readonly #text: string
  readonly #ambiguous: Set<string>
  #depth = 0
  /** The offset of the next character. */
  at: number
  values = 0

  constructor(text: string, at: number, ambiguous: Set<string>) {
    this.#text = text
    this.at = at
    this.#ambiguous = ambiguous
  }

  collection(): JsonValue {
    if (++this.#depth > MAX_FLOW_DEPTH) doubt()
    const value = this.#text[this.at] === '{' ? this.#mapping() : this.#list()
    this.#depth--
    return value
  }

  #mapping(): JsonValue {
    const mapping: Record<string, JsonValue> = {}
    this.#entries('}', () => {
      const [key, after] = this.#key()
      // A key that every object inherits is no duplicate, but it is as rare as one.
      if (mapping[key] !== undefined) doubt()
      this.at = after
      mapping[key] = this.#value()
    })
    return mapping
  }

  #list(): JsonValue {
    const items: JsonValue[] = []
    this.#entries(']', () => items.push(this.#value()))
    return items
  }

  /** Reads what commas separate, to the closing bracket; a comma after the last one is left to js-yaml. */
  #entries(close: string, readOne: () => void): void {
    this.#skip(1)
    if (this.#text[this.at] === close) {
      this.at++
      return
    }
    for (; ; this.#skip(1)) {
      readOne()
      this.#skip(0)
      const next = this.#text[this.at]
      if (next === close) break
      if (next !== ',') doubt()
    }
    this.at++
  }

  /** Moves over characters, and blanks after them. */
  #skip(length: number): void {
    this.at += length
    this.at += blanksAt(this.#text, this.at)
  }

  /** Returns a key, and the offset of its value. */
  #key(): readonly [string, number] {
    const [text = doubt(), name = doubt()] = this.#match(FLOW_KEY)
    return [plainKey(name, this.#ambiguous) ?? doubt(), this.at + text.length]
  }

  #value(): JsonValue {
    this.values++
    const first = this.#text[this.at]
    if (first === '{' || first === '[') return this.collection()
    if (first === '"' || first === "'") return this.#quoted(first === '"' ? DOUBLE_QUOTED : SINGLE_QUOTED)
    const [text = doubt()] = this.#match(PLAIN)
    this.at += text.length
    return plainValue(text, this.#ambiguous)
  }

  #quoted(pattern: RegExp): JsonValue {
    const [text = doubt(), content = doubt()] = this.#match(pattern)
    this.at += text.length
    return detached(content)
  }

  #match(pattern: RegExp): readonly (string | undefined)[] {
    return pattern.exec(this.#text.slice(this.at)) ?? []
  }
}

const FLOW_KEY = /^([a-zA-Z0-9$._][a-zA-Z0-9$./_-]{0,99}): +/
/** Blanks are between words only; what follows is a comma, a bracket or another character that is left to js-yaml. */
const PLAIN = /^(?:[a-zA-Z0-9$._]|-[a-zA-Z0-9])[a-zA-Z0-9$./_+-]*(?: +[a-zA-Z0-9$./_+-]+)*/
const DOUBLE_QUOTED = /^"([^"\\\n\t]*)"/
/** A doubled quote is an escape: what follows the first one is then no comma. */
const SINGLE_QUOTED = /^'([^'\n\t]*)'/
