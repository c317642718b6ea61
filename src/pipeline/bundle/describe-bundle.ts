import {bundleStore} from '../../bundles/bundle-store.js'
import {type GatheredImage, gatherImage} from '../../bundles/gather-image.js'
import type {Bundle} from '../../bundles/open-bundle.js'
import {gatherOptions} from '../../bundles/verify-bundle.js'
import type {Digest} from '../../fetch/image.js'
import {compareText} from '../../reference/compare-text.js'
import type {BundleReport, SizedImage} from './create-bundle.js'

/** Returns what a bundle has. Reads its manifests; throws as reading them does. */
export async function describeBundle(bundle: Bundle): Promise<BundleReport> {
  const {document} = bundle
  const options = gatherOptions(bundle)
  const images: SizedImage[] = []
  const all = new Map<Digest, number>()
  for (const image of document.images) {
    const sizes = sizesOf(await gatherImage(bundleStore(bundle, image), options))
    images.push({...image, totalBytes: sum(sizes)})
    for (const [digest, size] of sizes) all.set(digest, size)
  }
  return {images, platforms: document.platforms, bytes: sum(all), newBytes: sum(all), notes: []}
}

function sizesOf({documents, blobs}: GatheredImage): ReadonlyMap<Digest, number> {
  return new Map(
    [...documents.map(({descriptor}) => descriptor), ...blobs].map(({digest, size}) => [digest, size]),
  )
}

function sum(sizes: ReadonlyMap<Digest, number>): number {
  return [...sizes.values()].reduce((total, size) => total + size, 0)
}

/** A reference whose image differs between two bundles; a digest is absent where a bundle does not have it. */
interface BundleChange {
  readonly reference: string
  readonly old?: Digest
  readonly new?: Digest
}

/** The differences of two bundles. */
export interface BundleDifference {
  readonly changes: readonly BundleChange[]
  /** The bytes that only the second one has. */
  readonly newBytes: number
}

/** Compares two bundles by the digests of their references. Throws as reading their manifests does. */
export async function compareBundles(before: Bundle, after: Bundle): Promise<BundleDifference> {
  const [old, fresh] = [digestsIn(before), digestsIn(after)]
  const references = [...new Set([...old.keys(), ...fresh.keys()])].sort(compareText)
  const changes = references
    .filter(reference => old.get(reference) !== fresh.get(reference))
    .map(reference => ({
      reference,
      ...(old.has(reference) ? {old: old.get(reference)} : {}),
      ...(fresh.has(reference) ? {new: fresh.get(reference)} : {}),
    }))
  const [earlier, all] = [await partsIn(before), await partsIn(after)]
  return {changes, newBytes: sum(new Map([...all].filter(([digest]) => !earlier.has(digest))))}
}

function digestsIn({document}: Bundle): ReadonlyMap<string, Digest> {
  return new Map(document.images.map(({reference, digest}) => [reference, digest]))
}

async function partsIn(bundle: Bundle): Promise<ReadonlyMap<Digest, number>> {
  const options = gatherOptions(bundle)
  const all = new Map<Digest, number>()
  for (const image of bundle.document.images)
    for (const [digest, size] of sizesOf(await gatherImage(bundleStore(bundle, image), options)))
      all.set(digest, size)
  return all
}
