/** What a document or blob is, as far as reading packages goes. */
export type MediaKind = 'index' | 'manifest' | 'layer' | 'schema1' | 'artifact'

const OCI = 'application/vnd.oci'
const DOCKER = 'application/vnd.docker'

/** https://github.com/opencontainers/image-spec/blob/v1.1.1/media-types.md and Docker's names for the same things. */
const KINDS: Readonly<Record<string, MediaKind>> = {
  [`${OCI}.image.index.v1+json`]: 'index',
  [`${DOCKER}.distribution.manifest.list.v2+json`]: 'index',
  [`${OCI}.image.manifest.v1+json`]: 'manifest',
  [`${DOCKER}.distribution.manifest.v2+json`]: 'manifest',
  [`${OCI}.image.layer.v1.tar`]: 'layer',
  [`${OCI}.image.layer.v1.tar+gzip`]: 'layer',
  [`${OCI}.image.layer.v1.tar+zstd`]: 'layer',
  [`${OCI}.image.layer.nondistributable.v1.tar`]: 'layer',
  [`${OCI}.image.layer.nondistributable.v1.tar+gzip`]: 'layer',
  [`${OCI}.image.layer.nondistributable.v1.tar+zstd`]: 'layer',
  [`${DOCKER}.image.rootfs.diff.tar`]: 'layer',
  [`${DOCKER}.image.rootfs.diff.tar.gzip`]: 'layer',
  [`${DOCKER}.image.rootfs.diff.tar.zstd`]: 'layer',
  [`${DOCKER}.image.rootfs.foreign.diff.tar`]: 'layer',
  [`${DOCKER}.image.rootfs.foreign.diff.tar.gzip`]: 'layer',
  [`${DOCKER}.distribution.manifest.v1+json`]: 'schema1',
  [`${DOCKER}.distribution.manifest.v1+prettyjws`]: 'schema1',
  [`${OCI}.artifact.manifest.v1+json`]: 'artifact',
}

/** The types to accept for an image: every type of document that `parseManifest` reads. */
export const MANIFEST_MEDIA_TYPES: readonly string[] = Object.keys(KINDS).filter(
  type => KINDS[type] === 'index' || KINDS[type] === 'manifest',
)

/** Looks up a media type, ignoring case and parameters. Undefined for unknown types. */
export function mediaKind(mediaType: string): MediaKind | undefined {
  const [type = ''] = mediaType.split(';')
  const known = type.trim().toLowerCase()
  return Object.hasOwn(KINDS, known) ? KINDS[known] : undefined
}
