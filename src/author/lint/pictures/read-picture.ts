import {gifFacts, isGif} from './gif.js'
import {isJpeg, jpegFacts} from './jpeg.js'
import type {PictureFacts, PictureType} from './picture.js'
import {isPng, pngFacts} from './png.js'
import {svgFacts, svgText} from './svg.js'

/** Returns undefined if the bytes are not a picture of a supported icon type. */
export function readPicture(
  bytes: Uint8Array,
): (PictureFacts & {readonly mediatype: PictureType}) | undefined {
  if (isPng(bytes)) return {mediatype: 'image/png', ...pngFacts(bytes)}
  if (isJpeg(bytes)) return {mediatype: 'image/jpeg', ...jpegFacts(bytes)}
  if (isGif(bytes)) return {mediatype: 'image/gif', ...gifFacts(bytes)}
  const text = svgText(bytes)
  return text === undefined ? undefined : {mediatype: 'image/svg+xml', ...svgFacts(text)}
}
