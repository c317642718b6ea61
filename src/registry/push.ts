import {isDigest} from '../reference/image-name.js'
import {CrossplaneError} from '../errors.js'
import {blobsOf, type Digest, documentsOf, type Image} from '../fetch/image.js'
import {digestOf} from '../fetch/verified-bytes.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {formatRepository} from '../reference/repository.js'
import type {Repository} from '../reference/repository.js'
import {FailedAnswer, discard} from '../http/failed-answer.js'
import type {ReportProgress} from './progress.js'
import {manifestCall} from './registry-image.js'
import type {PushOptions, PushResult} from './registry.js'
import type {Session} from './session.js'
import {mapConcurrent} from '../map-concurrent.js'
import {oneChunk} from '../http/one-chunk.js'
import {expectDigest, HEAD_STATUSES, uploadBlob} from './upload-blob.js'
import type {BlobOutcome} from './upload-blob.js'

/** Concurrent uploads: registries slow down clients with more. */
const MAX_UPLOADS = 4

/**
 * Returns the digest of a tag; undefined if it does not exist. Reads the manifest if the registry omits the digest, and if HEAD
 * fails: some proxies answer it with 404, 405 or 401 for manifests that they have.
 */
export async function digestOfTag(
  session: Session,
  repository: Repository,
  tag: string,
): Promise<Digest | undefined> {
  const aim = `look up ${formatRepository(repository)}:${tag}`
  const call = {...manifestCall(session, repository, tag), aim}
  const response = await session.send({...call, method: 'HEAD', accepts: HEAD_STATUSES})
  await discard(response)
  const digest = response.headers['docker-content-digest'] ?? ''
  if (response.status === 200 && isDigest(digest)) return digest
  const {status, bytes} = await session.document(
    {...call, method: 'GET', accepts: [200, 404]},
    SOURCE_LIMITS.manifestBytes,
  )
  return status === 404 ? undefined : digestOf(bytes)
}

/**
 * Uploads the missing content of an image to a repository; the manifest of the tag last. Throws `output-refused` if
 * the registry does not allow tags to change and this one has other content.
 */
export async function pushImage(
  session: Session,
  repository: Repository,
  tag: string,
  image: Image,
  report?: ReportProgress,
  options: PushOptions = {},
): Promise<PushResult> {
  const pushing: Pushing = {session, repository, report, isSparse: options.isSparse}
  const {digest} = image.descriptor
  const blobs = options.isStored === true ? [] : blobsOf(image)
  const documents = options.isStored === true ? [image] : documentsOf(image)
  const before =
    options.before === undefined ? await digestOfTag(session, repository, tag) : options.before.digest
  if (before === digest) return {digest, changed: false, uploaded: 0, mounted: 0, present: blobs.length}
  const outcomes: BlobOutcome[] = []
  await mapConcurrent(blobs, MAX_UPLOADS, async blob => {
    outcomes.push(await uploadBlob({session, repository, blob, options, report}))
  })
  for (const document of documents) {
    if (document.descriptor.digest !== digest)
      await putManifest(pushing, document, document.descriptor.digest)
  }
  await putRoot(pushing, image, tag, before)
  const count = (requested: BlobOutcome) => outcomes.filter(outcome => outcome === requested).length
  return {
    digest,
    changed: true,
    uploaded: count('uploaded'),
    mounted: count('mounted'),
    present: count('present'),
  }
}

interface Pushing {
  readonly session: Session
  readonly repository: Repository
  readonly isSparse: boolean | undefined
  readonly report: ReportProgress | undefined
}

async function putRoot(
  pushing: Pushing,
  root: Image,
  tag: string,
  before: Digest | undefined,
): Promise<void> {
  try {
    await putManifest(pushing, root, tag)
  } catch (error) {
    throw before !== undefined && isRejection(error) ? isTaken(pushing, tag, before, error) : error
  }
}

async function putManifest(
  {session, repository, report, isSparse}: Pushing,
  {descriptor, bytes}: Image,
  reference: string,
): Promise<void> {
  const aim = `store ${reference} in ${formatRepository(repository)}`
  const response = await session.send({
    method: 'PUT',
    url: session.url(`${repository.path}/manifests/${reference}`),
    headers: {'content-type': descriptor.mediaType},
    body: {size: bytes.length, open: () => oneChunk(bytes)},
    scopes: [`repository:${repository.path}:pull,push`],
    aim,
    accepts: [201],
    isSparse,
    report,
  })
  await discard(response)
  expectDigest(response, descriptor.digest, aim)
  report?.({kind: 'manifest', name: reference, done: bytes.length, total: bytes.length})
}

/** The statuses of registries for a tag that must not change: they differ. */
const REJECTION_STATUSES: readonly number[] = [400, 403, 405, 409, 412, 422]

function isRejection(error: unknown): boolean {
  return (
    error instanceof CrossplaneError &&
    error.cause instanceof FailedAnswer &&
    REJECTION_STATUSES.includes(error.cause.status)
  )
}

function isTaken({repository}: Pushing, tag: string, before: Digest, cause: unknown): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot store ${formatRepository(repository)}:${tag}: the tag exists as ${before}, and the registry does not allow changing it`,
    {cause, suggestions: ['Push under a new version.']},
  )
}
