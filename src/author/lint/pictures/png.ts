import type {PictureFacts} from './picture.js'
import {crc32} from './crc32.js'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** Also recognizes a damaged signature: it contains line breaks to reveal transfers that change such bytes. */
export function isPng(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(1, 4)).toString('latin1') === 'PNG'
}

/** Follows the chunks of a PNG to its end: https://www.w3.org/TR/png-3/#5DataRep */
export function pngFacts(bytes: Uint8Array): PictureFacts {
  if (Buffer.compare(bytes.subarray(0, SIGNATURE.length), SIGNATURE) !== 0) {
    return {damage: 'its signature is wrong, as after a conversion of line ends'}
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let facts: PictureFacts = {}
  let hasData = false
  for (let at = SIGNATURE.length; ;) {
    const chunk = chunkAt(view, bytes, at)
    if ('damage' in chunk) return {...facts, ...chunk}
    if ((at === SIGNATURE.length) !== (chunk.type === 'IHDR'))
      return {damage: 'it does not begin with its header'}
    if (chunk.type === 'IHDR') facts = headerFacts(view, at + LENGTH_AND_TYPE, chunk.length)
    if (facts.damage !== undefined) return facts
    hasData ||= chunk.type === 'IDAT'
    if (chunk.type === 'IEND') return hasData ? facts : {...facts, damage: 'it contains no picture'}
    at = chunk.end
  }
}

const LENGTH_AND_TYPE = 8
const CHECKSUM = 4
const HEADER_LENGTH = 13

interface Chunk {
  readonly type: string
  readonly length: number
  readonly end: number
}

function chunkAt(view: DataView, bytes: Uint8Array, at: number): Chunk | {readonly damage: string} {
  if (at + LENGTH_AND_TYPE + CHECKSUM > bytes.length) return {damage: 'its end is missing'}
  const length = view.getUint32(at)
  const end = at + LENGTH_AND_TYPE + length + CHECKSUM
  if (end > bytes.length) return {damage: 'its end is missing'}
  const content = bytes.subarray(at + 4, end - CHECKSUM)
  if (crc32(content) !== view.getUint32(end - CHECKSUM)) return {damage: 'a checksum in it is wrong'}
  return {type: Buffer.from(content.subarray(0, 4)).toString('latin1'), length, end}
}

function headerFacts(view: DataView, at: number, length: number): PictureFacts {
  if (length !== HEADER_LENGTH) return {damage: 'its header has the wrong length'}
  const size = {width: view.getUint32(at), height: view.getUint32(at + 4)}
  return size.width === 0 || size.height === 0 ? {damage: 'it has no width or no height'} : {size}
}
