import {imageToPush, isSparse} from '../../bundles/bundle-image.js'
import type {BundledImage} from '../../bundles/bundle-document.js'
import {bundleStore} from '../../bundles/bundle-store.js'
import {type GatheredImage, gatherImage} from '../../bundles/gather-image.js'
import {mirrorConfigs} from '../../bundles/mirror-configs.js'
import {
  formatMirrored,
  type MirroredImage,
  mirroredImage,
  mirrorsOf,
  type MirrorTarget,
} from '../../bundles/mirror-target.js'
import type {Bundle} from '../../bundles/open-bundle.js'
import {gatherOptions} from '../../bundles/verify-bundle.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import {blobsOf, type Digest, type Image} from '../../fetch/image.js'
import type {ImageStore} from '../../fetch/image-store.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {Mirrors} from '../../reference/mirrors.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {PushResult, Registry, RegistryAt} from '../../registry/registry.js'
import {present} from '../../present.js'
import {listNames} from '../../text.js'
import {listReferrers, pushReferrer, subjectWarnings} from '../signatures/list-referrers.js'
import {expectSparseIndexes} from './sparse-index.js'

/** How a bundle is pushed. */
export interface BundlePushQuery {
  readonly bundle: Bundle
  readonly target: MirrorTarget
  /** Whether tags that exist with other content are changed. */
  readonly force: boolean
}

export interface BundlePushPorts {
  readonly registry: RegistryAt
  readonly report?: ReportProgress
}

/** An image that the registry has now. */
interface PushedImage extends Pick<PushResult, 'digest' | 'changed' | 'uploaded' | 'mounted' | 'present'> {
  readonly reference: string
  readonly target: string
}

/** What a push did, and how packages and Crossplane find the mirror. */
export interface PushedBundle {
  readonly images: readonly PushedImage[]
  readonly registries: Mirrors
  readonly imageConfigs: readonly KubernetesObject[]
  readonly warnings: readonly Diagnostic[]
}

interface Mirroring {
  readonly image: BundledImage
  readonly at: MirroredImage
  readonly store: ImageStore
  readonly gathered: GatheredImage
  /** The digest that the tag has now. */
  readonly before: Digest | undefined
}

/**
 * Pushes all images of a bundle that the registry lacks: content and signatures by digest, then the tags. Before anything is uploaded, the bundle must be complete, no tag
 * may have other content, and the registry must accept sparse indexes if the bundle has any. Throws `output-refused`,
 * `unsupported`, `digest-mismatch`, and the errors of reading and pushing.
 */
export async function pushBundle(
  {bundle, target, force}: BundlePushQuery,
  {registry: open, report}: BundlePushPorts,
): Promise<PushedBundle> {
  const {images} = bundle.document
  const registries = mirrorsOf(images, target)
  const registry = await open(target.registry)
  const all = await mirrorings(bundle, target, registry)
  if (!force) expectFreeTags(all)
  const missing = all.filter(({image, before}) => before !== image.digest)
  const sparse = missing.find(({gathered}) => isSparse(gathered))
  if (sparse !== undefined) await expectSparseIndexes(registry, sparse.at.repository)
  const contents = await pushContents(all, registry, report)
  for (const mirroring of all) await listReferrer(mirroring, contents, registry, report)
  const changed = await moveTags(all, contents, registry, report)
  const pushed = all.map(mirroring => toPushed(mirroring, contents, changed))
  const warnings = new Map(
    all.flatMap(mirroring => warningsOf(mirroring, contents)).map(warning => [warning.message, warning]),
  )
  return {
    images: pushed,
    registries,
    imageConfigs: mirrorConfigs(images, registries),
    warnings: [...warnings.values()],
  }
}

/** An image as a registry has it now: a signature can have another digest there. */
interface PushedContent {
  readonly result: PushResult
  readonly digest: Digest
  /** What was pushed in place of an artifact that the registry does not take. */
  readonly artifact?: Image
}

type Contents = ReadonlyMap<Mirroring, PushedContent>

/** Pushes all content under its digest, signatures after what they are about: no tag leads to an image without them. */
async function pushContents(
  all: readonly Mirroring[],
  registry: Registry,
  report?: ReportProgress,
): Promise<Contents> {
  const places = new Map<Digest, string>()
  const contents = new Map<Mirroring, PushedContent>()
  for (const mirroring of inOrder(all, ['image', 'package', 'signature']))
    contents.set(mirroring, await pushOne(mirroring, registry, places, report))
  return contents
}

/** Moves tags, those of packages last, so that each leads to a package whose images are there. Returns those that changed. */
async function moveTags(
  all: readonly Mirroring[],
  contents: Contents,
  registry: Registry,
  report?: ReportProgress,
): Promise<ReadonlySet<Mirroring>> {
  const changed = new Set<Mirroring>()
  for (const mirroring of inOrder(all, ['signature', 'image', 'package'])) {
    const {at, image, store, gathered, before} = mirroring
    try {
      if (!isByDigest(at) && before !== image.digest) {
        const options = {before: {digest: before}, isStored: true, isSparse: isSparse(gathered)}
        await registry.push(at.repository, at.tag, imageToPush(gathered, store), report, options)
        changed.add(mirroring)
      }
      await expectStored(registry, at, contents.get(mirroring)?.digest ?? image.digest)
    } catch (error) {
      throw error instanceof CrossplaneError ? withTagsBefore(error, changed) : error
    }
  }
  return changed
}

function withTagsBefore(error: CrossplaneError, changed: ReadonlySet<Mirroring>): CrossplaneError {
  if (changed.size === 0) return error
  const names = listNames([...changed].map(({at}) => formatMirrored(at)))
  const advice = ['Run the command again to complete it, or delete the new tags in the registry.']
  return withSuggestions(error, advice, `${error.message}; new tags before the failure: ${names}`)
}

function inOrder(all: readonly Mirroring[], roles: readonly BundledImage['role'][]): readonly Mirroring[] {
  return roles.flatMap(role => all.filter(({image}) => image.role === role))
}

function isByDigest({tag}: MirroredImage): boolean {
  return tag.includes(':')
}

function toPushed(mirroring: Mirroring, contents: Contents, tagged: ReadonlySet<Mirroring>): PushedImage {
  const {image, at} = mirroring
  const {result = NOTHING, digest = image.digest} = contents.get(mirroring) ?? {}
  const {changed: isNew, uploaded, mounted, present: had} = result
  const changed = isByDigest(at) ? isNew : tagged.has(mirroring)
  const target = formatMirrored(isByDigest(at) ? {...at, tag: digest} : at)
  return {reference: image.reference, target, digest, changed, uploaded, mounted, present: had}
}

const NOTHING = {changed: false, uploaded: 0, mounted: 0, present: 0}

async function mirrorings(
  bundle: Bundle,
  target: MirrorTarget,
  registry: Registry,
): Promise<readonly Mirroring[]> {
  const options = gatherOptions(bundle)
  const all: Mirroring[] = []
  for (const image of bundle.document.images) {
    const store = bundleStore(bundle, image)
    const at = mirroredImage(image, target)
    const gathered = await gatherImage(store, options)
    all.push({image, at, store, gathered, before: await registry.digestOf(at.repository, at.tag)})
  }
  return all
}

function expectFreeTags(all: readonly Mirroring[]): void {
  // The tag of signatures moves with each further one.
  const taken = all.filter(
    ({image, before}) => image.role !== 'signature' && before !== undefined && before !== image.digest,
  )
  if (taken.length === 0) return
  const [first] = taken
  const name = first === undefined ? '' : formatMirrored(first.at)
  throw new CrossplaneError('output-refused', `cannot push the bundle: ${name} exists with another digest`, {
    diagnostics: taken.map(({at, image, before = ''}) => ({
      severity: 'error',
      rule: 'output-refused',
      message: `${formatMirrored(at)} is ${before}, but ${image.digest} in the bundle`,
    })),
    suggestions: ['Push under another prefix, or pass --force to change these tags.'],
  })
}

async function pushOne(
  {image, at, store, gathered, before}: Mirroring,
  registry: Registry,
  places: Map<Digest, string>,
  report?: ReportProgress,
): Promise<PushedContent> {
  const whole = imageToPush(gathered, store)
  const mountFrom = blobsOf(whole)
    .map(({descriptor}) => places.get(descriptor.digest))
    .find(path => path !== undefined)
  const isThere = before === image.digest ? before : undefined
  const options = {
    before: {digest: isThere},
    isSparse: isSparse(gathered),
    ...present({mountFrom}),
  }
  remember(whole, at.repository.path, places)
  if (!isReferrer(image))
    return {
      result: await registry.push(at.repository, image.digest, whole, report, options),
      digest: image.digest,
    }
  const target = {at: registry, repository: at.repository}
  const {artifact, result} = await pushReferrer(target, whole, report, options)
  return {result, digest: artifact.descriptor.digest, artifact}
}

/** Only a signature that a digest names is read as a referrer. */
function isReferrer({subject, reference}: BundledImage): boolean {
  return subject !== undefined && reference.includes('@')
}

async function listReferrer(
  mirroring: Mirroring,
  contents: Contents,
  at: Registry,
  report?: ReportProgress,
): Promise<void> {
  const {repository} = mirroring.at
  const {subject} = mirroring.image
  const {artifact} = contents.get(mirroring) ?? {}
  if (subject !== undefined && artifact !== undefined)
    await listReferrers({at, repository, subject}, [artifact], report)
}

function warningsOf(mirroring: Mirroring, contents: Contents): readonly Diagnostic[] {
  const {subject} = mirroring.image
  const {artifact: after} = contents.get(mirroring) ?? {}
  if (subject === undefined || after === undefined) return []
  const before = imageToPush(mirroring.gathered, mirroring.store)
  return subjectWarnings(mirroring.at.repository, subject, [{before, after}])
}

async function expectStored(registry: Registry, at: MirroredImage, digest: Digest): Promise<void> {
  const tag = isByDigest(at) ? digest : at.tag
  const stored = await registry.digestOf(at.repository, tag)
  if (stored === digest) return
  const has = stored === undefined ? 'does not have it' : `has ${stored} instead`
  throw new CrossplaneError('digest-mismatch', `cannot verify ${formatMirrored(at)}: the registry ${has}`, {
    suggestions: ['Run the command again; another push may have changed the tag.'],
  })
}

/** Repositories of one registry share blobs by mounting. */
function remember(image: Image, path: string, places: Map<Digest, string>): void {
  for (const {descriptor} of blobsOf(image))
    if (!places.has(descriptor.digest)) places.set(descriptor.digest, path)
}
