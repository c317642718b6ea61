import type {History} from './history.js'
import type {HuffmanTable} from './huffman.js'
import {readLiterals} from './literals.js'
import {decodeSequences, readSequences} from './sequences.js'
import type {SequenceTables, Sequences} from './sequences.js'
import {ZstdDamage} from './zstd-damage.js'

/** Decodes the compressed blocks of one frame, which share tables and repeated offsets. */
export class BlockDecoder {
  readonly #history: History
  readonly #maxSize: number
  #huffman: HuffmanTable | undefined
  #tables: Partial<SequenceTables> = {}
  #offsets: readonly [number, number, number] = [1, 4, 8]

  constructor(history: History, maxSize: number) {
    this.#history = history
    this.#maxSize = maxSize
  }

  /** Appends the content of a block, at most `maxSize` bytes, to the history. Throws ZstdDamage. */
  decode(block: Uint8Array): void {
    const end = this.#history.length + this.#maxSize
    const literals = readLiterals(block, this.#huffman, this.#maxSize)
    const sequences = readSequences(block.subarray(literals.end), this.#tables)
    this.#huffman = literals.table
    this.#tables = sequences.tables
    const used = this.#execute(sequences, literals.bytes, end)
    this.#expectRoom(literals.bytes.length - used, end)
    this.#history.append(literals.bytes, used, literals.bytes.length)
  }

  /** Returns the number of literals that the sequences used. */
  #execute({count, tables, bits}: Sequences, literals: Uint8Array, end: number): number {
    if (count === 0 || !isComplete(tables)) return 0
    let used = 0
    decodeSequences(count, tables, bits, (literalCount, offsetValue, matchLength) => {
      const next = used + literalCount
      if (next > literals.length) throw new ZstdDamage('sequences use more literals than there are')
      this.#expectRoom(literalCount + matchLength, end)
      this.#history.append(literals, used, next)
      this.#history.repeat(this.#offset(offsetValue, literalCount), matchLength)
      used = next
    })
    return used
  }

  #expectRoom(count: number, end: number): void {
    if (this.#history.length + count > end) throw new ZstdDamage('a block is too long')
  }

  /** RFC 8878 §3.1.1.5: small values refer to repeated offsets, counted differently without literals in between. */
  #offset(value: number, literalCount: number): number {
    const [first, second, third] = this.#offsets
    if (value > 3) return this.#remember(value - 3, first, second)
    const place = literalCount === 0 ? value + 1 : value
    if (place === 1) return first
    if (place === 2) return this.#remember(second, first, third)
    return this.#remember(place === 3 ? third : first - 1, first, second)
  }

  #remember(...offsets: readonly [number, number, number]): number {
    this.#offsets = offsets
    return offsets[0]
  }
}

function isComplete(tables: Partial<SequenceTables>): tables is SequenceTables {
  return tables.literals !== undefined && tables.offsets !== undefined && tables.matches !== undefined
}
