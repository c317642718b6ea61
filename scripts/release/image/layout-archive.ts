import {buffer} from 'node:stream/consumers'
import {pack} from 'tar-stream'
import {INDEX_FILE, LAYOUT_FILE, LAYOUT_VERSION} from '../../../src/author/layout/layout-index.js'
import {blobPath, storedParts} from '../../../src/author/layout/write-layout.js'
import type {Image} from '../../../src/fetch/image.js'
import {OCI_TYPES} from '../../../src/fetch/media-types.js'
import {descriptorJson} from '../../../src/fetch/oci-parts.js'

/**
 * Returns an OCI layout in a tar, with an image under a tag, and artifacts that refer to it without one. It depends on
 * these alone.
 */
export async function layoutArchive(
  image: Image,
  tag: string,
  artifacts: readonly Image[],
): Promise<Uint8Array> {
  const blobs = new Map<string, Uint8Array>()
  for (const part of [image, ...artifacts].flatMap(storedParts))
    blobs.set(blobPath(part.descriptor), await buffer(part.open()))
  const files = [
    ...[...blobs].sort(([a], [b]) => (a < b ? -1 : 1)),
    [INDEX_FILE, Buffer.from(layoutIndex(image, tag, artifacts))] as const,
    [LAYOUT_FILE, Buffer.from(JSON.stringify(LAYOUT_VERSION))] as const,
  ]
  const archive = pack()
  const folder = {type: 'directory', mode: 0o755, mtime: new Date(0)} as const
  for (const name of ['blobs/', 'blobs/sha256/']) archive.entry({...folder, name})
  for (const [name, content] of files)
    archive.entry({name, mode: 0o644, mtime: new Date(0)}, Buffer.from(content))
  archive.finalize()
  return await buffer(archive)
}

function layoutIndex({descriptor}: Image, tag: string, artifacts: readonly Image[]): string {
  const named = {...descriptor, annotations: {'org.opencontainers.image.ref.name': tag}}
  const referring = artifacts.map(artifact => {
    const {artifactType} = JSON.parse(Buffer.from(artifact.bytes).toString()) as {
      readonly artifactType: string
    }
    return {...descriptorJson(artifact.descriptor), artifactType}
  })
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: OCI_TYPES.index,
    manifests: [descriptorJson(named), ...referring],
  })
}
