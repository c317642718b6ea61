import {BackwardBits, highestBit} from './bit-readers.js'
import {FseState, readFseTable} from './fse-table.js'
import {ZstdDamage} from './zstd-damage.js'

/** Looked up with `log` bits: the symbol that they begin with, and the length of its code. */
export interface HuffmanTable {
  readonly log: number
  readonly symbols: Uint8Array
  readonly bits: Uint8Array
}

const MAX_LOG = 11
const MAX_WEIGHTS = 255

/** Reads the description of a Huffman code, RFC 8878 §4.2.1. `end` is the index after it. */
export function readHuffmanTable(
  bytes: Uint8Array,
  start: number,
): {readonly table: HuffmanTable; readonly end: number} {
  const header = bytes[start] ?? 0
  const length = header < 128 ? header : (header - 126) >> 1
  const end = start + 1 + length
  if (end > bytes.length) throw new ZstdDamage('a Huffman code is truncated')
  const description = bytes.subarray(start + 1, end)
  const weights = header < 128 ? compressedWeights(description) : plainWeights(description, header - 127)
  return {table: huffmanTable(weights), end}
}

/** Decodes one bit stream, which must contain exactly `count` symbols. */
export function decodeHuffman(table: HuffmanTable, stream: Uint8Array, count: number): Uint8Array {
  const {log, symbols, bits} = table
  const input = new BackwardBits(stream)
  const output = new Uint8Array(count)
  for (let at = 0; at < count; at++) {
    const code = input.peek(log)
    output[at] = symbols[code] ?? 0
    input.skip(bits[code] ?? 0)
  }
  if (input.left !== 0) throw new ZstdDamage('a Huffman stream does not end where it should')
  return output
}

function plainWeights(description: Uint8Array, count: number): number[] {
  return Array.from({length: count}, (_, at) => {
    const byte = description[at >> 1] ?? 0
    return at % 2 === 0 ? byte >> 4 : byte & 15
  })
}

/** Two machines alternate on one stream until it is used up; then the one that is still at a symbol yields it. */
function compressedWeights(description: Uint8Array): number[] {
  const {table, end} = readFseTable(description, 0, {maxLog: 6, symbolCount: MAX_LOG + 2})
  const input = new BackwardBits(description.subarray(end))
  let [speaking, waiting] = [new FseState(table, input), new FseState(table, input)]
  if (input.left < 0) throw new ZstdDamage('Huffman weights are truncated')
  const weights: number[] = []
  while (input.left >= 0) {
    if (weights.length >= MAX_WEIGHTS) throw new ZstdDamage('there are too many Huffman weights')
    weights.push(speaking.symbol)
    speaking.advance()
    ;[speaking, waiting] = [waiting, speaking]
  }
  return [...weights, speaking.symbol]
}

/** Weights are given for all symbols but the last, whose own makes the code complete. */
function huffmanTable(weights: readonly number[]): HuffmanTable {
  const sum = weights.reduce((all, weight) => all + cells(weight), 0)
  const log = sum === 0 ? 0 : highestBit(sum) + 1
  const missing = (1 << log) - sum
  if (log < 1 || log > MAX_LOG || weights.length > MAX_WEIGHTS || (missing & (missing - 1)) !== 0) {
    throw new ZstdDamage('Huffman weights do not make a code')
  }
  return filledTable([...weights, highestBit(missing) + 1], log)
}

/** Cells are assigned from the lightest weight, the longest code, upwards, and among equals by symbol. */
function filledTable(weights: readonly number[], log: number): HuffmanTable {
  const symbols = new Uint8Array(1 << log)
  const bits = new Uint8Array(1 << log)
  let cell = 0
  for (let weight = 1; weight <= log; weight++) {
    weights.forEach((own, symbol) => {
      if (own !== weight) return
      symbols.fill(symbol, cell, cell + cells(weight))
      bits.fill(log + 1 - weight, cell, (cell += cells(weight)))
    })
  }
  return {log, symbols, bits}
}

function cells(weight: number): number {
  return weight === 0 ? 0 : 1 << (weight - 1)
}
