import {CrossplaneError} from '../../errors.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import {described} from '../../fetch/oci-parts.js'
import {digestOf} from '../../fetch/verified-bytes.js'
import {FailedAnswer} from '../../http/failed-answer.js'
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
    const options = {before: {digest: undefined}, isSparse: true}
    await registry.push(repository, PROBE.descriptor.digest, PROBE, undefined, options)
  } catch (error) {
    if (!isRejection(error)) throw error
    throw new CrossplaneError(
      'unsupported',
      `cannot push to ${formatRepository(repository)}: the registry rejects indexes without all of their images, and the bundle is only for some platforms`,
      {cause: error, suggestions: ['Create the bundle without --platform, or push to another registry.']},
    )
  }
}

/**
 * Registries reject an index for what it lacks with 404, 400 and other statuses:
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#error-codes. A repository that does not exist, missing
 * permission and too many requests are other reasons.
 */
function isRejection(error: unknown): boolean {
  if (!(error instanceof CrossplaneError) || !(error.cause instanceof FailedAnswer)) return false
  if (error.code !== 'registry-failed' && error.code !== 'not-found') return false
  const {status, message} = error.cause
  if (message.includes('NAME_UNKNOWN') || status === 429) return false
  return status < 500 || /"(?:MANIFEST|BLOB|MANIFEST_BLOB)_UNKNOWN"/.test(message)
}
