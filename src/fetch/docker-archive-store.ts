import {CrossplaneError} from '../errors.js'
import {SNIFF_BYTES, sniffCompression} from './compression.js'
import type {Descriptor} from './descriptor.js'
import {type ArchiveChoice, archivedImage} from './docker-archive.js'
import type {ImageStore} from './image-store.js'
import type {Digest} from './image.js'
import {OCI_TYPES} from './media-types.js'
import {memberPath} from './member-path.js'
import {quoted} from '../text.js'
import type {SourceFile, SourceFiles} from './source-files.js'
import {SOURCE_LIMITS} from './source-limits.js'
import {collectBytes, digestOf, hashedBytes} from './verified-bytes.js'

/**
 * One image of what `docker save` writes, with the manifest that it would have in a registry: the archive has none, and
 * records no digests, so every layer is read once. Throws as `dockerArchiveImage` does, and `unsupported` for layers
 * in a compression that no registry serves.
 */
export async function dockerArchiveStore(
  files: SourceFiles,
  choice: ArchiveChoice = {},
): Promise<ImageStore> {
  const {config, layers} = await archivedImage(files, choice)
  const blobs = new Map<Digest, SourceFile>()
  const describe = async (path: string, typeOf: (file: SourceFile) => Promise<string>) => {
    const file = await memberOf(files, path)
    const digest = await hashedBytes(file.read())
    blobs.set(digest, file)
    return {mediaType: await typeOf(file), digest, size: file.size}
  }
  const described = []
  for (const path of layers) described.push(await describe(path, layerType))
  const document = {
    schemaVersion: 2,
    mediaType: OCI_TYPES.manifest,
    config: await describe(config, () => Promise.resolve(OCI_TYPES.config)),
    layers: described,
  }
  const bytes = Buffer.from(JSON.stringify(document))
  const blob = ({digest}: Descriptor) => blobs.get(digest)?.read() ?? once(new Uint8Array(0))
  return {
    name: choice.reference === undefined ? files.name : `${files.name}:${choice.reference}`,
    root: () => Promise.resolve({bytes: once(bytes), mediaType: document.mediaType, digest: digestOf(bytes)}),
    manifest: blob,
    blob,
  }
}

async function memberOf(files: SourceFiles, name: string): Promise<SourceFile> {
  const path = memberPath(name, `manifest.json in ${files.name}`).join('/')
  const file = await files.file(path)
  if (file !== undefined) return file
  throw new CrossplaneError(
    'source-invalid',
    `cannot read ${files.name}: ${quoted(path)} of its manifest.json is missing`,
  )
}

async function layerType(file: SourceFile): Promise<string> {
  const start = file.read(0, SNIFF_BYTES)
  const compression = sniffCompression(await collectBytes(start, SOURCE_LIMITS.manifestBytes, file.name))
  if (compression === 'none') return OCI_TYPES.tar
  if (compression === 'gzip' || compression === 'zstd') return OCI_TYPES[compression]
  throw new CrossplaneError(
    'unsupported',
    `cannot read ${file.name}: ${compression} is not supported, only gzip and zstd`,
  )
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes)
}
