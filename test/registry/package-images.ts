import {gzipSync} from 'node:zlib'
import type {OutgoingBlob, OutgoingImage} from '../../src/registry/outgoing-image.js'
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
export function blobOf({bytes, descriptor}: Part, mountFrom?: string): OutgoingBlob {
  return {
    descriptor: {...descriptor, annotations: {}},
    open: () => chunked(bytes, 1000),
    ...(mountFrom !== undefined && {mountFrom}),
  }
}

/** An image of layers, to be pushed. */
export function imageOf(...layers: readonly Part[]): OutgoingImage {
  return outgoing([CONFIG, ...layers], [manifestOf(...layers)])
}

/** One image for each of two platforms, below an index. */
export function imagesOf(amd64: Part, arm64: Part): OutgoingImage {
  const one = manifestOf(amd64)
  const other = manifestOf(arm64)
  const index = indexOf(
    {...one, with: platform('linux', 'amd64')},
    {...other, with: platform('linux', 'arm64')},
  )
  return outgoing([CONFIG, amd64, arm64], [one, other, index])
}

function outgoing(blobs: readonly Part[], manifests: readonly Part[]): OutgoingImage {
  const described = manifests.map(({bytes, descriptor}) => ({
    bytes,
    descriptor: {...descriptor, annotations: {}},
  }))
  return {blobs: blobs.map(blob => blobOf(blob)), manifests: described, root: described.at(-1)!.descriptor}
}

/** Text that does not become small when packed, the same each time. */
export function noise(length: number): string {
  let state = 1
  return Array.from({length}, () => {
    state = (state * 48_271) % 0x7fff_ffff
    return String.fromCharCode(33 + (state % 90))
  }).join('')
}
