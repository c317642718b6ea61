import type {ByteCursor} from '../../../fetch/byte-cursor.js'
import {littleEndian} from './little-endian.js'
import {ZstdDamage} from './zstd-damage.js'

/** The start of a frame, RFC 8878 §3.1.1.1. Sizes are in bytes; `contentSize` is optional. */
export interface FrameHeader {
  readonly windowSize: number
  readonly contentSize: number | undefined
  readonly dictionary: number
  readonly hasChecksum: boolean
}

/** Reads a frame's header after its magic number. */
export async function readFrameHeader(cursor: ByteCursor): Promise<FrameHeader> {
  const descriptor = await takeNumber(cursor, 1)
  if ((descriptor & 8) !== 0) throw new ZstdDamage('a frame uses a reserved bit')
  const isSingle = (descriptor & 32) !== 0
  const window = isSingle ? undefined : windowSize(await takeNumber(cursor, 1))
  const dictionary = await takeNumber(cursor, [0, 1, 2, 4][descriptor & 3] ?? 0)
  const contentSize = await readContentSize(cursor, descriptor >> 6, isSingle)
  return {
    windowSize: window ?? contentSize ?? 0,
    contentSize,
    dictionary,
    hasChecksum: (descriptor & 4) !== 0,
  }
}

/** Reads the next bytes as a number; throws ZstdDamage if there are too few. */
export async function takeNumber(cursor: ByteCursor, count: number): Promise<number> {
  return littleEndian(await takeExactly(cursor, count), count)
}

export async function takeExactly(cursor: ByteCursor, count: number): Promise<Uint8Array> {
  const bytes = await cursor.take(count)
  if (bytes.length < count) throw new ZstdDamage('it is truncated')
  return bytes
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

async function readContentSize(
  cursor: ByteCursor,
  flag: number,
  isSingle: boolean,
): Promise<number | undefined> {
  if (flag === 0) return isSingle ? await takeNumber(cursor, 1) : undefined
  if (flag === 1) return (await takeNumber(cursor, 2)) + 256
  const low = await takeNumber(cursor, 4)
  return flag === 2 ? low : low + (await takeNumber(cursor, 4)) * 2 ** 32
}
