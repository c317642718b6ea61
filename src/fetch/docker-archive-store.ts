import {CrossplaneError} from '../errors.js'
import {oneChunk} from '../http/one-chunk.js'
import {quoted} from '../text.js'
import {asObject, type JsonObject} from '../yaml/json-value.js'
import {Allowance} from './allowance.js'
import {SNIFF_BYTES, sniffCompression} from './compression.js'
import {type ArchiveChoice, archivedImage} from './docker-archive.js'
import type {ImageStore} from './image-store.js'
import type {Descriptor, Digest} from './image.js'
import {parseJsonObject} from './json-document.js'
import {OCI_TYPES} from './media-types.js'
import {memberPath} from './member-path.js'
import {XPKG_LAYER} from './xpkg-layer.js'
import type {SourceFile, SourceFiles} from './source-files.js'
import {SOURCE_LIMITS} from './source-limits.js'
import {collectBytes, digestOf, hashedBytes} from './verified-bytes.js'

/**
 * Opens one image of an archive of `docker save`, with the manifest that it would have in a registry: the archive has
 * none. Layers whose paths do not contain a digest are read once to compute it. Throws as `archivedImage` does,
 * `unsupported` for layers in a compression that no registry serves, and `limit-exceeded`.
 */
export async function dockerArchiveStore(
  files: SourceFiles,
  choice: ArchiveChoice = {},
): Promise<ImageStore> {
  const {config, layers, tag} = await archivedImage(files, choice)
  const members = new Members(files)
  const labels = await labelsOf(files, config)
  const described = []
  for (const path of layers) described.push(annotated(await members.describe(path, layerType), labels))
  const document = {
    schemaVersion: 2,
    mediaType: OCI_TYPES.manifest,
    config: (await members.has(config)) ? await members.describe(config, () => OCI_TYPES.config) : undefined,
    layers: described,
  }
  const bytes = Buffer.from(JSON.stringify(document))
  const blob = ({digest}: Descriptor, start?: number) =>
    members.blobs.get(digest)?.read(start) ?? oneChunk(new Uint8Array(0))
  return {
    isDerived: true,
    name: choice.reference === undefined ? files.name : `${files.name}:${choice.reference}`,
    root: () =>
      Promise.resolve({
        bytes: oneChunk(bytes),
        mediaType: document.mediaType,
        digest: digestOf(bytes),
        tag,
      }),
    manifest: descriptor => blob(descriptor),
    blob,
  }
}

/**
 * The labels in the config of an image: layers in archives have no annotations, so packages for a current Crossplane
 * repeat theirs here. None if the config cannot be read, which others report.
 */
async function labelsOf(files: SourceFiles, config: string): Promise<JsonObject> {
  const file = config === '' ? undefined : await files.file(memberPath(config, files.name).join('/'))
  if (file === undefined || file.size > SOURCE_LIMITS.manifestBytes) return {}
  const bytes = await collectBytes(file.read(), SOURCE_LIMITS.manifestBytes, file.name)
  return asObject(asObject(parseJsonObject(bytes, file.name).config).Labels)
}

/** https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md */
function annotated<Layer extends {readonly digest: Digest}>(layer: Layer, labels: JsonObject) {
  const value = labels[`${XPKG_LAYER}:${layer.digest}`]
  return typeof value === 'string' ? {...layer, annotations: {[XPKG_LAYER]: value}} : layer
}

/** The layers and configs of an archive, each described once: an image can have one layer several times. */
class Members {
  readonly blobs = new Map<Digest, SourceFile>()
  readonly #files: SourceFiles
  readonly #described = new Map<string, Omit<Descriptor, 'annotations'>>()
  readonly #stored = new Allowance(SOURCE_LIMITS.unpackedBytes, 'bytes as stored, with the other layers')

  constructor(files: SourceFiles) {
    this.#files = files
  }

  async has(name: string): Promise<boolean> {
    const segments = memberPath(name, this.#list)
    return segments.length > 0 && (await this.#files.file(segments.join('/'))) !== undefined
  }

  async describe(
    name: string,
    typeOf: (file: SourceFile) => string | Promise<string>,
  ): Promise<Omit<Descriptor, 'annotations'>> {
    const path = memberPath(name, this.#list).join('/')
    const cached = this.#described.get(path)
    if (cached !== undefined) return cached
    const file = await this.#files.file(path)
    if (file === undefined) throw this.#missing(path)
    this.#stored.spend(file.size, file.name)
    const digest = statedDigest(path) ?? (await hashedBytes(file.read()))
    const descriptor = {mediaType: await typeOf(file), digest, size: file.size}
    this.#described.set(path, descriptor)
    this.blobs.set(digest, file)
    return descriptor
  }

  get #list(): string {
    return `manifest.json in ${this.#files.name}`
  }

  #missing(path: string): CrossplaneError {
    return new CrossplaneError(
      'source-invalid',
      `cannot read ${this.#files.name}: ${quoted(path)} of its manifest.json is missing`,
    )
  }
}

/** Since Docker 25 the paths are those of an OCI layout; reading a blob verifies the digest in its path. */
function statedDigest(path: string): Digest | undefined {
  const [, hex] = /^blobs\/sha256\/([a-f0-9]{64})$/.exec(path) ?? []
  return hex === undefined ? undefined : `sha256:${hex}`
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
