import type {PictureFacts} from './picture.js'

const FIRST_MARKER = 0xffc0
const END_OF_IMAGE = Uint8Array.of(0xff, 0xd9)
const START_OF_SCAN = 0xffda

export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
}

/** Follows the segments of a JPEG to its frame: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B. */
export function jpegFacts(bytes: Uint8Array): PictureFacts {
  if (Buffer.from(bytes).lastIndexOf(END_OF_IMAGE) === -1) return {damage: 'its end is missing'}
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = view.getUint16(at)
    if (marker === 0xffff) at += 1
    else if (marker < FIRST_MARKER || marker === START_OF_SCAN) break
    else if (isFrame(marker)) return frameFacts(view, at)
    else at += 2 + view.getUint16(at + 2)
  }
  return {damage: 'it has no frame'}
}

/** The markers of frames are those from C0 to CF, except tables (C4, CC) and an extension (C8). */
function isFrame(marker: number): boolean {
  return marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
}

function frameFacts(view: DataView, at: number): PictureFacts {
  if (at + 9 > view.byteLength) return {damage: 'its end is missing'}
  const size = {height: view.getUint16(at + 5), width: view.getUint16(at + 7)}
  return size.width === 0 || size.height === 0 ? {damage: 'it has no width or no height'} : {size}
}
