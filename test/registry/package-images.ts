import {gzipSync} from 'node:zlib'
import type {Blob, Image} from '../../src/fetch/image.js'
import {chunked} from '../fetch/fake-sources.js'
import {OCI, indexOf, manifestOf, part, platform} from '../fetch/image-parts.js'
import type {Part} from '../fetch/image-parts.js'
import {tarOfFiles} from '../fetch/raw-tar.js'

/** A layer of files, packed. */
export function layerOf(files: Readonly<Record<string, string>>): Part {
  return part(`${OCI.layer}+gzip`, gzipSync(tarOfFiles(files)))
}

/** The config that `manifestOf` names. */
const CONFIG = part(OCI.config, {})

/** A part as a blob to be uploaded. */
function blobOf({bytes, descriptor}: Part): Blob {
  return {descriptor: {...descriptor, annotations: {}}, open: () => chunked(bytes, 1000)}
}

/** An image of layers, to be pushed. */
export function imageOf(...layers: readonly Part[]): Image {
  return {...documentOf(manifestOf(...layers)), config: blobOf(CONFIG), layers: layers.map(blobOf)}
}

/** One image for each of two platforms, below an index. */
export function imagesOf(amd64: Part, arm64: Part): Image {
  const one = manifestOf(amd64)
  const other = manifestOf(arm64)
  const index = indexOf(
    {...one, with: platform('linux', 'amd64')},
    {...other, with: platform('linux', 'arm64')},
  )
  return {...documentOf(index), images: [imageOf(amd64), imageOf(arm64)], layers: []}
}

/** A part as the document of an image. */
export function documentOf({bytes, descriptor}: Part): Pick<Image, 'bytes' | 'descriptor'> {
  return {bytes, descriptor: {...descriptor, annotations: {}}}
}

/** Text that does not become small when packed, the same each time. */
export function noise(length: number): string {
  let state = 1
  return Array.from({length}, () => {
    state = (state * 48_271) % 0x7fff_ffff
    return String.fromCharCode(33 + (state % 90))
  }).join('')
}
