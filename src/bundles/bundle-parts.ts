import type {Blob, Descriptor} from '../fetch/image.js'
import {OCI_TYPES} from '../fetch/media-types.js'
import {blobOf, descriptorJson} from '../fetch/oci-parts.js'
import {type BundleDocument, type BundledImage, writeBundleDocument} from './bundle-document.js'

const TYPE = 'application/vnd.kubectl-crossplane.bundle'

/** The media types of what a bundle has besides images. */
export const BUNDLE_TYPES = {
  artifact: `${TYPE}.v1`,
  description: `${TYPE}.config.v1+json`,
  declaration: `${TYPE}.declaration.v1+yaml`,
  lock: `${TYPE}.lock.v1+yaml+gzip`,
  index: `${TYPE}.index.v1+jsonl+gzip`,
} as const

/** The tag of the description in the layout. */
export const BUNDLE_TAG = 'bundle'

export const REF_NAME = 'org.opencontainers.image.ref.name'
const TITLE = 'org.opencontainers.image.title'

/** What a bundle has besides images; each is absent if it has none. */
export interface BundleFiles {
  readonly declaration?: Uint8Array
  readonly lock?: Uint8Array
  /** The entries of its packages, in the form of an exported index. */
  readonly index?: Uint8Array
}

/** The files that are compressed: deltas repeat them, and packages alone may be smaller. */
export const COMPRESSED: ReadonlySet<keyof BundleFiles> = new Set(['lock', 'index'])

/** The names of the files of a bundle for tools that pull artifacts. */
const TITLES = {
  declaration: 'crossplane-packages.yaml',
  lock: 'crossplane-packages.lock.gz',
  index: 'index.jsonl.gz',
} as const

/** The description of a bundle as an artifact. */
export interface BundleArtifact {
  readonly descriptor: Descriptor
  /** Its manifest, its config, and its files. */
  readonly parts: readonly Blob[]
}

/** Creates the artifact that describes a bundle; `gzip` compresses its files. */
export function bundleArtifact(
  document: BundleDocument,
  files: BundleFiles,
  gzip: (bytes: Uint8Array) => Uint8Array,
): BundleArtifact {
  const config = blobOf(BUNDLE_TYPES.description, writeBundleDocument(document))
  const names = ['declaration', 'lock', 'index'] as const
  const layers = names.flatMap(name => {
    const bytes = files[name]
    if (bytes === undefined) return []
    const stored = COMPRESSED.has(name) ? gzip(bytes) : bytes
    return [blobOf(BUNDLE_TYPES[name], stored, {[TITLE]: TITLES[name]})]
  })
  const manifest = blobOf(
    OCI_TYPES.manifest,
    Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: OCI_TYPES.manifest,
        artifactType: BUNDLE_TYPES.artifact,
        config: descriptorJson(config.descriptor),
        layers: layers.map(({descriptor}) => descriptorJson(descriptor)),
      }),
    ),
  )
  return {descriptor: manifest.descriptor, parts: [manifest, config, ...layers]}
}

/** Returns the `index.json` of a bundle: its description, then its images, each with its full reference. */
export function bundleIndex(artifact: Descriptor, images: readonly BundledImage[]): Uint8Array {
  const manifests = [
    {
      ...descriptorJson({...artifact, annotations: {[REF_NAME]: BUNDLE_TAG}}),
      artifactType: BUNDLE_TYPES.artifact,
    },
    ...images.map(({mediaType, digest, size, reference}) =>
      descriptorJson({mediaType, digest, size, annotations: {[REF_NAME]: reference}}),
    ),
  ]
  return Buffer.from(JSON.stringify({schemaVersion: 2, mediaType: OCI_TYPES.index, manifests}))
}
