import {type Event, parseEvents, YAMLException} from 'js-yaml'
import {MAX_DEPTH} from './anchors.js'
import {ShiftedLines} from './shifted-lines.js'
import {throwYamlError} from './yaml-error.js'

/** The events of a text. Their offsets are those of this text, whose lines are those of the file. */
export interface ParsedText {
  readonly text: string
  readonly events: readonly Event[]
}

/**
 * Parses a text that `sourceText` made. js-yaml requires text in brackets or quotes to be indented deeper than the
 * block around it, as YAML 1.2 does; go-yaml does not, and authors write lists whose closing bracket is below their
 * key. So lines that the parser rejects only for this are moved to the right, which has no effect within brackets and
 * quotes, and the text is parsed again. Throws `input-invalid`; `file` is the name for messages.
 */
export function parseText(source: string, file: string, maxSeparators = MAX_SEPARATORS): ParsedText {
  expectSparse(source, file, maxSeparators)
  const first = attempt(source)
  if ('events' in first) return {text: source, events: first.events}
  const lines = new ShiftedLines(source)
  let {failure} = first
  let effort = 0
  while (effort < MAX_EFFORT && lines.shiftAt(failure.line, failure.isIndentation)) {
    const text = lines.text()
    const outcome = attempt(text)
    if ('events' in outcome) return {text, events: outcome.events}
    failure = outcome.failure
    effort += text.length
  }
  return throwYamlError(failure.rule, failure.message, file, failure.line + 1)
}

/** The number of characters that are parsed again before a file is rejected: about a second of work. */
const MAX_EFFORT = 16 * 1024 * 1024

interface Failure {
  readonly rule: 'yaml-syntax' | 'yaml-limit'
  readonly message: string
  /** The line, from 0. */
  readonly line: number
  /** Whether the first character of the line is too far left within brackets or quotes. */
  readonly isIndentation: boolean
}

/** The parser also counts scalars, and some of them twice; `Anchors` counts collections exactly. */
const PARSER_DEPTH = MAX_DEPTH + 8

function attempt(text: string): {readonly events: readonly Event[]} | {readonly failure: Failure} {
  try {
    return {events: parseEvents(text, {maxDepth: PARSER_DEPTH})}
  } catch (error) {
    return {failure: failureOf(error, text)}
  }
}

function failureOf(error: unknown, text: string): Failure {
  if (error instanceof RangeError) {
    // The parser's expressions recurse over the characters of a tag.
    return {rule: 'yaml-limit', message: 'a part is too long to be read', line: 0, isIndentation: false}
  }
  if (!(error instanceof YAMLException)) throw error
  const {reason, mark} = error
  return {
    rule: reason.startsWith('nesting exceeded') ? 'yaml-limit' : 'yaml-syntax',
    message: reason,
    line: mark?.line ?? 0,
    isIndentation: reason === 'deficient indentation' && isFirstOfLine(text, mark?.position ?? 0),
  }
}

function isFirstOfLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === ''
}

/** An event requires much more memory than its text, so their number is limited: 12 times that of the largest CRD. */
export const MAX_SEPARATORS = 600_000
const LINE_FEED = 10

/** Marks the characters that can start or end a value, by their codes. */
const SEPARATORS = new Uint8Array(128)
for (const character of '\n,:[{-?') SEPARATORS[character.charCodeAt(0)] = 1

/** A text that is shorter than the limit cannot have so many, and is not scanned. */
function expectSparse(text: string, file: string, max: number): void {
  if (text.length <= max) return
  const end = endOf(max, text)
  if (end === undefined) return
  let line = 1
  for (let at = 0; at < end; at++) if (text.charCodeAt(at) === LINE_FEED) line++
  throwYamlError('yaml-limit', 'the file has too many values', file, line)
}

/** Returns the position at which a text has more separators than `max`; undefined if it has fewer. */
function endOf(max: number, text: string): number | undefined {
  let separators = 0
  for (let at = 0; at < text.length; at++) {
    if (SEPARATORS[text.charCodeAt(at)] === 1 && ++separators > max) return at
  }
  return undefined
}

/** Counts the characters of a text that can start or end a value: at least as many as it has values of its own. */
export function countSeparators(text: string): number {
  let separators = 0
  for (let at = 0; at < text.length; at++) if (SEPARATORS[text.charCodeAt(at)] === 1) separators++
  return separators
}
