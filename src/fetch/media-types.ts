/** The kind of a document or blob, as far as reading and building packages requires. */
export type MediaKind = 'index' | 'manifest' | 'config' | 'layer' | 'schema1' | 'artifact'

const OCI = 'application/vnd.oci'
const DOCKER = 'application/vnd.docker'

/**
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/media-types.md: images are built with these, never with
 * Docker's.
 */
export const OCI_TYPES = {
  index: `${OCI}.image.index.v1+json`,
  manifest: `${OCI}.image.manifest.v1+json`,
  config: `${OCI}.image.config.v1+json`,
  tar: `${OCI}.image.layer.v1.tar`,
  gzip: `${OCI}.image.layer.v1.tar+gzip`,
  zstd: `${OCI}.image.layer.v1.tar+zstd`,
  /** The config of an artifact without one. */
  empty: `${OCI}.empty.v1+json`,
} as const

/** The type of uncompressed layers. */
const DOCKER_TAR = `${DOCKER}.image.rootfs.diff.tar`

interface KnownType {
  readonly kind: MediaKind
  /** OCI's name for the same bytes. */
  readonly oci?: string
  /** A layer that only its vendor may distribute. */
  readonly isForeign?: boolean
}

const FOREIGN: KnownType = {kind: 'layer', isForeign: true}

/** All media types that images have, with Docker's names (https://distribution.github.io/distribution/spec/manifest-v2-2). */
const KNOWN: Readonly<Record<string, KnownType>> = {
  [OCI_TYPES.index]: {kind: 'index'},
  [`${DOCKER}.distribution.manifest.list.v2+json`]: {kind: 'index', oci: OCI_TYPES.index},
  [OCI_TYPES.manifest]: {kind: 'manifest'},
  [`${DOCKER}.distribution.manifest.v2+json`]: {kind: 'manifest', oci: OCI_TYPES.manifest},
  [OCI_TYPES.config]: {kind: 'config'},
  [`${DOCKER}.container.image.v1+json`]: {kind: 'config', oci: OCI_TYPES.config},
  [OCI_TYPES.tar]: {kind: 'layer'},
  [OCI_TYPES.gzip]: {kind: 'layer'},
  [OCI_TYPES.zstd]: {kind: 'layer'},
  [DOCKER_TAR]: {kind: 'layer', oci: OCI_TYPES.tar},
  [`${DOCKER_TAR}.gzip`]: {kind: 'layer', oci: OCI_TYPES.gzip},
  [`${DOCKER_TAR}.zstd`]: {kind: 'layer', oci: OCI_TYPES.zstd},
  [`${OCI}.image.layer.nondistributable.v1.tar`]: FOREIGN,
  [`${OCI}.image.layer.nondistributable.v1.tar+gzip`]: FOREIGN,
  [`${OCI}.image.layer.nondistributable.v1.tar+zstd`]: FOREIGN,
  [`${DOCKER}.image.rootfs.foreign.diff.tar`]: FOREIGN,
  [`${DOCKER}.image.rootfs.foreign.diff.tar.gzip`]: FOREIGN,
  [`${DOCKER}.distribution.manifest.v1+json`]: {kind: 'schema1'},
  [`${DOCKER}.distribution.manifest.v1+prettyjws`]: {kind: 'schema1'},
  [`${OCI}.artifact.manifest.v1+json`]: {kind: 'artifact'},
}

/** The types to accept for an image: every type of document that `parseManifest` reads. */
export const MANIFEST_MEDIA_TYPES: readonly string[] = Object.keys(KNOWN).filter(isManifestType)

/** Looks up a media type, ignoring case and parameters. Undefined for unknown types. */
export function mediaKind(mediaType: string): MediaKind | undefined {
  return knownType(mediaType)?.kind
}

/** Reports whether a descriptor with this type is of an image or an index of images. */
export function isManifestType(mediaType: string): boolean {
  const kind = mediaKind(mediaType)
  return kind === 'index' || kind === 'manifest'
}

/** Returns OCI's name for a type of Docker; other types are returned unchanged. */
export function ociType(mediaType: string): string {
  return knownType(mediaType)?.oci ?? mediaType
}

/** Reports whether a layer of this type must not be distributed. */
export function isForeignLayer(mediaType: string): boolean {
  return knownType(mediaType)?.isForeign === true
}

function knownType(mediaType: string): KnownType | undefined {
  const [type = ''] = mediaType.split(';')
  const name = type.trim().toLowerCase()
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
}
