import {baseNameOf} from '../../author/build/image-annotations.js'
import {outgoingCopy, platformOf} from '../../author/layout/outgoing-copy.js'
import {expectAgreement} from '../../author/build/build-image.js'
import type {Diagnostic} from '../../diagnostic.js'
import {withSuggestions, CrossplaneError} from '../../errors.js'
import {fetchImage} from '../../fetch/fetch-image.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {formatImageName, type ImageName, parseImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {parsePackageImage, parsePackageReference} from '../../reference/package-reference.js'
import {formatRepository, type Repository, repositoryOf} from '../../reference/repository.js'
import type {OutgoingImage} from '../../registry/outgoing-image.js'
import type {ReportProgress} from '../../registry/progress.js'
import {registryFiles} from '../../unpack/files/layer-files.js'
import {readPackage} from '../../unpack/read-package.js'
import {baseImage, type BasePorts, type RegistryAt} from './base-image.js'
import {buildPackage, type BuildPorts, type BuildQuery} from './build-package.js'
import {measured} from './build-to-disk.js'
import {imageStoreOf} from '../locate/image-store-of.js'
import type {PushedEntry} from '../index/add-pushed.js'
import {isUnauthenticated, isUnwritable} from '../../registry/unwritable.js'
import type {IndexTarget} from '../index/index-target.js'

/** What to push, and where to. */
export interface PushQuery extends BuildQuery {
  /** `path` is a folder, which is built, or a layout or archive, which is pushed as it is. */
  readonly path: string
  readonly reference: string
  /** The image to put the package on. */
  readonly from?: string
  /** The index to add it to. */
  readonly index?: IndexTarget
}

export interface PushPorts extends BuildPorts, BasePorts {
  readonly registry: RegistryAt
  readonly report?: ReportProgress
}

/** What is in the registry now. Sizes are in bytes. */
export interface PushReport {
  /** The reference under which it is pulled, pinned. */
  readonly reference: string
  readonly tag: string
  readonly digest: string
  readonly size: number
  readonly images: number
  /** The tag led to this very image before. */
  readonly unchanged: boolean
  /** The index that was named, and whether the package is new there. */
  readonly index?: Pick<PushedEntry, 'root' | 'state'>
  readonly warnings: readonly Diagnostic[]
}

/**
 * Builds a package, or takes one that was built, and pushes it. A tag says which version it is: without one it is
 * app.yaml's. Throws as building and the registry do; `reference-incomplete` where nothing says the tag. Where it is to be
 * added to an index, also as that does: by then the package was pushed, and the message says so.
 */
export async function pushPackage(query: PushQuery, ports: PushPorts): Promise<PushReport> {
  const name = pushName(query.reference, ports.defaultSource)
  const repository = repositoryOf(name)
  const {image, tag, warnings} = await imageFor(query, name, ports)
  const selected = name.tag ?? tag
  if (selected === undefined) throw noTag(query.reference)
  const {changed} = await pushTo(repository, selected, image, ports)
  const {digest, ...sizes} = measured(image)
  const entry = await indexed({repository, tag: selected, image}, query.index, ports)
  return {
    reference: `${formatRepository(repository)}:${selected}@${digest}`,
    tag: selected,
    digest,
    ...sizes,
    unchanged: !changed,
    ...(entry === undefined ? {} : {index: {root: entry.root, state: entry.state}}),
    warnings: [...warnings, ...(entry?.warnings ?? [])],
  }
}

interface Pushed {
  readonly repository: Repository
  readonly tag: string
  readonly image: OutgoingImage
}

/** What writes an index is loaded where one is named. */
async function indexed(
  {repository, tag, image}: Pushed,
  target: IndexTarget | undefined,
  ports: PushPorts,
): Promise<PushedEntry | undefined> {
  if (target === undefined) return undefined
  const {addPushed} = await import('../index/add-pushed.js')
  const pushed = {repository, tag, digest: image.root.digest, platform: platformOf(image)}
  return await addPushed(pushed, target, ports)
}

/** Some registries do not create repositories on push, and answer as if permission were missing. */
async function pushTo(
  repository: Repository,
  tag: string,
  image: OutgoingImage,
  {registry, report}: PushPorts,
): Promise<{readonly changed: boolean}> {
  const at = await registry(repository.registry)
  try {
    return await at.push(repository, tag, image, report)
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !isUnwritable(error) || isUnauthenticated(error)) throw error
    throw withSuggestions(error, [
      `Create the repository ${formatRepository(repository)} if the registry does not create it on push.`,
    ])
  }
}

interface Prepared {
  readonly image: OutgoingImage
  readonly tag?: string
  readonly warnings: readonly Diagnostic[]
}

async function imageFor(query: PushQuery, name: ImageName, ports: PushPorts): Promise<Prepared> {
  const source = isArchive(query.path) ? parsePackageReference(query.path) : undefined
  if (source !== undefined && source.kind !== 'image' && source.kind !== 'directory') {
    refuseBuildFlags(query)
    const built = await builtImage(await imageStoreOf(source, ports.sources), name.tag)
    return {...built, image: mountable(built.image, repositoryOf(name))}
  }
  const base = query.from === undefined ? undefined : await baseImage(query.from, ports, repositoryOf(name))
  return await buildPackage(query, name.tag, base, ports)
}

function isArchive(path: string): boolean {
  return /^(?:oci|oci-archive|docker-archive):/.test(path)
}

/** What was built before is read as whoever pulls it will, before anybody can. */
async function builtImage(store: ImageStore, tag: string | undefined): Promise<Prepared> {
  const image = await outgoingCopy(store)
  const read = await fetchImage(store, {platform: platformOf(image)})
  const {version} = readPackage(store.name, await registryFiles(read.layers))
  const own = tag ?? read.tag ?? version
  expectAgreement(version, own)
  return {image, ...(own === undefined ? {} : {tag: own}), warnings: []}
}

/**
 * What was built upon an image of the same registry says so, and need not send that one's layers. Where it is not true,
 * or may not be read, they are sent after all.
 */
function mountable(image: OutgoingImage, goesTo: Repository): OutgoingImage {
  const base = parseImageName(baseNameOf(image))
  const below = base === undefined ? undefined : repositoryOf(base)
  if (below?.registry !== goesTo.registry || below.path === goesTo.path) return image
  return {...image, blobs: image.blobs.map(blob => ({...blob, mountFrom: below.path}))}
}

function refuseBuildFlags({from, bake, path}: PushQuery): void {
  const flag = from === undefined ? (bake === undefined ? undefined : 'bake-metadata') : 'from'
  if (flag === undefined) return
  throw new CrossplaneError('usage', `--${flag} changes what is built, and ${path} was built before`, {
    suggestions: [`Pass --${flag} to package build, or push the folder of the package.`],
  })
}

function pushName(text: string, defaultSource: string | undefined): ImageName {
  const written = parsePackageImage(text)
  const name = defaultSource === undefined ? written : nameFromSource(written, defaultSource)
  if (name.digest === undefined) return name
  throw new CrossplaneError('usage', `${text} has a digest, and only what is pushed decides that`, {
    suggestions: [`Push to ${formatImageName({path: name.path, registry: name.registry, tag: name.tag})}.`],
  })
}

function noTag(reference: string): CrossplaneError {
  return new CrossplaneError(
    'reference-incomplete',
    `${reference} has no tag, and app.yaml no version that could be one`,
    {
      suggestions: [`Write ${reference}:TAG.`],
    },
  )
}
