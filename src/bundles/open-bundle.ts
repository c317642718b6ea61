import {CrossplaneError} from '../errors.js'
import {readDescriptors} from '../fetch/descriptor.js'
import type {Descriptor, Digest} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import type {SourceFiles} from '../fetch/source-files.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {collectBytes, verifiedBytes} from '../fetch/verified-bytes.js'
import {oneChunk} from '../http/one-chunk.js'
import {present} from '../present.js'
import {GzipDamage, gunzip} from '../unpack/files/gunzip.js'
import {type BundledImage, type BundleDocument, readBundleDocument} from './bundle-document.js'
import {BUNDLE_TAG, BUNDLE_TYPES, type BundleFiles, COMPRESSED, REF_NAME} from './bundle-parts.js'
import {documentLinks} from './document-links.js'
import {BUNDLE_LIMITS} from './limits.js'

/** A bundle that was opened: its description, and its files. */
export interface Bundle {
  readonly name: string
  /** The manifest of its description: the identity of the bundle. */
  readonly artifact: Descriptor
  readonly document: BundleDocument
  readonly files: BundleFiles
  /** The layout, and those of its bases that were given. */
  readonly layout: SourceFiles
  /** What it, or the last of its bases that were given, adds to. */
  readonly missingBase?: Digest
}

/**
 * Opens a bundle: reads and verifies its description, and compares it with `index.json`, which other tools read. Throws
 * `not-found` for anything else, `source-invalid`, `digest-mismatch`, `limit-exceeded`, `unsupported`.
 */
export async function openBundle(own: SourceFiles): Promise<Bundle> {
  const {name} = own
  const entries = await indexEntries(own)
  const artifact = entries.find(({annotations}) => annotations[REF_NAME] === BUNDLE_TAG)
  if (artifact === undefined) throw notABundle(name)
  const holder = `the description of ${name}`
  const manifest = documentLinks(
    await partBytes(own, artifact, SOURCE_LIMITS.manifestBytes),
    artifact.mediaType,
    holder,
  )
  if (manifest.config?.mediaType !== BUNDLE_TYPES.description) throw notABundle(name)
  const document = readBundleDocument(await partBytes(own, manifest.config, BUNDLE_LIMITS.partBytes), holder)
  expectSameImages(
    document,
    entries.filter(entry => entry !== artifact),
    name,
  )
  const files = await filesOf(own, manifest.layers)
  return {name, artifact, document, files, layout: own, ...present({missingBase: document.base})}
}

async function indexEntries(files: SourceFiles): Promise<readonly Descriptor[]> {
  const index = await files.file('index.json')
  if ((await files.file('oci-layout')) === undefined || index === undefined) throw notABundle(files.name)
  const holder = `index.json in ${files.name}`
  const bytes = await collectBytes(index.read(), SOURCE_LIMITS.manifestBytes, holder)
  return readDescriptors(parseJsonObject(bytes, holder), 'manifests', holder)
}

/** Reads a part of the bundle itself into memory, verified. */
async function partBytes(files: SourceFiles, descriptor: Descriptor, limit: number): Promise<Uint8Array> {
  const file = await files.file(blobFile(descriptor))
  const holder = `${descriptor.digest} in ${files.name}`
  if (file === undefined)
    throw new CrossplaneError('source-invalid', `${files.name} lacks ${descriptor.digest}`)
  return await collectBytes(verifiedBytes(file.read(), descriptor, holder), limit, holder)
}

/** Returns the path of a blob in a layout. */
export function blobFile({digest}: Pick<Descriptor, 'digest'>): string {
  return `blobs/${digest.replace(':', '/')}`
}

async function filesOf(files: SourceFiles, layers: readonly Descriptor[]): Promise<BundleFiles> {
  const read: Partial<Record<keyof BundleFiles, Uint8Array>> = {}
  for (const name of ['declaration', 'lock', 'index'] as const) {
    const layer = layers.find(({mediaType}) => mediaType === BUNDLE_TYPES[name])
    if (layer === undefined) continue
    const bytes = await partBytes(files, layer, BUNDLE_LIMITS.partBytes)
    read[name] = COMPRESSED.has(name) ? await decompressed(bytes, `${layer.digest} in ${files.name}`) : bytes
  }
  return read
}

async function decompressed(bytes: Uint8Array, holder: string): Promise<Uint8Array> {
  try {
    return await collectBytes(gunzip(oneChunk(bytes)), BUNDLE_LIMITS.partBytes, holder)
  } catch (error) {
    if (!(error instanceof GzipDamage)) throw error
    throw new CrossplaneError('source-invalid', `${holder} is not valid gzip data: ${error.message}`, {
      suggestions: [REMEDY],
      cause: error,
    })
  }
}

/** A bundle must be the same for this program and for those that read only the layout. */
function expectSameImages({images}: BundleDocument, entries: readonly Descriptor[], name: string): void {
  const listed = new Map(entries.map(entry => [entry.annotations[REF_NAME] ?? '', entry]))
  const other = images.find(image => !isSame(image, listed.get(image.reference)))
  if (other === undefined && listed.size === images.length && entries.length === images.length) return
  throw new CrossplaneError(
    'source-invalid',
    `${name} is inconsistent: index.json does not list the images of its description${other === undefined ? '' : `, such as ${other.reference}`}`,
    {suggestions: [REMEDY]},
  )
}

function isSame({digest, mediaType, size}: BundledImage, entry: Descriptor | undefined): boolean {
  return entry?.digest === digest && entry.mediaType === mediaType && entry.size === size
}

function notABundle(name: string): CrossplaneError {
  return new CrossplaneError('not-found', `cannot read ${name}: it is not a bundle`, {
    suggestions: ['Create one: kubectl crossplane bundle create --help'],
  })
}

const REMEDY = 'Create the bundle again: kubectl crossplane bundle create --help'
