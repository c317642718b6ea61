import type {PictureFacts} from './picture.js'

const HEADER_LENGTH = 13
/** The end of a GIF: its trailer, or, with writers that omit it, the end of its last block. */
const ENDS: readonly (number | undefined)[] = [0x3b, 0]

export function isGif(bytes: Uint8Array): boolean {
  return /^GIF8[79]a$/.test(Buffer.from(bytes.subarray(0, 6)).toString('latin1'))
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt: the screen descriptor at the start of every GIF. */
export function gifFacts(bytes: Uint8Array): PictureFacts {
  if (bytes.length < HEADER_LENGTH || !ENDS.includes(bytes.at(-1))) return {damage: 'its end is missing'}
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = {width: view.getUint16(6, true), height: view.getUint16(8, true)}
  return size.width === 0 || size.height === 0 ? {damage: 'it has no width or no height'} : {size}
}
