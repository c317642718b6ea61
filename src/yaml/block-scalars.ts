import {CHOMPING_MODE, EVENT_ID, SCALAR_STYLE, type ScalarEvent, type ScalarStyle} from 'js-yaml'
import {
  blanksAt,
  doubt,
  endsAt,
  lineEnd,
  HASH,
  HYPHEN,
  LINE_FEED,
  Occurrences,
  PLUS,
  SINGLE_QUOTE,
  SPACE,
  TAB,
} from './block-characters.js'
import {detached} from './detached.js'
import {scalarText} from './event-text.js'
import {readFlowCollection} from './flow-collections.js'
import type {JsonValue} from './json-value.js'
import {plainValue} from './plain-scalars.js'

/**
 * Reads the scalars of block style: it only finds where they end, as js-yaml does; their texts and types are those of
 * every other scalar.
 */
export class BlockScalars {
  readonly #text: string
  readonly #tabs: Occurrences
  readonly #colons: Occurrences
  readonly #hashes: Occurrences
  readonly #quotes: Occurrences
  readonly #backslashes: Occurrences
  /** The offset at which the line of the last scalar ends. */
  end = 0
  /** The number of values in the last scalar, if it is a collection in brackets or braces. */
  inner = 0
  /** The different texts without quotes that may be of a different type than text. */
  readonly ambiguous = new Set<string>()

  constructor(text: string) {
    this.#text = text
    this.#tabs = new Occurrences(text, '\t')
    this.#colons = new Occurrences(text, ':')
    this.#hashes = new Occurrences(text, '#')
    this.#quotes = new Occurrences(text, '"')
    this.#backslashes = new Occurrences(text, '\\')
  }

  /** Reads the scalar, or the collection in brackets or braces, at an offset. `indent` is the column of the block around it. */
  read(at: number, indent: number): JsonValue {
    this.inner = 0
    switch (this.#text.charAt(at)) {
      case "'":
        return this.#singleQuoted(at + 1, indent)
      case '"':
        return this.#doubleQuoted(at + 1, indent)
      case '|':
        return this.#block(at + 1, indent, SCALAR_STYLE.LITERAL_BLOCK)
      case '>':
        return this.#block(at + 1, indent, SCALAR_STYLE.FOLDED_BLOCK)
      case '[':
      case '{':
        return this.#flowCollection(at)
      default:
        return this.#plain(at, indent)
    }
  }

  #flowCollection(at: number): JsonValue {
    const {value, end, values} = readFlowCollection(this.#text, at, this.ambiguous)
    this.inner = values
    this.#endLine(end)
    return value
  }

  /** Moves to the end of a line of which only blanks are left. */
  #endLine(at: number): void {
    this.end = at + blanksAt(this.#text, at)
    if (!endsAt(this.#text, this.end)) doubt()
  }

  #plain(at: number, indent: number): JsonValue {
    if (!this.#startsPlain(at)) doubt()
    let end = this.#plainEnd(at)
    let isOneLine = true
    for (let next = this.#continuation(indent); next !== -1; next = this.#continuation(indent)) {
      isOneLine = false
      end = this.#plainEnd(next)
    }
    const source = this.#text.slice(at, end)
    const text = isOneLine ? source : folded(source)
    return plainValue(text, this.ambiguous)
  }

  #startsPlain(at: number): boolean {
    const first = this.#text.charAt(at)
    if (first === '-') return this.#text.charCodeAt(at + 1) > SPACE
    return !INDICATORS.has(first)
  }

  /** Returns where the text of a plain line ends; it must not be a key, nor be followed by a comment. */
  #plainEnd(start: number): number {
    const text = this.#text
    this.end = lineEnd(text, start)
    if (this.#tabs.next(start) < this.end) doubt()
    for (let at = this.#colons.next(start); at < this.end; at = this.#colons.next(at + 1))
      if (!(text.charCodeAt(at + 1) > SPACE)) doubt()
    for (let at = this.#hashes.next(start); at < this.end; at = this.#hashes.next(at + 1))
      if (text.charCodeAt(at - 1) === SPACE) doubt()
    let end = this.end
    while (text.charCodeAt(end - 1) === SPACE) end--
    return end
  }

  /** Returns the offset of the next line of a plain scalar, -1 after the last one. */
  #continuation(indent: number): number {
    const text = this.#text
    let start = this.end
    let blanks = 0
    do {
      start += blanks + 1
      blanks = blanksAt(text, start)
    } while (text.charCodeAt(start + blanks) === LINE_FEED)
    const code = text.charCodeAt(start + blanks)
    if (code === TAB) doubt()
    return blanks <= indent || start + blanks >= text.length || code === HASH ? -1 : start + blanks
  }

  #singleQuoted(start: number, indent: number): JsonValue {
    const text = this.#text
    let end = this.#quote(start)
    let isDoubled = false
    for (; text.charCodeAt(end + 1) === SINGLE_QUOTE; end = this.#quote(end + 2)) isDoubled = true
    const isOneLine = this.#expectIndented(start, end, indent)
    this.#endLine(end + 1)
    const source = text.slice(start, end)
    const value = isOneLine ? source : folded(source)
    return detached(isDoubled ? value.replaceAll("''", "'") : value)
  }

  #quote(start: number): number {
    const end = this.#text.indexOf("'", start)
    return end === -1 ? doubt() : end
  }

  /** Expects the further lines of quoted text to be deeper than the block around it; returns whether there are none. */
  #expectIndented(start: number, end: number, indent: number): boolean {
    const first = this.#text.indexOf('\n', start)
    for (let at = first; at !== -1 && at < end; at = this.#text.indexOf('\n', at + 1)) {
      const blanks = blanksAt(this.#text, at + 1)
      const code = this.#text.charCodeAt(at + 1 + blanks)
      if (code === TAB || (code !== LINE_FEED && blanks <= indent)) doubt()
    }
    return first === -1 || first > end
  }

  #doubleQuoted(start: number, indent: number): JsonValue {
    const text = this.#text
    let end = this.#quotes.next(start)
    let isEscaped = false
    for (let at = this.#backslashes.next(start); at < end; at = this.#backslashes.next(at + 2)) {
      isEscaped = true
      if (!SIMPLE_ESCAPES.has(text.charAt(at + 1)) && !UNICODE_ESCAPE.test(text.slice(at + 1, at + 6)))
        doubt()
      if (end < at + 2) end = this.#quotes.next(at + 2)
    }
    if (end >= text.length) doubt()
    const isOneLine = this.#expectIndented(start, end, indent)
    this.#endLine(end + 1)
    return detached(
      isOneLine && !isEscaped
        ? text.slice(start, end)
        : this.#decoded(SCALAR_STYLE.DOUBLE_QUOTED, start, end),
    )
  }

  #block(at: number, indent: number, style: ScalarStyle): JsonValue {
    const code = this.#text.charCodeAt(at)
    const isMarked = code === HYPHEN || code === PLUS
    const start = isMarked ? at + 1 : at
    if (this.#text.charCodeAt(start) !== LINE_FEED) doubt()
    const chomping = isMarked
      ? code === PLUS
        ? CHOMPING_MODE.KEEP
        : CHOMPING_MODE.STRIP
      : CHOMPING_MODE.CLIP
    const column = this.#blockColumn(start + 1, indent)
    this.end = this.#blockEnd(start + 1, column) - 1
    return detached(this.#decoded(style, start + 1, this.end + 1, chomping, column))
  }

  /** Returns the column of the first line of a block that is not empty. */
  #blockColumn(start: number, indent: number): number {
    let at = start
    let deepest = 0
    let blanks = blanksAt(this.#text, at)
    for (; this.#text.charCodeAt(at + blanks) === LINE_FEED; blanks = blanksAt(this.#text, at)) {
      deepest = Math.max(deepest, blanks)
      at += blanks + 1
    }
    if (blanks <= indent || blanks < deepest) doubt()
    return blanks
  }

  /** Returns the offset after the last line of a block, which ends in a line break. */
  #blockEnd(start: number, column: number): number {
    const text = this.#text
    for (let at = start; ;) {
      const blanks = blanksAt(text, at)
      const code = text.charCodeAt(at + blanks)
      if (code === TAB) doubt()
      if (code !== LINE_FEED && blanks < column) return at
      const end = text.indexOf('\n', at)
      if (end === -1) doubt()
      at = end + 1
    }
  }

  #decoded(
    style: ScalarStyle,
    valueStart: number,
    valueEnd: number,
    chomping: ScalarEvent['chomping'] = CHOMPING_MODE.CLIP,
    indent = -1,
  ): string {
    const event: ScalarEvent = {
      type: EVENT_ID.SCALAR,
      anchorStart: -1,
      anchorEnd: -1,
      tagStart: -1,
      tagEnd: -1,
      fast: false,
      style,
      valueStart,
      valueEnd,
      chomping,
      indent,
    }
    return scalarText(this.#text, event, doubt)
  }
}

/** The first characters that plain text cannot have, or has too seldom to decide. */
const INDICATORS: ReadonlySet<string> = new Set(',[]{}#&*!|>\'"%@`?:\t')
/** The characters after a backslash; the last one joins two lines. */
const SIMPLE_ESCAPES: ReadonlySet<string> = new Set('0abtnvfre "/\\N_LP\n')
const UNICODE_ESCAPE = /^u[0-9a-fA-F]{4}$/

/**
 * Folds the lines of plain and of single-quoted text, YAML 1.2.2, 6.5: a line break is a blank, each further one is itself,
 * and blanks beside them are left out.
 */
function folded(source: string): string {
  const lines = source.split('\n')
  let text = withoutBlanks(lines[0] ?? '', false, true)
  let breaks = 0
  for (let at = 1; at < lines.length; at++) {
    const isLast = at === lines.length - 1
    const line = withoutBlanks(lines[at] ?? '', true, !isLast)
    breaks++
    if (line === '' && !isLast) continue
    text += (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + line
    breaks = 0
  }
  return text
}

/** Leaves out the blanks and tabs at the start or the end of a line. */
function withoutBlanks(line: string, fromStart: boolean, fromEnd: boolean): string {
  let start = 0
  let end = line.length
  if (fromStart)
    for (start = blanksAt(line, 0); line.charCodeAt(start) === TAB;) start += 1 + blanksAt(line, start + 1)
  if (fromEnd) while (end > start && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}
