import type {ByteCursor} from '../../../fetch/byte-cursor.js'
import {BlockDecoder} from './block-decoder.js'
import {readFrameHeader, takeExactly, takeNumber} from './frame-header.js'
import type {FrameHeader} from './frame-header.js'
import {History} from './history.js'
import {ZstdDamage} from './zstd-damage.js'

/** A frame requires more memory than the limit of its reader. */
export class ZstdWindowTooLarge extends Error {
  override readonly name = 'ZstdWindowTooLarge'
}

const FRAME = 0xfd2fb528
const MAX_BLOCK = 128 * 1024

/**
 * Decompresses the remaining zstd frames of a cursor, block by block, so never holding more than twice `maxWindow`
 * bytes. Throws ZstdDamage, and ZstdWindowTooLarge for a frame that may refer further back. Implemented here because
 * Node has zstd only from 22.15 on, and a frame of 30 bytes keeps the package on npm busy forever. Content checksums
 * are not verified: a layer's digest covers more.
 */
export async function* unzstd(
  cursor: ByteCursor,
  maxWindow: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const history = new History()
  while ((await cursor.peek(1)).length > 0) {
    const magic = await takeNumber(cursor, 4)
    if (magic === FRAME) yield* decodeFrame(cursor, history, maxWindow)
    else await skipFrame(cursor, magic)
  }
}

/** Skippable frames have magic numbers from 0x184D2A50 to 0x184D2A5F; podman stores a table of contents in one. */
async function skipFrame(cursor: ByteCursor, magic: number): Promise<void> {
  if (magic >>> 4 !== 0x184d2a5) throw new ZstdDamage('trailing data is not a frame')
  const size = await takeNumber(cursor, 4)
  if ((await cursor.skip(size)) < size) throw new ZstdDamage('it is truncated')
}

async function* decodeFrame(
  cursor: ByteCursor,
  history: History,
  maxWindow: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const header = await readFrameHeader(cursor)
  expectReadable(header, maxWindow)
  const maxBlock = Math.min(MAX_BLOCK, header.windowSize)
  history.begin(header.windowSize, maxBlock)
  const decoder = new BlockDecoder(history, maxBlock)
  for (let isLast = false; !isLast;) {
    const start = history.length
    isLast = await decodeBlock(cursor, history, decoder, maxBlock)
    if (history.length > start) yield history.since(start)
  }
  if (header.contentSize !== undefined && header.contentSize !== history.length) {
    throw new ZstdDamage('a frame is shorter than its header states')
  }
  if (header.hasChecksum) await takeExactly(cursor, 4)
}

function expectReadable({windowSize, dictionary}: FrameHeader, maxWindow: number): void {
  if (dictionary !== 0) throw new ZstdDamage('a frame needs a dictionary')
  if (windowSize > maxWindow) throw new ZstdWindowTooLarge(`a frame has a window of ${windowSize} bytes`)
}

const RAW = 0
const REPEATED = 1
const COMPRESSED = 2

/** Decodes the next block into the history; returns true if it is the frame's last. */
async function decodeBlock(
  cursor: ByteCursor,
  history: History,
  decoder: BlockDecoder,
  maxBlock: number,
): Promise<boolean> {
  const header = await takeNumber(cursor, 3)
  const type = (header >> 1) & 3
  const size = header >> 3
  if (size > maxBlock) throw new ZstdDamage('a block is too long')
  if (type === REPEATED) history.repeatByte(await takeNumber(cursor, 1), size)
  else if (type === COMPRESSED) decoder.decode(await takeExactly(cursor, size))
  else if (type === RAW) history.append(await takeExactly(cursor, size), 0, size)
  else throw new ZstdDamage('a block has a reserved type')
  return (header & 1) === 1
}
