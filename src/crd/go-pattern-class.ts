/** A pattern being read. */
export class Cursor {
  /** The position of the next character. */
  at = 0

  constructor(readonly text: string) {}

  /** Reports whether that text comes next. */
  sees(text: string): boolean {
    return this.text.startsWith(text, this.at)
  }

  skip(length: number): void {
    this.at += length
  }

  /** Reads a match of a sticky expression at this position; returns undefined and reads nothing if there is none. */
  take(expression: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expression)
    sticky.lastIndex = this.at
    const match = sticky.exec(this.text)
    if (match === null) return undefined
    this.at += match[0].length
    return match
  }
}

/** Reads `[…]`; reports its errors. */
export function classError(cursor: Cursor): string | undefined {
  cursor.take(/\[\^?/y)
  const start = cursor.at
  while (cursor.text[cursor.at] !== ']' || cursor.at === start) {
    if (cursor.at >= cursor.text.length) return 'a [ is never closed'
    const error = classItemError(cursor)
    if (error !== undefined) return error
  }
  cursor.skip(1)
  return undefined
}

const POSIX_CLASS =
  /\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/y

function classItemError(cursor: Cursor): string | undefined {
  const {text, at} = cursor
  if (text.startsWith('[:', at) && text.includes(':]', at + 2)) {
    return cursor.take(POSIX_CLASS) === undefined ? 'it names an unknown class' : undefined
  }
  if (cursor.take(/\\[dDsSwW]/y) !== undefined) return undefined
  return atUnicodeClass(cursor) ? unicodeClassError(cursor) : rangeError(cursor)
}

function rangeError(cursor: Cursor): string | undefined {
  const low = readChar(cursor)
  if (typeof low === 'string') return low
  if (cursor.take(/-(?=[^\]])/sy) === undefined) return undefined
  const high = readChar(cursor)
  if (typeof high === 'string') return high
  return high < low ? 'a range runs backwards' : undefined
}

/** Returns the code point, or an error. */
function readChar(cursor: Cursor): number | string {
  if (cursor.text[cursor.at] === '\\') return readEscape(cursor)
  const char = cursor.take(/./suy)
  return char === undefined ? 'a [ is never closed' : codePoint(char[0])
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? 0
}

/** Reads an escaped character; reports its errors. */
export function escapeError(cursor: Cursor): string | undefined {
  const read = readEscape(cursor)
  return typeof read === 'string' ? read : undefined
}

const NUMBER = /\\(?:(0[0-7]{0,2}|[1-7][0-7]{1,2})|x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\}))/y
/** ASCII that is neither letter nor digit. */
const SIGN = /\\([\0-/:-@[-`{-\x7f])/y
const LETTERS: Readonly<Record<string, number>> = {a: 7, f: 12, n: 10, r: 13, t: 9, v: 11}
const MAX_CODE_POINT = 0x10ffff

function readEscape(cursor: Cursor): number | string {
  const number = cursor.take(NUMBER)
  if (number !== undefined) return readNumber(number)
  const sign = cursor.take(SIGN)?.[1]
  if (sign !== undefined) return codePoint(sign)
  const letter = cursor.take(/\\([afnrtv])/y)?.[1]
  return LETTERS[letter ?? ''] ?? `${cursor.text.slice(cursor.at, cursor.at + 2)} is not supported`
}

function readNumber([whole, octal, hex, braced]: RegExpExecArray): number | string {
  const point = octal === undefined ? Number.parseInt(hex ?? braced ?? '', 16) : Number.parseInt(octal, 8)
  return point > MAX_CODE_POINT ? `${whole} is not a character` : point
}

export function atUnicodeClass({text, at}: Cursor): boolean {
  return text[at] === '\\' && (text[at + 1] === 'p' || text[at + 1] === 'P')
}

/** Reads `\pL`, `\p{Greek}` or their opposites; reports their errors. */
export function unicodeClassError(cursor: Cursor): string | undefined {
  const [, braced, single] = cursor.take(/\\[pP](?:\{\^?([^}]*)\}|([^{]))/suy) ?? []
  const name = braced ?? single
  if (name === undefined) return 'a class of characters has no name'
  return isUnicodeClass(name) ? undefined : `${name} is not a character class`
}

/** Unicode's general categories in Go's reading: first letter uppercase, the others lowercase, no separators. */
const CATEGORIES = new Set(
  [
    'Any Ascii Assigned C Cc Cf Cn Co Cs L Lc Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps',
    'S Sc Sk Sm So Z Zl Zp Zs Casedletter Closepunctuation Cntrl Combiningmark Connectorpunctuation Control',
    'Currencysymbol Dashpunctuation Decimalnumber Digit Enclosingmark Finalpunctuation Format',
    'Initialpunctuation Letter Letternumber Lineseparator Lowercaseletter Mark Mathsymbol Modifierletter',
    'Modifiersymbol Nonspacingmark Number Openpunctuation Other Otherletter Othernumber Otherpunctuation',
    'Othersymbol Paragraphseparator Privateuse Punct Punctuation Separator Spaceseparator Spacingmark',
    'Surrogate Symbol Titlecaseletter Unassigned Uppercaseletter',
  ].flatMap(line => line.split(' ')),
)

function isUnicodeClass(name: string): boolean {
  const joined = name.replace(/[_\- ]/g, '')
  const canonical = joined.slice(0, 1).toUpperCase() + joined.slice(1).toLowerCase()
  return CATEGORIES.has(canonical) || isScript(canonical)
}

/** JavaScript and Go know the same scripts; Go does not find those with names of several words. */
function isScript(name: string): boolean {
  if (!/^[A-Z][a-z]{2,}$/.test(name)) return false
  try {
    new RegExp(`\\p{Script=${name}}`, 'u')
    return true
  } catch {
    return false
  }
}
