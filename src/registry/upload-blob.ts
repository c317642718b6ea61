import {CrossplaneError} from '../errors.js'
import {formatRepository} from '../reference/repository.js'
import type {Repository} from '../reference/repository.js'
import {discard} from '../http/failed-answer.js'
import type {HttpBody, HttpResponse} from '../http/http.js'
import type {Blob} from '../fetch/image.js'
import {oneChunk} from '../http/one-chunk.js'
import type {ReportProgress} from './progress.js'
import type {PushOptions} from './registry.js'
import {locationOf} from './redirects.js'
import {retried} from '../http/retry.js'
import type {Call, Session} from './session.js'

/** The outcome of storing a blob. */
export type BlobOutcome = 'present' | 'mounted' | 'uploaded'

/**
 * Ensures that a repository has a blob: checks for it, mounts it from another repository, or uploads it in one piece.
 * An interrupted upload is started again after another check: it may have been complete after all.
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pushing-blobs
 */
export async function uploadBlob(uploading: Uploading): Promise<BlobOutcome> {
  const {session, repository, blob, options, report} = uploading
  const {digest, size} = blob.descriptor
  let isFirst = true
  const outcome = await retried({clock: session.clock, name: digest, report}, () => {
    const mayLook = !isFirst || digest !== options.newBlob
    isFirst = false
    return attempt(uploading, mayLook)
  })
  if (size <= MAX_REMEMBERED_BYTES) session.rememberBlob(repository.path, digest)
  if (outcome !== 'uploaded') report?.({kind: outcome, name: digest, done: size, total: size})
  return outcome
}

/** A blob to upload, and its target. */
export interface Uploading {
  readonly session: Session
  readonly repository: Repository
  readonly blob: Blob
  readonly options: PushOptions
  readonly report: ReportProgress | undefined
}

/** Only small blobs occur again in one run: the empty one of every artifact. */
const MAX_REMEMBERED_BYTES = 16

async function attempt(uploading: Uploading, mayLook: boolean): Promise<BlobOutcome> {
  const {session, repository, blob} = uploading
  if (session.hasBlob(repository.path, blob.descriptor.digest)) return 'present'
  if (mayLook && (await isPresent(uploading))) return 'present'
  const begun = await begin(uploading)
  await discard(begun)
  if (begun.status === 201) return 'mounted'
  await store(uploading, begun)
  return 'uploaded'
}

async function isPresent(uploading: Uploading): Promise<boolean> {
  const {session, repository, blob} = uploading
  const url = session.url(`${repository.path}/blobs/${blob.descriptor.digest}`)
  const response = await session.once({...common(uploading), method: 'HEAD', url, accepts: HEAD_STATUSES})
  await discard(response)
  return response.status === 200
}

/** The statuses of a HEAD request after which the request follows that it was to save: a failed HEAD decides nothing. */
export const HEAD_STATUSES: readonly number[] = [
  200,
  ...Array.from({length: 100}, (_, index) => 400 + index).filter(status => status !== 429),
  500,
  501,
]

/** Starts an upload, unless the blob can be mounted instead. */
async function begin(uploading: Uploading): Promise<HttpResponse> {
  const {session, repository, options} = uploading
  const {mountFrom = repository.path} = options
  const mounted = mountFrom === repository.path ? undefined : await mount(uploading, mountFrom)
  if (mounted !== undefined) return mounted
  const url = session.url(`${repository.path}/blobs/uploads/`)
  return session.once({...common(uploading), method: 'POST', url, body: EMPTY, accepts: [202]})
}

/** The statuses of registries that reject a mount where they should start an upload instead. */
const UNMOUNTABLE: readonly number[] = [400, 401, 403, 404, 405]

/** The result of a mount: mounted, or the upload that was started instead; undefined for neither. */
async function mount(uploading: Uploading, from: string): Promise<HttpResponse | undefined> {
  const {session, repository, blob} = uploading
  const url = session.url(`${repository.path}/blobs/uploads/`)
  url.searchParams.set('mount', blob.descriptor.digest)
  url.searchParams.set('from', from)
  const {scopes, ...others} = common(uploading)
  const response = await session.once({
    ...others,
    method: 'POST',
    url,
    body: EMPTY,
    scopes: [...scopes, `repository:${from}:pull`],
    accepts: [201, 202, ...UNMOUNTABLE],
  })
  if (!UNMOUNTABLE.includes(response.status)) return response
  await discard(response)
  return undefined
}

const EMPTY: HttpBody = {size: 0, open: () => oneChunk(new Uint8Array(0))}

async function store(uploading: Uploading, begun: HttpResponse): Promise<void> {
  const {session, repository, blob} = uploading
  const {digest, size} = blob.descriptor
  const opened = session.url(`${repository.path}/blobs/uploads/`)
  const body = new ReportedBody(uploading)
  const response = await session
    .once({
      ...common(uploading),
      method: 'PUT',
      url: withDigest(locationOf(begun.headers['location'], opened, 'an upload location'), digest),
      headers: {'content-type': 'application/octet-stream'},
      body: {size, open: () => body.open()},
      accepts: [201],
    })
    .catch((error: unknown) => {
      throw body.failure ?? error
    })
  await discard(response)
  expectDigest(response, digest, common(uploading).aim)
  uploading.report?.({kind: 'upload', name: digest, done: size, total: size})
}

function common({repository, blob, report}: Uploading): Pick<Call, 'scopes' | 'aim' | 'report'> {
  return {
    scopes: [`repository:${repository.path}:pull,push`],
    aim: `upload ${blob.descriptor.digest} to ${formatRepository(repository)}`,
    report,
  }
}

/** As text, because registries sign what they put into the query. */
function withDigest(location: URL, digest: string): URL {
  const url = new URL(location)
  url.search = `${url.search === '' ? '?' : `${url.search}&`}digest=${encodeURIComponent(digest)}`
  return url
}

/** Throws `digest-mismatch` if a registry reports that it stored another digest. */
export function expectDigest({headers}: HttpResponse, digest: string, aim: string): void {
  const said = headers['docker-content-digest']
  if (said === undefined || said === digest) return
  throw new CrossplaneError(
    'digest-mismatch',
    `cannot ${aim}: the registry stored other content than ${digest}`,
  )
}

/** A body with progress; distinguishes the failure of its source from that of the connection. */
class ReportedBody implements Pick<HttpBody, 'open'> {
  failure: unknown
  readonly #uploading: Uploading

  constructor(uploading: Uploading) {
    this.#uploading = uploading
  }

  async *open(): AsyncGenerator<Uint8Array, void, undefined> {
    const {blob, report} = this.#uploading
    const {digest, size} = blob.descriptor
    let done = 0
    try {
      for await (const chunk of blob.open()) {
        done += chunk.length
        // The last part counts once the registry has stored the blob.
        if (done < size) report?.({kind: 'upload', name: digest, done, total: size})
        yield chunk
      }
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}
