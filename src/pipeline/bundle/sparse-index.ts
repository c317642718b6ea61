import {CrossplaneError} from '../../errors.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import {described} from '../../fetch/oci-parts.js'
import {digestOf} from '../../fetch/verified-bytes.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {Registry} from '../../registry/registry.js'

/** An index of an image that no registry has. */
const PROBE = {
  ...described({
    schemaVersion: 2,
    mediaType: OCI_TYPES.index,
    manifests: [
      {
        mediaType: OCI_TYPES.manifest,
        digest: digestOf(Buffer.from('an image that is left out')),
        size: 25,
        platform: {os: 'linux', architecture: 'amd64'},
      },
    ],
  }),
  images: [],
  layers: [],
}

/**
 * Throws `unsupported` if a registry rejects indexes of which it lacks images. It is tried with a small one, by its digest,
 * so that nothing large is uploaded in vain.
 */
export async function expectSparseIndexes(registry: Registry, repository: Repository): Promise<void> {
  try {
    await registry.push(repository, PROBE.descriptor.digest, PROBE, undefined, {before: {digest: undefined}})
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'registry-failed') throw error
    throw new CrossplaneError(
      'unsupported',
      `cannot push to ${formatRepository(repository)}: the registry rejects indexes without all of their images, and the bundle is only for some platforms`,
      {cause: error, suggestions: ['Create the bundle without --platform, or push to another registry.']},
    )
  }
}
