import {CrossplaneError} from '../errors.js'
import {readDescriptors} from '../fetch/descriptor.js'
import type {Descriptor} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import type {SourceFiles} from '../fetch/source-files.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {collectBytes, verifiedBytes} from '../fetch/verified-bytes.js'
import {type BundledImage, type BundleDocument, readBundleDocument} from './bundle-document.js'
import {BUNDLE_TAG, BUNDLE_TYPES, type BundleFiles, REF_NAME} from './bundle-parts.js'
import {documentLinks} from './document-links.js'
import {BUNDLE_LIMITS} from './limits.js'

/** A bundle that was opened: its description, and its files. */
export interface Bundle {
  readonly name: string
  /** The manifest of its description: the identity of the bundle. */
  readonly artifact: Descriptor
  readonly document: BundleDocument
  readonly files: BundleFiles
  /** The layout, and that of its base if one was given. */
  readonly layout: SourceFiles
}

/**
 * Opens a bundle: reads and verifies its description, and compares it with `index.json`, which other tools read. Throws
 * `not-found` for anything else, `source-invalid`, `digest-mismatch`, `limit-exceeded`, `unsupported`.
 * @param base - the bundle that this one adds to.
 */
export async function openBundle(own: SourceFiles, base?: Bundle): Promise<Bundle> {
  const layout = base === undefined ? own : joined(own, base.layout)
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
  expectBase(document, base, name)
  return {name, artifact, document, files: await filesOf(own, manifest.layers), layout}
}

/** Returns the files of a layout and of the one that it adds to. */
function joined(own: SourceFiles, base: SourceFiles): SourceFiles {
  return {name: own.name, file: async path => (await own.file(path)) ?? (await base.file(path))}
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
    if (layer !== undefined) read[name] = await partBytes(files, layer, BUNDLE_LIMITS.partBytes)
  }
  return read
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

function expectBase({base}: BundleDocument, actual: Bundle | undefined, name: string): void {
  if (actual === undefined || base === actual.artifact.digest) return
  const why = base === undefined ? 'it is a whole bundle' : `it adds to the bundle ${base}`
  throw new CrossplaneError('usage', `${actual.name} is not the base of ${name}: ${why}`, {
    suggestions: [
      base === undefined ? 'Leave out --base.' : 'Pass the bundle that was the base when it was created.',
    ],
  })
}

function notABundle(name: string): CrossplaneError {
  return new CrossplaneError('not-found', `cannot read ${name}: it is not a bundle`, {
    suggestions: ['Create one: kubectl crossplane bundle create --help'],
  })
}

const REMEDY = 'Create the bundle again: kubectl crossplane bundle create --help'
