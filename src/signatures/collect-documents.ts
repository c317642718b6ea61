import {CrossplaneError} from '../errors.js'
import type {ArtifactStore} from '../fetch/artifact-store.js'
import {readDescriptors} from '../fetch/descriptor.js'
import type {Descriptor, Digest} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {collectBytes, digestOf, verifiedBytes} from '../fetch/verified-bytes.js'
import {mapConcurrent} from '../map-concurrent.js'
import {isBundleType, toSignedDocument} from './layer-document.js'
import {SIGNATURE_LIMITS} from './signature-limits.js'
import {rejected, type RejectedDocument, type SignedDocument} from './signed-document.js'

/** The signatures and attestations of one image, unverified, and those that cannot be read. */
export interface CollectedDocuments {
  readonly documents: readonly SignedDocument[]
  readonly rejected: readonly RejectedDocument[]
}

const CONCURRENT = 4

/**
 * Reads the signatures and attestations of an image: bundles that name it as their subject, and the tags of older versions of
 * cosign. Throws `limit-exceeded` for too many or too large ones, and as the store does.
 */
export async function collectDocuments(store: ArtifactStore, digest: Digest): Promise<CollectedDocuments> {
  const places = await Promise.all([bundleLayers(store, digest), taggedLayers(store, digest)])
  const layers = places.flat()
  const listed = layers.filter(layer => 'descriptor' in layer)
  expectFew(store, digest, listed)
  const documents: SignedDocument[] = []
  const unread = layers.filter(layer => 'reason' in layer)
  await mapConcurrent(listed, CONCURRENT, async ({descriptor}) => {
    const read = await attempt(descriptor.digest, async () => {
      const bytes = await layerBytes(store, descriptor)
      return toSignedDocument(descriptor, bytes)
    })
    if ('reason' in read) unread.push(read)
    else documents.push(read)
  })
  return {documents: sorted(documents), rejected: sorted(unread)}
}

/** Documents are read concurrently: reports and locks must not depend on the order. */
function sorted<T extends {readonly place: string}>(items: readonly T[]): readonly T[] {
  return [...items].sort((a, b) => (a.place < b.place ? -1 : 1))
}

interface Layer {
  readonly descriptor: Descriptor
}

async function bundleLayers(
  store: ArtifactStore,
  digest: Digest,
): Promise<readonly (Layer | RejectedDocument)[]> {
  const referrers = await signatureReferrers(store, digest)
  const layers = await layersOf(
    store,
    referrers.map(({digest: place}) => place),
  )
  return layers.filter(layer => 'reason' in layer || isBundleType(layer.descriptor.mediaType))
}

/** Lists the artifacts that refer to an image and can be signatures. Throws `limit-exceeded` for too many. */
export async function signatureReferrers(
  store: ArtifactStore,
  digest: Digest,
): Promise<readonly Descriptor[]> {
  const referrers = unique((await store.referrers(digest)).filter(isSignature))
  if (referrers.length > SIGNATURE_LIMITS.documents) throw tooMany(store, digest)
  return referrers
}

/** Some registries do not name the type of an artifact, or name that of its configuration. */
function isSignature({artifactType = EMPTY, mediaType}: Descriptor): boolean {
  return mediaType === MANIFEST && (artifactType === EMPTY || isBundleType(artifactType))
}

const EMPTY = 'application/vnd.oci.empty.v1+json'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'

function unique(descriptors: readonly Descriptor[]): readonly Descriptor[] {
  return [...new Map(descriptors.map(descriptor => [descriptor.digest, descriptor])).values()]
}

/** Returns the tags of the signatures and attestations of an image, as older versions of cosign name them. */
export function cosignTags(digest: Digest): readonly string[] {
  return ['sig', 'att'].map(suffix => `${digest.replace(':', '-')}.${suffix}`)
}

/** https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md */
async function taggedLayers(
  store: ArtifactStore,
  digest: Digest,
): Promise<readonly (Layer | RejectedDocument)[]> {
  return await layersOf(store, cosignTags(digest))
}

async function layersOf(
  store: ArtifactStore,
  references: readonly string[],
): Promise<readonly (Layer | RejectedDocument)[]> {
  const layers: (Layer | RejectedDocument)[] = []
  await mapConcurrent(references, CONCURRENT, async reference => {
    const read = await attempt(reference, async () => await layersIn(store, reference))
    if ('reason' in read) layers.push(read)
    else layers.push(...read)
  })
  return layers
}

/** The layers of a manifest; none if it does not exist. */
async function layersIn(store: ArtifactStore, reference: string): Promise<readonly Layer[]> {
  const bytes = await store.manifest(reference)
  if (bytes === undefined) return []
  const holder = `the manifest ${reference} of ${store.name}`
  if (reference.startsWith('sha256:') && digestOf(bytes) !== reference) {
    throw new CrossplaneError('digest-mismatch', `${holder} has another digest`)
  }
  return readDescriptors(parseJsonObject(bytes, holder), 'layers', holder).map(descriptor => ({descriptor}))
}

async function layerBytes(store: ArtifactStore, descriptor: Descriptor): Promise<Uint8Array> {
  const holder = `the signature ${descriptor.digest} of ${store.name}`
  const chunks = verifiedBytes(store.blob(descriptor), descriptor, holder)
  return await collectBytes(chunks, SIGNATURE_LIMITS.documentBytes, holder)
}

/** The codes of errors that are about the content of one signature: others can still be valid. */
const CONTENT: readonly string[] = ['source-invalid', 'unsupported', 'digest-mismatch', 'not-found']

async function attempt<T>(place: string, act: () => Promise<T>): Promise<T | RejectedDocument> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CrossplaneError && CONTENT.includes(error.code))
      return rejected(place, error.message)
    throw error
  }
}

function expectFew(store: ArtifactStore, digest: Digest, layers: readonly Layer[]): void {
  const sizes = layers.map(({descriptor}) => descriptor.size)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (layers.length > SIGNATURE_LIMITS.documents) throw tooMany(store, digest)
  const isLarge = sizes.some(size => size > SIGNATURE_LIMITS.documentBytes)
  if (!isLarge && total <= SIGNATURE_LIMITS.totalBytes) return
  throw new CrossplaneError('limit-exceeded', `the signatures of ${store.name}@${digest} are too large`)
}

function tooMany({name}: ArtifactStore, digest: Digest): CrossplaneError {
  const message = `${name}@${digest} has more than ${SIGNATURE_LIMITS.documents} signatures`
  return new CrossplaneError('limit-exceeded', message)
}
