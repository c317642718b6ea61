import type {JsonValue} from '../../src/yaml/json-value.js'
import {below, pick} from '../soak/campaign.js'
import {PIECES} from './pieces.js'
import {FLOATS, INTEGERS, KEYS, STRINGS, WORDS} from './scalar-table.js'

const SCALARS: readonly string[] = [
  ...[...WORDS, ...INTEGERS, ...FLOATS, ...KEYS].map(([text]) => text),
  ...STRINGS,
]

const NUMBERS: readonly (number | bigint)[] = [
  ...[0, -0, 1.5, -1e-7, 1e20, 1e21, 5e-324, 1.7976931348623157e308, 2 ** 53 - 1, 2 ** 53, -(2 ** 53)],
  ...[2n ** 53n + 1n, 2n ** 64n - 1n, -(2n ** 63n)],
]

/** Words and blanks, as descriptions have them. */
const SENTENCE = 'the Name of this resource: must be unique # and set; cannot be updated. '

/**
 * Returns a text that is hard to write, and now and then an easy one. Long ones have none of the characters that are
 * escaped after js-yaml measured the length of a key.
 */
export function generatedText(next: () => number): string {
  const text = anyText(next)
  return text.length < 1000 ? text : text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

function anyText(next: () => number): string {
  switch (below(next, 6)) {
    case 0:
      return pick(next, SCALARS)
    case 1:
      return SENTENCE.slice(below(next, 30), below(next, 70)).trim()
    case 2:
      return String.fromCodePoint(...codes(next))
    case 3:
      return pick(next, SCALARS) + pick(next, PIECES)
    default:
      return Array.from({length: below(next, 6)}, () => pick(next, PIECES)).join('')
  }
}

/** Code points of any kind but halves of characters. */
function codes(next: () => number): number[] {
  const greatest = pick(next, [0x20, 0x7f, 0x100, 0x2100, 0xd800, 0x110000])
  return Array.from({length: below(next, 5)}, () => below(next, greatest)).map(code =>
    code >= 0xd800 && code < 0xe000 ? 0xe000 : code,
  )
}

/** The texts and keys of a value. */
export interface Texts {
  readonly text: (next: () => number) => string
  readonly key: (next: () => number) => string
}

const HARD: Texts = {text: generatedText, key: generatedText}

/** Returns a value of a few levels, by default with texts that are hard to write. */
export function generatedValue(next: () => number, texts = HARD, levels = 4): JsonValue {
  const kind = below(next, levels > 0 ? 9 : 5)
  if (kind < 3) return texts.text(next)
  if (kind === 3) return pick<JsonValue>(next, [null, true, false, ...NUMBERS])
  if (kind === 4) return (next() - 0.5) * 10 ** below(next, 25)
  const parts = Array.from({length: below(next, 5)}, () => generatedValue(next, texts, levels - 1))
  return kind === 5 ? parts : Object.fromEntries(parts.map(part => [texts.key(next), part]))
}
