import {shortDigest} from '../../reference/image-name.js'
import type {BundledImage} from '../../bundles/bundle-document.js'
import type {VerifiedBundle} from '../../bundles/verify-bundle.js'
import type {BundleDifference} from '../../pipeline/bundle/describe-bundle.js'
import type {PushedBundle} from '../../pipeline/bundle/push-bundle.js'
import type {BundleReport, CreatedBundle, SizedImage} from '../../pipeline/bundle/create-bundle.js'
import {count} from '../../text.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {formatBytes} from '../shell/text/byte-count.js'
import {lines} from '../shell/text/lines.js'
import type {Paint} from '../shell/text/paint.js'
import {formatDocument, type OutputFormat} from '../shell/document/show.js'
import {formatList} from '../shell/text/table.js'

/** Lists the images of a bundle, with their sizes. */
function formatBundleImages(images: readonly (BundledImage & Partial<SizedImage>)[], paint: Paint): string {
  const rows = images.map(({reference, digest, role, isXpkg, totalBytes, usedBy}) => [
    reference,
    shortDigest(digest),
    isXpkg ? 'xpkg' : role,
    ...(totalBytes === undefined ? [] : [formatBytes(totalBytes)]),
    usedBy.join(', '),
  ])
  const size = images.some(({totalBytes}) => totalBytes !== undefined) ? ['SIZE'] : []
  return formatList(['REFERENCE', 'DIGEST', 'KIND', ...size, 'RUN BY'], rows, paint)
}

/** Sums up what a bundle has or would have. */
function formatBundleTotal({images, bytes, newBytes, platforms}: BundleReport): string {
  const packages = images.filter(({role}) => role === 'package').length
  const signatures = images.filter(({role}) => role === 'signature').length
  const others = images.length - packages - signatures
  const signed = signatures === 0 ? '' : `, with ${count(signatures, 'signature')}`
  const isPart = newBytes === bytes ? '' : `, of which ${formatBytes(newBytes)} are not in the base`
  const only = platforms.length === 0 ? '' : ` for ${platforms.join(', ')}`
  return `${count(packages, 'package')} and ${count(others, 'other image')}${signed}${only}: ${formatBytes(bytes)}${isPart}\n`
}

/** Reports a bundle that was written. */
export function formatCreatedBundle(
  path: string,
  bundle: CreatedBundle,
  format: 'text' | OutputFormat,
): string {
  if (format !== 'text') {
    const {digest} = bundle
    return formatDocument({kind: 'BundleImages', bundle: path, digest, ...imagesDocument(bundle)}, format)
  }
  return lines([`${path}: ${formatBundleTotal(bundle).trimEnd()}`, `digest: ${bundle.digest}`])
}

/** Reports the result of a verification. */
export function formatVerifiedBundle(path: string, {images, blobs, bytes, problems}: VerifiedBundle): string {
  const size = `${count(images, 'image')}, ${count(blobs, 'blob')}, ${formatBytes(bytes)}`
  if (problems.length === 0) return `${path}: complete, all digests match (${size})\n`
  return lines([
    ...problems.map(({message}) => message),
    `${path}: ${count(problems.length, 'problem')} (${size})`,
  ])
}

/** Reports the images that were pushed, a line each, then how they are found. */
export function formatPushedBundle(
  {images, registries, imageConfigs}: Omit<PushedBundle, 'warnings'>,
  paint: Paint,
): string {
  const rows = images.map(({target, digest, changed, uploaded, mounted}) => [
    target,
    shortDigest(digest),
    changed ? `pushed (${count(uploaded, 'blob')} uploaded, ${mounted} mounted)` : 'exists',
  ])
  const declared = writeYaml([{registries}])
  const objects = imageConfigs.length === 0 ? '' : `---\n${writeYaml(imageConfigs)}`
  return `${formatList(['TARGET', 'DIGEST', 'RESULT'], rows, paint)}---\n${declared}${objects}`
}

/** Lists the references whose images differ, then the size of what is new. */
export function formatBundleDifference({changes, newBytes}: BundleDifference): string {
  if (changes.length === 0) return 'no differences\n'
  return lines([
    ...changes.map(({reference, old, new: fresh}) => {
      if (old === undefined) return `+ ${reference} ${shortDigest(fresh ?? '')}`
      return fresh === undefined
        ? `- ${reference} ${shortDigest(old)}`
        : `~ ${reference} ${shortDigest(old)} -> ${shortDigest(fresh)}`
    }),
    `${count(changes.length, 'difference')}, ${formatBytes(newBytes)} only in the second bundle`,
  ])
}

/** The formats of a list of images. */
export const IMAGE_LIST_FORMATS = ['text', 'json', 'yaml', 'hauler', 'zarf'] as const

/** Formats a list of images, as a table, or for a tool that copies them. */
export function formatImageList(
  report: BundleReport,
  format: (typeof IMAGE_LIST_FORMATS)[number],
  paint: Paint,
): string {
  // These tools copy signatures by themselves.
  const pinned = report.images.filter(({role}) => role !== 'signature').map(pinnedReference)
  if (format === 'hauler') return writeYaml([haulerImages(pinned)])
  if (format === 'zarf') return writeYaml([zarfPackage(pinned)])
  if (format === 'text') return formatBundleImages(report.images, paint) + formatBundleTotal(report)
  return formatDocument({kind: 'BundleImages', ...imagesDocument(report)}, format)
}

/** The fields of a document about the images of a bundle. */
export function imagesDocument({images, platforms, bytes, newBytes}: BundleReport) {
  return {platforms: [...platforms], images: images.map(image => ({...image})), bytes, newBytes}
}

function pinnedReference({reference, digest}: BundledImage): string {
  return reference.includes('@') ? reference : `${reference}@${digest}`
}

/** https://docs.hauler.dev/docs/hauler-usage/store/sync */
function haulerImages(references: readonly string[]): JsonObject {
  return {
    apiVersion: 'content.hauler.cattle.io/v1',
    kind: 'Images',
    metadata: {name: 'crossplane-packages'},
    spec: {images: references.map(name => ({name}))},
  }
}

/** https://docs.zarf.dev/ref/components/#container-images */
function zarfPackage(references: readonly string[]): JsonObject {
  return {
    kind: 'ZarfPackageConfig',
    metadata: {name: 'crossplane-packages'},
    components: [{name: 'crossplane-packages', required: true, images: references}],
  }
}
