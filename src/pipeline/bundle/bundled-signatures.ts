import type {BundledImage} from '../../bundles/bundle-document.js'
import {type GatheredImage, gatherImage} from '../../bundles/gather-image.js'
import {documentAllowances} from '../../bundles/verify-bundle.js'
import {CrossplaneError} from '../../errors.js'
import type {ArtifactStore} from '../../fetch/artifact-store.js'
import type {Descriptor} from '../../fetch/image.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {chunksFrom} from '../../http/chunks-from.js'
import {oneChunk} from '../../http/one-chunk.js'
import {mirroredRepository} from '../../reference/mirrors.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {formatRepository, repositoryOf} from '../../reference/repository.js'
import {cosignTags, signatureReferrers} from '../../signatures/collect-documents.js'
import {asText} from '../../yaml/json-value.js'

/** A signature, and where its blobs are read from. */
interface SignatureContent extends GatheredImage {
  readonly image: BundledImage
  readonly store: ImageStore
}

/**
 * Reads the signatures and attestations of images: artifacts that refer to them, and the tags of older versions of cosign. They are
 * copied and not verified. Throws as reading them does.
 */
export async function signatureContents(
  images: readonly {readonly image: BundledImage}[],
  ports: PackagePorts,
): Promise<readonly SignatureContent[]> {
  const contents = new Map<string, SignatureContent>()
  for (const {image} of images) {
    const artifacts = await artifactsOf(image, ports)
    if (artifacts === undefined) continue
    for (const content of await contentsOf(image, artifacts)) contents.set(content.image.reference, content)
  }
  return [...contents.values()]
}

async function artifactsOf(
  {reference, digest}: BundledImage,
  {folder, remote}: PackagePorts,
): Promise<ArtifactStore | undefined> {
  const own = repositoryOf(parsePackageImage(reference))
  const bundled = await folder?.artifacts?.(formatRepository(own), digest)
  if (bundled !== undefined || remote.registry === undefined) return bundled
  const repository = mirroredRepository(own, remote.mirrors ?? {})
  return (await remote.registry(repository.registry)).artifacts(repository)
}

async function contentsOf(
  image: BundledImage,
  artifacts: ArtifactStore,
): Promise<readonly SignatureContent[]> {
  const referrers = await signatureReferrers(artifacts, image.digest)
  const repository = image.reference.replace(/(?:@sha256:[0-9a-f]+|:[^/:]+)$/, '')
  const names: readonly {readonly place: string; readonly reference: string}[] = [
    ...referrers.map(({digest}) => ({place: digest, reference: `${repository}@${digest}`})),
    ...cosignTags(image.digest).map(tag => ({place: tag, reference: `${repository}:${tag}`})),
  ]
  const contents: SignatureContent[] = []
  for (const {place, reference} of names) {
    const bytes = await artifacts.manifest(place)
    if (bytes === undefined) continue
    const store = artifactImage(artifacts, reference, bytes)
    const gathered = await gatherImage(store, {platforms: [], allowances: documentAllowances()})
    if (place.startsWith('sha256:') && gathered.root.digest !== place)
      throw new CrossplaneError('digest-mismatch', `${reference} has the digest ${gathered.root.digest}`)
    const {digest, mediaType, size} = gathered.root
    const listed = {...{reference, digest, mediaType, size}, role: 'signature', isXpkg: false} as const
    contents.push({...gathered, store, image: {...listed, usedBy: [], subject: image.digest}})
  }
  return contents
}

/** An artifact as an image of which the manifest was read. */
function artifactImage(artifacts: ArtifactStore, name: string, bytes: Uint8Array): ImageStore {
  const stated = asText(parseJsonObject(bytes, name)['mediaType'])
  return {
    name,
    root: () =>
      Promise.resolve({bytes: oneChunk(bytes), mediaType: stated === '' ? OCI_TYPES.manifest : stated}),
    manifest: descriptor => bytesFrom(artifacts, descriptor),
    blob: (descriptor, start = 0) => chunksFrom(artifacts.blob(descriptor), start),
  }
}

async function* bytesFrom(
  artifacts: ArtifactStore,
  {digest}: Descriptor,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = await artifacts.manifest(digest)
  if (bytes === undefined) throw new CrossplaneError('not-found', `${artifacts.name} lacks ${digest}`)
  yield bytes
}
