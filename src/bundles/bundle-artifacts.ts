import type {ArtifactStore} from '../fetch/artifact-store.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {collectBytes, verifiedBytes} from '../fetch/verified-bytes.js'
import {canonicalName} from '../reference/repository-name.js'
import {parseImageName} from '../reference/image-name.js'
import type {BundledImage} from './bundle-document.js'
import {bundleStore} from './bundle-store.js'
import type {Bundle} from './open-bundle.js'

/** The signatures and attestations that a bundle has of the images of one repository; undefined if it has none of its images. */
export function bundleArtifacts(bundle: Bundle, repository: string): ArtifactStore | undefined {
  const own = bundle.document.images.filter(image => canonicalName(image.reference) === repository)
  const [first] = own
  if (first === undefined) return undefined
  const name = `${repository} in ${bundle.name}`
  const signatures = own.filter(({role}) => role === 'signature')
  return {
    name,
    referrers: async digest =>
      await Promise.resolve(
        signatures
          .filter(({subject, reference}) => subject === digest && reference.includes('@'))
          .map(({digest: place, mediaType, size}) => ({digest: place, mediaType, size, annotations: {}})),
      ),
    manifest: async reference => {
      const image = signatures.find(one => [one.digest, tagOf(one)].includes(reference))
      return image === undefined ? undefined : await manifestOf(bundle, image)
    },
    blob: descriptor => bundleStore(bundle, first).blob(descriptor),
  }
}

function tagOf({reference}: BundledImage): string | undefined {
  return parseImageName(reference)?.tag
}

async function manifestOf(bundle: Bundle, image: BundledImage): Promise<Uint8Array> {
  const {digest, size} = image
  const holder = `${image.reference} in ${bundle.name}`
  const chunks = bundleStore(bundle, image).manifest({...image, annotations: {}})
  return await collectBytes(
    verifiedBytes(chunks, {digest, size}, holder),
    SOURCE_LIMITS.manifestBytes,
    holder,
  )
}
