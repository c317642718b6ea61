import {decodeHuffman, readHuffmanTable} from './huffman.js'
import type {HuffmanTable} from './huffman.js'
import {littleEndian} from './little-endian.js'
import {ZstdDamage} from './zstd-damage.js'

/** A block's literals, the index after their section, and the Huffman code that a later block can reuse. */
export interface Literals {
  readonly bytes: Uint8Array
  readonly end: number
  readonly table: HuffmanTable | undefined
}

/** Reads the literals section at the start of a compressed block, RFC 8878 §3.1.1.3.1. */
export function readLiterals(block: Uint8Array, table: HuffmanTable | undefined, maxSize: number): Literals {
  const header = literalsHeader(block)
  if (header.size > maxSize) throw new ZstdDamage('a block has too many literals')
  const end = header.end + header.stored
  if (end > block.length) throw new ZstdDamage('literals are truncated')
  const stored = block.subarray(header.end, end)
  if (header.kind === 'raw') return {bytes: stored, end, table}
  if (header.kind === 'repeated') return {bytes: new Uint8Array(header.size).fill(stored[0] ?? 0), end, table}
  return {end, ...decodeLiterals(stored, header, table)}
}

interface LiteralsHeader {
  readonly kind: 'raw' | 'repeated' | 'huffman' | 'treeless'
  readonly size: number
  readonly stored: number
  readonly streams: 1 | 4
  readonly end: number
}

/** The header gives the bits of each size: 5, 12 or 20 for one, twice 10, 14 or 18 for two. */
function literalsHeader(block: Uint8Array): LiteralsHeader {
  const first = block[0] ?? 0
  const format = (first >> 2) & 3
  return (first & 2) === 0 ? plainHeader(block, first, format) : huffmanHeader(block, first, format)
}

function plainHeader(block: Uint8Array, first: number, format: number): LiteralsHeader {
  const end = [1, 2, 1, 3][format] ?? 1
  const size = littleEndian(block, end) >> (end === 1 ? 3 : 4)
  const repeated = (first & 1) === 1
  return {kind: repeated ? 'repeated' : 'raw', size, stored: repeated ? 1 : size, streams: 1, end}
}

function huffmanHeader(block: Uint8Array, first: number, format: number): LiteralsHeader {
  const end = [3, 3, 4, 5][format] ?? 3
  const width = 2 ** ([10, 10, 14, 18][format] ?? 10)
  const sizes = Math.floor(littleEndian(block, end) / 16)
  return {
    kind: (first & 1) === 0 ? 'huffman' : 'treeless',
    size: sizes % width,
    stored: Math.floor(sizes / width),
    streams: format === 0 ? 1 : 4,
    end,
  }
}

function decodeLiterals(
  stored: Uint8Array,
  {kind, size, streams}: LiteralsHeader,
  previous: HuffmanTable | undefined,
): {readonly bytes: Uint8Array; readonly table: HuffmanTable} {
  const {table, end} = kind === 'huffman' ? readHuffmanTable(stored, 0) : {table: previous, end: 0}
  if (table === undefined) throw new ZstdDamage('literals use an undefined Huffman code')
  const decode = streams === 1 ? decodeHuffman : decodeFourStreams
  return {bytes: decode(table, stored.subarray(end), size), table}
}

const JUMP_TABLE = 6

/** Four streams have equal parts, the last one the rest; the sizes of the others precede them. */
function decodeFourStreams(table: HuffmanTable, stored: Uint8Array, size: number): Uint8Array {
  const share = (size + 3) >> 2
  if (stored.length < JUMP_TABLE || share * 3 > size) throw new ZstdDamage('literals are truncated')
  const bytes = new Uint8Array(size)
  let from = JUMP_TABLE
  for (let stream = 0; stream < 4; stream++) {
    const to = stream === 3 ? stored.length : from + littleEndian(stored.subarray(stream * 2), 2)
    if (to > stored.length) throw new ZstdDamage('literals are truncated')
    const count = stream === 3 ? size - share * 3 : share
    bytes.set(decodeHuffman(table, stored.subarray(from, to), count), stream * share)
    from = to
  }
  return bytes
}
