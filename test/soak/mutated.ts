import {below, pick} from './campaign.js'

/** Text that JSON, lines and Unicode give a meaning to. */
const TOKENS: readonly string[] = [
  ...['{', '}', '[', ']', '"', ',', ':', '\\', '\n', '\r\n', '\n\n', '\0', ' ', '\ufeff', '\u2028', '\u202e'],
  ...['null', 'true', '-1', '1e999', '9007199254740993', '{}\n', '[]\n', '""', '"\\ud800"', '"\\u0007"'],
  ...['"__proto__":{},', '"constructor":1,', '"kind":"PackageYank",', '"formatVersion":2,', '"digest":"",'],
  ...['"reason":"x",', '"tag":"v9",', '"identity":"a/b",', '"crds":[],', '"supersedes":["index"],'],
  ...['<<<<<<< HEAD\n', '=======\n', '>>>>>>> other\n', '../', '[['.repeat(5000), '{"a":'.repeat(5000)],
]

/** Invalid UTF-8, alone and cut off. */
const INVALID = ['ff', 'c0af', 'eda080', 'f09f91'].map(hex => Buffer.from(hex, 'hex'))

type Edit = (random: () => number, bytes: Buffer) => Buffer

const EDITS: readonly Edit[] = [
  // another byte
  (random, bytes) => replaced(bytes, span(random, bytes, 1), Buffer.of(below(random, 256))),
  // text left out
  (random, bytes) => replaced(bytes, span(random, bytes, 40), Buffer.alloc(0)),
  // the end cut off
  (random, bytes) => bytes.subarray(0, below(random, bytes.length + 1)),
  // text inserted or put in the place of other text
  (random, bytes) => replaced(bytes, span(random, bytes, pick(random, [0, 1, 10])), inserted(random)),
  // text repeated
  (random, bytes) => {
    const at = span(random, bytes, 200)
    const times = pick(random, [2, 2, 10, 1000])
    return replaced(bytes, at, Buffer.concat(Array<Buffer>(times).fill(bytes.subarray(...at))))
  },
  // text copied to another place
  (random, bytes) =>
    replaced(bytes, span(random, bytes, 0), bytes.subarray(...span(random, bytes, bytes.length))),
  // lines in another order
  (random, bytes) => {
    const lines = linesOf(bytes)
    const [at] = lines.splice(below(random, lines.length), 1)
    if (at !== undefined) lines.splice(below(random, lines.length + 1), 0, at)
    return joined(lines)
  },
  // a value of one line in the place of one of another
  (random, bytes) => {
    const lines = linesOf(bytes)
    const [from, to] = [below(random, lines.length), below(random, lines.length)]
    lines[to] = crossed(random, lines[from] ?? '', lines[to] ?? '')
    return joined(lines)
  },
]

/** Returns the same bytes with up to four random edits, of bytes, text, lines or JSON. */
export function mutated(random: () => number, bytes: Uint8Array): Buffer {
  let result = Buffer.from(bytes)
  for (let edits = 1 + below(random, 4); edits > 0; edits -= 1)
    result = Buffer.from(pick(random, EDITS)(random, result))
  return result
}

type Span = readonly [start: number, end: number]

function span(random: () => number, {length}: Buffer, longest: number): Span {
  const start = below(random, length + 1)
  return [start, Math.min(length, start + below(random, longest + 1))]
}

function replaced(bytes: Buffer, [start, end]: Span, by: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, start), by, bytes.subarray(end)])
}

function inserted(random: () => number): Buffer {
  return random() < 0.2 ? pick(random, INVALID) : Buffer.from(pick(random, TOKENS))
}

/** Latin-1 keeps every byte as it is. */
function linesOf(bytes: Buffer): string[] {
  return bytes.toString('latin1').split('\n')
}

function joined(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** Returns the second JSON object with one field of the first, under its own name or another; any other text unchanged. */
function crossed(random: () => number, from: string, to: string): string {
  try {
    const [giver, taker] = [JSON.parse(from), JSON.parse(to)] as Record<string, unknown>[]
    const [given, taken] = [pick(random, Object.keys(giver!)), pick(random, Object.keys(taker!))]
    return JSON.stringify({...taker, [pick(random, [given, taken])]: giver![given]})
  } catch {
    return to
  }
}
