import type {PackageLayer} from '../../../src/author/build/package-layer.js'
import type {Image} from '../../../src/fetch/image.js'
import {OCI_TYPES} from '../../../src/fetch/media-types.js'
import {
  type Annotations,
  blobOf,
  described,
  descriptorJson,
  imageOf,
  rootfs,
  sortedAnnotations,
} from '../../../src/fetch/oci-parts.js'
import type {Architecture} from './debian-packages.js'
import {USER} from './root-entry.js'

/** The path of the program in the image, on the PATH of all programs in it. */
export const PROGRAM = 'usr/local/bin/kubectl-crossplane'
/** The type of the artifact that lists what is in an image. */
const SBOM_TYPE = 'application/vnd.cyclonedx+json'

/** Facts of all images of one release. */
export interface ImageFacts {
  readonly labels: Annotations
  /** The creation time in RFC 3339. */
  readonly created: string
}

/** A layer, and what it holds in a few words. */
export interface DescribedLayer extends PackageLayer {
  readonly description: string
}

/** Returns the image for one architecture, as an index lists it. */
export function programImage(
  architecture: Architecture,
  layers: readonly DescribedLayer[],
  {labels, created}: ImageFacts,
): Image {
  const config = {
    created,
    architecture,
    os: 'linux',
    config: {
      User: String(USER),
      Env: ['PATH=/usr/local/bin:/usr/bin:/bin'],
      Entrypoint: [`/${PROGRAM}`],
      WorkingDir: '/',
      Labels: sortedAnnotations(labels),
    },
    rootfs: rootfs(layers.map(({diffId}) => diffId)),
    history: layers.map(({description}) => ({created, created_by: 'npm run release', comment: description})),
  }
  const image = imageOf(
    blobOf(OCI_TYPES.config, Buffer.from(JSON.stringify(config))),
    layers.map(({blob}) => blob),
    labels,
  )
  return {...image, descriptor: {...image.descriptor, platform: {os: 'linux', architecture}}}
}

/**
 * Returns an SBOM as an artifact that refers to an image, which registries list with it:
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/manifest.md#guidelines-for-artifact-usage
 */
export function sbomArtifact(sbom: string, image: Image, {created}: ImageFacts): Image {
  const empty = blobOf(OCI_TYPES.empty, Buffer.from('{}'))
  const layer = blobOf(SBOM_TYPE, Buffer.from(sbom))
  const {annotations: _annotations, platform: _platform, ...subject} = image.descriptor
  const document = {
    schemaVersion: 2,
    mediaType: OCI_TYPES.manifest,
    artifactType: SBOM_TYPE,
    config: descriptorJson(empty.descriptor),
    layers: [descriptorJson(layer.descriptor)],
    subject: {...subject},
    annotations: {'org.opencontainers.image.created': created},
  }
  return {...described(document), config: empty, layers: [layer]}
}
