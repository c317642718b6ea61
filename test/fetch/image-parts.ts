import {createHash} from 'node:crypto'
import type {Digest} from '../../src/fetch/image.js'

/** A document or layer with its descriptor, as tests put images together. */
export interface Part {
  readonly bytes: Buffer
  readonly descriptor: {readonly mediaType: string; readonly digest: Digest; readonly size: number}
}

export const OCI = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
}

export function part(mediaType: string, content: string | Uint8Array | object): Part {
  const bytes = Buffer.from(
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  )
  return {bytes, descriptor: {mediaType, digest: digestOf(bytes), size: bytes.length}}
}

export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** The manifest of an image with these layers. */
export function manifestOf(...layers: readonly Part[]): Part {
  const config = part(OCI.config, {}).descriptor
  return part(OCI.manifest, {
    schemaVersion: 2,
    mediaType: OCI.manifest,
    config,
    layers: layers.map(({descriptor}) => descriptor),
  })
}

/** An index of parts; what is given beside a part is added to its descriptor. */
export function indexOf(...entries: readonly (Part & {readonly with?: object})[]): Part {
  return part(OCI.index, {
    schemaVersion: 2,
    mediaType: OCI.index,
    manifests: entries.map(entry => ({...entry.descriptor, ...entry.with})),
  })
}

export const platform = (os: string, architecture: string, variant?: string) => ({
  platform: {os, architecture, ...(variant !== undefined && {variant})},
})

export const tagged = (tag: string) => ({annotations: {'org.opencontainers.image.ref.name': tag}})
