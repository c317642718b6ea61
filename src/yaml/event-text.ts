import {
  type DocumentEvent,
  type Event,
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type ScalarEvent,
} from 'js-yaml'
import type {Reject} from './yaml-error.js'

/** Returns the offset of the content of an event; undefined without one: for omitted values, and for ends. */
export function startOf(event: Event): number | undefined {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return scalarStart(event)
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start
    case EVENT_ID.ALIAS:
      return event.anchorStart
    default:
      return undefined
  }
}

/** The text of a block scalar begins on the line below its `|`. */
function scalarStart(event: ScalarEvent): number | undefined {
  if (event.valueStart === -1) return undefined
  return isBlock(event) ? event.valueStart - 1 : event.valueStart
}

function isBlock({style}: ScalarEvent): boolean {
  return style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK
}

/** Returns the text of a scalar, with escapes and folding resolved. */
export function scalarText(text: string, event: ScalarEvent, reject: Reject): string {
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) return escapedText(text, event, reject)
  const value = getScalarValue(text, event)
  return endsOpen(text, event, value) ? value.slice(0, -1) : value
}

/**
 * A block scalar at the very end of a text without a last line break has none either, as in libyaml; js-yaml adds one
 * (YAML 1.2.2, 8.1.1.2, leaves it open).
 */
function endsOpen(text: string, event: ScalarEvent, value: string): boolean {
  return event.valueEnd >= text.length && isBlock(event) && !text.endsWith('\n') && value.endsWith('\n')
}

/** Rejects escapes of unassigned or half characters: the parser accepts them. */
function escapedText(text: string, event: ScalarEvent, reject: Reject): string {
  const source = text.slice(event.valueStart, event.valueEnd).replace(JOINED_EMPTY_LINES, keepEmptyLines)
  const value = getScalarValue(source, {...event, valueStart: 0, valueEnd: source.length})
  if ((source.includes('\\U') && hasCodeBeyondUnicode(source)) || HALF_CHARACTER.test(value)) {
    reject('yaml-encoding', 'an escape sequence is not a valid character', event.valueStart)
  }
  return value
}

/**
 * A backslash that joins a line to the next, with empty lines between. These are line feeds of the text (YAML 1.2.2,
 * 7.3.1), but the parser drops them: so they are written as escapes. The lookbehind excludes a backslash that is
 * itself escaped; it is last, where it is cheap.
 */
const JOINED_EMPTY_LINES = /\\\n(?<=(?:^|[^\\])(?:\\\\)*\\\n)((?:[ \t]*\n)+)/g

function keepEmptyLines(_: string, emptyLines: string): string {
  return `${'\\n'.repeat(emptyLines.split('\n').length - 1)}\\\n`
}

const HALF_CHARACTER = /\p{Surrogate}/u
/** Two characters of every escape sequence, and the digits of the long ones. */
const ESCAPE = /\\(?:U([0-9a-fA-F]{8})|[^U])/g

function hasCodeBeyondUnicode(source: string): boolean {
  for (const [, code = '0'] of source.matchAll(ESCAPE)) if (Number.parseInt(code, 16) > 0x10ffff) return true
  return false
}

/** The prefixes of tag handles in a document: the two default ones, and those of its directives. */
export function tagHandles(document: DocumentEvent): ReadonlyMap<string, string> {
  const handles = new Map([
    ['!', '!'],
    ['!!', 'tag:yaml.org,2002:'],
  ])
  for (const directive of document.directives) {
    if (directive.kind === 'tag') handles.set(directive.handle, directive.prefix)
  }
  return handles
}

/** Expands a tag: `!<verbatim>`, `!!int`, `!handle!suffix`, `!local`. `!` is unchanged. */
export function fullTag(tag: string, handles: ReadonlyMap<string, string>): string {
  if (tag === '' || tag === '!') return tag
  if (tag.startsWith('!<')) return unescaped(tag.slice(2, -1))
  const handle = /^!(?:[\w-]*!)?/.exec(tag)?.[0] ?? '!'
  return (handles.get(handle) ?? handle) + unescaped(tag.slice(handle.length))
}

/** Text that is not UTF-8 is never a known tag, so it can stay escaped. */
function unescaped(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
