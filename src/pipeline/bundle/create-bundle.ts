import type {BlobFolder} from '../../bundles/blob-folder.js'
import type {BundledImage, BundleDocument} from '../../bundles/bundle-document.js'
import {gzipped} from '../../author/build/gzip.js'
import {bundleArtifact, bundleIndex} from '../../bundles/bundle-parts.js'
import {hasBlob} from '../../bundles/bundle-store.js'
import type {Bundle} from '../../bundles/open-bundle.js'
import {storeBlob} from '../../bundles/store-blob.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {PackageSummary} from '../../index/package-summary.js'
import {writeIndexFile} from '../../index/file/index-file.js'
import type {Digest} from '../../fetch/image.js'
import {formatPlatform, type Platform} from '../../fetch/platform.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {present} from '../../present.js'
import type {BundleClosure} from '../inspect/bundle-closure.js'
import {bundleContents, type BundledPart, type ImageContent, partsOf} from './bundle-contents.js'
import {entryDiagnostics} from '../../index/entry/entry-document.js'
import {summaryOfFiles} from '../../index/entry-of-package.js'
import {locatePackage} from '../../locate/locate-package.js'
import {parseImageName} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'

/** What a bundle is created of. */
export interface BundleQuery {
  readonly closure: BundleClosure
  /** None for all. */
  readonly platforms: readonly Platform[]
  /** The bundle that this one adds to. */
  readonly base?: Bundle
}

/** Where a bundle is written. */
export interface BundleOutput {
  /** Collects what the bundle is to have; kept if the process ends. */
  readonly blobs: BlobFolder
  /** Makes a bundle of what was collected, seen completely or not at all. */
  finish(parts: readonly Digest[], index: Uint8Array): Promise<void>
}

/** What a bundle has, or would have. */
export interface BundleReport {
  readonly images: readonly SizedImage[]
  readonly platforms: readonly string[]
  /** The bytes of all parts, each once. */
  readonly bytes: number
  /** The bytes that the base does not have. */
  readonly newBytes: number
  readonly notes: readonly Diagnostic[]
}

/** An image, with the bytes of all of its parts. */
export interface SizedImage extends BundledImage {
  readonly totalBytes: number
}

/** The result of writing a bundle. */
export interface CreatedBundle extends BundleReport {
  /** The digest of its description. */
  readonly digest: Digest
  /** The bytes that were read, without what an earlier run had stored. */
  readonly readBytes: number
}

/** Blobs that are read at a time. */
const MAX_READS = 4

/** What was read of the packages of a bundle before their blobs. */
export interface PreparedBundle {
  readonly contents: readonly ImageContent[]
  readonly summaries: readonly PackageSummary[]
}

/** Reads the manifests of a bundle, and its packages. Throws as resolving and reading packages do. */
export async function prepareBundle(
  {closure, platforms}: BundleQuery,
  ports: PackagePorts,
): Promise<PreparedBundle> {
  const contents = await bundleContents(closure.images, platforms, ports)
  return {contents, summaries: await bundleSummaries(contents, ports)}
}

/** Reads what a bundle would have. Throws as resolving and reading manifests do. */
export async function planBundle(query: BundleQuery, ports: PackagePorts): Promise<BundleReport> {
  const contents = await bundleContents(query.closure.images, query.platforms, ports)
  return await reportOf(contents, query)
}

/**
 * Writes a bundle. What an earlier run stored is verified and kept, so that the same command completes an interrupted one.
 * Throws as reading and writing do.
 */
export async function createBundle(
  query: BundleQuery,
  {contents, summaries}: PreparedBundle,
  output: BundleOutput,
): Promise<CreatedBundle> {
  const {closure, platforms, base} = query
  const report = await reportOf(contents, query)
  const parts = await newParts(partsOf(contents), base)
  let readBytes = 0
  await mapConcurrent(parts, MAX_READS, async ({descriptor, open}) => {
    readBytes += (await storeBlob(descriptor, open, output.blobs)).read
  })
  const images = contents.map(({image}) => image)
  const document: BundleDocument = {
    platforms: platforms.map(formatPlatform),
    images,
    ...present({base: base?.artifact.digest}),
  }
  const files = {
    ...present({declaration: closure.declaration}),
    lock: Buffer.from(closure.lock),
    index: Buffer.from([...writeIndexFile({summaries, unreadable: [], yanked: []})].join('')),
  }
  const artifact = bundleArtifact(document, files, bytes => gzipped([bytes]))
  for (const part of artifact.parts) await storeBlob(part.descriptor, () => part.open(), output.blobs)
  const digests = [...artifact.parts, ...parts].map(({descriptor}) => descriptor.digest)
  await output.finish([...new Set(digests)], bundleIndex(artifact.descriptor, images))
  return {...report, digest: artifact.descriptor.digest, readBytes}
}

/** The parts that the base does not have. */
async function newParts(
  parts: readonly BundledPart[],
  base: Bundle | undefined,
): Promise<readonly BundledPart[]> {
  if (base === undefined) return parts
  const isNew = await Promise.all(
    parts.map(async ({descriptor}) => !(await hasBlob(base.layout, descriptor))),
  )
  return parts.filter((_, index) => isNew[index])
}

async function reportOf(
  contents: readonly ImageContent[],
  {closure, platforms, base}: BundleQuery,
): Promise<BundleReport> {
  const parts = partsOf(contents)
  return {
    images: contents.map(content => ({...content.image, totalBytes: sizeOf(partsOf([content]))})),
    platforms: platforms.map(formatPlatform),
    bytes: sizeOf(parts),
    newBytes: sizeOf(await newParts(parts, base)),
    notes: closure.notes,
  }
}

function sizeOf(parts: readonly BundledPart[]): number {
  return parts.reduce((sum, {descriptor}) => sum + descriptor.size, 0)
}

/** Returns the index entries of the packages among some images; a package without a tag has none. */
async function bundleSummaries(
  contents: readonly ImageContent[],
  ports: PackagePorts,
): Promise<readonly PackageSummary[]> {
  const summaries: PackageSummary[] = []
  for (const {image} of contents) {
    const name = parseImageName(image.reference)
    if (image.role !== 'package' || name?.tag === undefined) continue
    const {tag} = name
    const {defaultSource: _full, ...others} = ports
    const reference = {kind: 'image', name: {...name, digest: image.digest}} as const
    const located = await locatePackage(reference, {...others})
    const origin = {identity: identityOf(name), tag, digest: image.digest}
    const summary = summaryOfFiles(located.name, located, origin)
    if (entryDiagnostics(summary).length === 0) summaries.push(summary)
  }
  return summaries
}
