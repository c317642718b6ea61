import {ForwardBits, highestBit} from './bit-readers.js'
import type {BackwardBits} from './bit-readers.js'
import {ZstdDamage} from './zstd-damage.js'

/**
 * A finite state machine that decodes bits to symbols: in state `s` it yields `symbols[s]`, and continues with
 * `bases[s]` plus the next `bits[s]` bits. `log` bits select the first state.
 */
export interface FseTable {
  readonly log: number
  readonly symbols: Uint8Array
  readonly bits: Uint8Array
  readonly bases: Uint16Array
}

/** The state of such a machine. */
export class FseState {
  readonly #table: FseTable
  readonly #input: BackwardBits
  #state: number

  constructor(table: FseTable, input: BackwardBits) {
    this.#table = table
    this.#input = input
    this.#state = input.read(table.log)
  }

  get symbol(): number {
    return this.#table.symbols[this.#state] ?? 0
  }

  advance(): void {
    const {bases, bits} = this.#table
    this.#state = (bases[this.#state] ?? 0) + this.#input.read(bits[this.#state] ?? 0)
  }
}

/** Returns the machine of a distribution, RFC 8878 §4.1.1; `counts` sum to 2^log, -1 counting as less than one. */
export function fseTable(counts: readonly number[], log: number): FseTable {
  const size = 1 << log
  const symbols = spread(counts, size)
  const next = counts.map(count => Math.abs(count))
  const bits = new Uint8Array(size)
  const bases = new Uint16Array(size)
  symbols.forEach((symbol, state) => {
    const occurrence = next[symbol] ?? 0
    next[symbol] = occurrence + 1
    const width = log - highestBit(occurrence)
    bits[state] = width
    bases[state] = (occurrence << width) - size
  })
  return {log, symbols, bits, bases}
}

/** Returns the machine that repeats one symbol without reading any bits. */
export function singleSymbolTable(symbol: number): FseTable {
  return {log: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), bases: new Uint16Array(1)}
}

/** Reads a distribution of at most `symbolCount` symbols, with at most `maxLog` bits per state. */
export function readFseTable(
  bytes: Uint8Array,
  start: number,
  {maxLog, symbolCount}: {readonly maxLog: number; readonly symbolCount: number},
): {readonly table: FseTable; readonly end: number} {
  const input = new ForwardBits(bytes, start)
  const log = input.read(4) + 5
  if (log > maxLog) throw new ZstdDamage('a distribution is too fine')
  const counts = readCounts(input, 1 << log)
  if (counts.length > symbolCount) throw new ZstdDamage('a distribution has too many symbols')
  return {table: fseTable(counts, log), end: input.nextByte}
}

const MAX_SYMBOLS = 256

function readCounts(input: ForwardBits, total: number): readonly number[] {
  const counts: number[] = []
  let remaining = total
  while (remaining > 0 && counts.length < MAX_SYMBOLS) {
    const count = readCount(input, remaining)
    remaining -= Math.abs(count)
    counts.push(count)
    if (count === 0) counts.push(...readZeros(input))
  }
  if (remaining !== 0) throw new ZstdDamage('a distribution does not add up')
  return counts
}

/** A count of -1 to `remaining`: small ones take a bit less, so that no code is wasted. */
function readCount(input: ForwardBits, remaining: number): number {
  const width = highestBit(remaining + 1)
  const short = (1 << (width + 1)) - 2 - remaining
  const low = input.peek(width)
  if (low < short) {
    input.advance(width)
    return low - 1
  }
  const value = input.read(width + 1)
  return (value < 1 << width ? value : value - short) - 1
}

/** Reads how many further symbols after one that never occurs do not occur either. */
function readZeros(input: ForwardBits): readonly number[] {
  const zeros: number[] = []
  for (let more = 3; more === 3 && zeros.length < MAX_SYMBOLS;) {
    more = input.read(2)
    for (let i = 0; i < more; i++) zeros.push(0)
  }
  return zeros
}

/** Spreads the states of each symbol by its count; the rarest ones are at the end. */
function spread(counts: readonly number[], size: number): Uint8Array {
  const symbols = new Uint8Array(size)
  let high = size
  counts.forEach((count, symbol) => {
    if (count === -1) symbols[--high] = symbol
  })
  const step = (size >> 1) + (size >> 3) + 3
  let position = 0
  counts.forEach((count, symbol) => {
    for (let i = 0; i < count; i++) {
      symbols[position] = symbol
      do position = (position + step) & (size - 1)
      while (position >= high)
    }
  })
  return symbols
}
