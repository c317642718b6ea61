import {BackwardBits} from './bit-readers.js'
import {FseState, fseTable, readFseTable, singleSymbolTable} from './fse-table.js'
import type {FseTable} from './fse-table.js'
import {littleEndian} from './little-endian.js'
import {ZstdDamage} from './zstd-damage.js'

/** The three machines of sequences; a later block can reuse any of them. */
export interface SequenceTables {
  readonly literals: FseTable
  readonly offsets: FseTable
  readonly matches: FseTable
}

/** A block's encoded sequences: their number, their machines, and their bits. */
export interface Sequences {
  readonly count: number
  readonly tables: Partial<SequenceTables>
  readonly bits: Uint8Array
}

/** Reads the section after a block's literals, RFC 8878 §3.1.1.3.2. `previous` are the machines of the block before. */
export function readSequences(section: Uint8Array, previous: Partial<SequenceTables>): Sequences {
  const {count, end} = sequenceCount(section)
  if (count === 0) {
    if (end !== section.length) throw new ZstdDamage('something follows a block without sequences')
    return {count, tables: previous, bits: section.subarray(end)}
  }
  const modes = section[end] ?? 0
  if (end >= section.length || (modes & 3) !== 0) throw new ZstdDamage('sequences have no valid header')
  const literals = readTable(section, end + 1, modes >> 6, KINDS.literals, previous.literals)
  const offsets = readTable(section, literals.end, (modes >> 4) & 3, KINDS.offsets, previous.offsets)
  const matches = readTable(section, offsets.end, (modes >> 2) & 3, KINDS.matches, previous.matches)
  const tables = {literals: literals.table, offsets: offsets.table, matches: matches.table}
  return {count, tables, bits: section.subarray(matches.end)}
}

/** A sequence: some literals, then a match. An offset value of 1 to 3 refers to an earlier offset. */
export type Execute = (literalCount: number, offsetValue: number, matchLength: number) => void

/** Decodes sequences one by one, and requires their bits to end with the last. */
export function decodeSequences(
  count: number,
  tables: SequenceTables,
  bits: Uint8Array,
  execute: Execute,
): void {
  const input = new BackwardBits(bits)
  const literal = new FseState(tables.literals, input)
  const offset = new FseState(tables.offsets, input)
  const match = new FseState(tables.matches, input)
  for (let left = count; left > 0; left--) {
    const offsetValue = 2 ** offset.symbol + input.read(offset.symbol)
    const matchLength = MATCH_LENGTHS.read(match.symbol, input)
    const literalCount = LITERAL_COUNTS.read(literal.symbol, input)
    execute(literalCount, offsetValue, matchLength)
    if (left === 1) break
    literal.advance()
    match.advance()
    offset.advance()
  }
  if (input.left !== 0) throw new ZstdDamage('sequences do not end where they should')
}

function sequenceCount(section: Uint8Array): {readonly count: number; readonly end: number} {
  const first = section[0] ?? 0
  if (section.length === 0) throw new ZstdDamage('a block has no sequences section')
  if (first < 128) return {count: first, end: 1}
  if (first < 255) return {count: ((first - 128) << 8) + (section[1] ?? 0), end: 2}
  return {count: littleEndian(section.subarray(1), 2) + 0x7f00, end: 3}
}

/** The limits of one of the machines, and its default. */
interface TableKind {
  readonly maxLog: number
  readonly symbolCount: number
  readonly defaultLog: number
  readonly defaultCounts: readonly number[]
}

/** The modes: predefined, one symbol, described here, same as before. */
function readTable(
  section: Uint8Array,
  start: number,
  mode: number,
  kind: TableKind,
  previous: FseTable | undefined,
): {readonly table: FseTable; readonly end: number} {
  if (mode === 2) return readFseTable(section, start, kind)
  if (mode === 1) return {table: singleSymbolTable(symbolAt(section, start, kind)), end: start + 1}
  const table = mode === 0 ? fseTable(kind.defaultCounts, kind.defaultLog) : previous
  if (table === undefined) throw new ZstdDamage('sequences use an undefined table')
  return {table, end: start}
}

function symbolAt(section: Uint8Array, at: number, {symbolCount}: TableKind): number {
  const symbol = section[at] ?? symbolCount
  if (symbol >= symbolCount) throw new ZstdDamage('sequences use a symbol that does not exist')
  return symbol
}

/** Lengths are written as a code and some extra bits: each code begins where the one before ends. */
class LengthCodes {
  readonly #bases: readonly number[]
  readonly #extra: readonly number[]

  constructor(first: number, extra: readonly number[]) {
    this.#extra = extra
    this.#bases = extra.map((_, code) => extra.slice(0, code).reduce((base, bits) => base + 2 ** bits, first))
  }

  read(code: number, input: BackwardBits): number {
    return (this.#bases[code] ?? 0) + input.read(this.#extra[code] ?? 0)
  }
}

const none = (count: number): readonly number[] => new Array<number>(count).fill(0)

const LITERAL_COUNTS = new LengthCodes(0, [
  ...none(16),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
])
const MATCH_LENGTHS = new LengthCodes(3, [
  ...none(32),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
])

/** RFC 8878 §3.1.1.3.2.2. */
const KINDS = {
  literals: {
    maxLog: 9,
    symbolCount: 36,
    defaultLog: 6,
    defaultCounts: [
      ...[4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2],
      ...[2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1],
    ],
  },
  offsets: {
    maxLog: 8,
    symbolCount: 32,
    defaultLog: 5,
    defaultCounts: [
      ...[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1],
      ...[1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    ],
  },
  matches: {
    maxLog: 9,
    symbolCount: 53,
    defaultLog: 6,
    defaultCounts: [
      ...[1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      ...[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1],
    ],
  },
} satisfies Record<keyof SequenceTables, TableKind>
