import {isAmbiguous} from './ambiguous-text.js'
import {expectText} from './written-values.js'

const MAX_LINES = 10_000
/** Longer texts are not kept: they are rarely repeated. */
const MAX_KEPT_LENGTH = 64

const lines = new Map<string, string>()

/**
 * Formats text on one line: plain where every reader reads it back as this text, else in single quotes, or with
 * escapes in double quotes. Short texts are formatted once: schemas repeat most of them. Throws as `writeYaml` does.
 */
export function lineText(text: string): string {
  if (text.length > MAX_KEPT_LENGTH) return newLineText(text)
  const cached = lines.get(text)
  if (cached !== undefined) return cached
  if (lines.size >= MAX_LINES) lines.clear()
  const line = newLineText(text)
  lines.set(text, line)
  return line
}

function newLineText(text: string): string {
  switch (styleOf(expectText(text))) {
    case 'plain':
      return text
    case 'single':
      return `'${text.replaceAll("'", "''")}'`
    case 'double':
      return `"${text.replace(TO_ESCAPE, escaped)}"`
  }
}

type Style = 'plain' | 'single' | 'double'

function styleOf(text: string): Style {
  if (isAnyHidden(text) || isBlank(text) || isMarker(text)) return 'double'
  return isPlain(text) && !isAmbiguous(text) ? 'plain' : 'single'
}

const TAB = 9
const LINE_FEED = 10
const SPACE = 32
const DELETE = 127
const NO_BREAK_SPACE = 160

function isAnyHidden(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < SPACE || (code >= DELETE && isHidden(code))) return true
  }
  return false
}

/** Reports whether nothing in a line without hidden characters is other syntax: `ns-plain` of YAML 1.2.2, 7.3.3. */
function isPlain(text: string): boolean {
  if (text.endsWith(' ') || text.endsWith(':')) return false
  return startsPlain(text) && !text.includes(': ') && !text.includes(' #')
}

const INDICATORS: ReadonlySet<string> = new Set(',[]{}#&*!|>\'"%@` ')

function startsPlain(text: string): boolean {
  const first = text.charAt(0)
  if (first === '-' || first === '?' || first === ':') return text.length > 1 && text.charAt(1) !== ' '
  return !INDICATORS.has(first)
}

/** Reports whether text is blanks only, also those beyond ASCII. */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0)
  return (first === SPACE || first > DELETE) && text.trim() === ''
}

/** At the margin, such a text starts or ends a document. */
function isMarker(text: string): boolean {
  if (!text.startsWith('---') && !text.startsWith('...')) return false
  return text.length === 3 || text.charAt(3) === ' '
}

/**
 * Reports whether a character beyond ASCII is written as an escape: it is invisible, a line break to some readers, or
 * shown in another order by a terminal or a review.
 */
function isHidden(code: number): boolean {
  if (code <= NO_BREAK_SPACE) return true
  if (code < 0x2028) return false
  return code <= 0x202e || (code >= 0x2066 && code <= 0x2069) || code === 0xfeff || code >= 0xfffe
}

/** Quotes, backslashes, control characters, and those that `isHidden` reports. */
// eslint-disable-next-line no-control-regex -- it finds them
const TO_ESCAPE = /["\\\0-\x1f\x7f-\xa0\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x85', '\\N'],
  ['\xa0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
])

function escaped(character: string): string {
  const escape = ESCAPES.get(character)
  if (escape !== undefined) return escape
  const digits = character.charCodeAt(0).toString(16).toUpperCase()
  return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`
}

/**
 * Formats text as a value whose further lines have this indentation: several lines are a block, unless readers disagree
 * on a character of it. Throws as `writeYaml` does.
 */
export function valueText(text: string, indent: string): string {
  if (!text.includes('\n') || !isExactAsBlock(expectText(text))) return lineText(text)
  const lines = text.split('\n')
  if (text.endsWith('\n')) lines.pop()
  return `|${blockIndicators(text)}\n${lines.map(line => (line === '' ? '' : indent + line)).join('\n')}`
}

/**
 * Reports whether readers agree on every character of these lines unquoted: so there is no line break of YAML 1.1
 * only, and the first character is not a tab, which libyaml reads as indentation.
 */
function isExactAsBlock(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < SPACE && code !== LINE_FEED && code !== TAB) return false
    if (code >= DELETE && code !== NO_BREAK_SPACE && isHidden(code)) return false
  }
  return text.charCodeAt(afterEmptyLines(text)) !== TAB && text.trim() !== ''
}

function afterEmptyLines(text: string): number {
  let at = 0
  while (text.charCodeAt(at) === LINE_FEED) at++
  return at
}

/** The depth of a block that begins with a blank, and whether it ends in no line break, or in several. */
function blockIndicators(text: string): string {
  const depth = text.charCodeAt(afterEmptyLines(text)) === SPACE ? '2' : ''
  if (!text.endsWith('\n')) return `${depth}-`
  return text.endsWith('\n\n') ? `${depth}+` : depth
}
