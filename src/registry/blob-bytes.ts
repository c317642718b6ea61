import {CrossplaneError} from '../errors.js'
import {chunksFrom} from '../http/chunks-from.js'
import {discard} from '../http/failed-answer.js'
import {oneChunk} from '../http/one-chunk.js'
import type {HttpResponse} from '../http/http.js'
import {waitOrThrow} from '../http/retry.js'
import type {Call, Session} from './session.js'

/** A request for a blob. `name` is its name in progress reports. */
export interface BlobCall extends Omit<Call, 'accepts' | 'method'> {
  readonly name: string
  readonly size: number
  /** The offset of the first byte to read: 0 by default. */
  readonly start?: number
}

/** The number of bytes after which earlier failures no longer count. */
const FORGIVING_BYTES = 16 * 1024 * 1024

/**
 * Streams the bytes of a blob. After a broken connection or a truncated response it continues at the same position,
 * by Range, or, if a registry ignores ranges, by skipping the delivered bytes. The reader verifies size and digest.
 */
export async function* blobBytes(
  session: Session,
  call: BlobCall,
): AsyncGenerator<Uint8Array, void, undefined> {
  const {name, size, start: from = 0, report} = call
  const retrying = {clock: session.clock, attempts: session.attempts, name, report}
  let done = from
  let failures = 0
  for (;;) {
    const start = done
    let failure: unknown
    try {
      for await (const chunk of await openAt(session, call, start)) {
        done += chunk.length
        report?.({kind: 'layer', name, done, total: size})
        yield chunk
      }
      if (done >= size || done === start) return
      failure = endedEarly(call, done)
    } catch (error) {
      failure = error
    }
    failures = done - start < FORGIVING_BYTES ? failures + 1 : 1
    await waitOrThrow(retrying, failure, failures)
  }
}

async function openAt(
  session: Session,
  {start: _from, ...call}: BlobCall,
  start: number,
): Promise<AsyncIterable<Uint8Array>> {
  const headers: Call['headers'] = start === 0 ? {} : {range: `bytes=${start}-`}
  const accepts = start === 0 ? [200] : [200, 206, 416]
  const response = await session.once({...call, method: 'GET', headers, accepts})
  const {body} = response
  if (response.status === 416) return await isShorter(response)
  if (response.status === 200) return chunksFrom(body, start)
  if (startOf(response) === start) return body
  await discard(response)
  throw otherPart(call, start)
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-14.4; NaN if it is missing. */
function startOf({headers}: HttpResponse): number {
  const [, first] = /^bytes (\d{1,15})-\d{1,15}\/(?:\d{1,15}|\*)$/.exec(headers['content-range'] ?? '') ?? []
  return Number(first ?? Number.NaN)
}

function otherPart({aim, url}: BlobCall, start: number): CrossplaneError {
  return new CrossplaneError(
    'registry-failed',
    `cannot ${aim}: ${url.host} answered with a range other than the requested one from byte ${start}`,
  )
}

/** The range does not exist: the blob is shorter than its descriptor states, which its reader will detect. */
async function isShorter(response: HttpResponse): Promise<AsyncIterable<Uint8Array>> {
  await discard(response)
  return oneChunk(new Uint8Array(0))
}

function endedEarly({aim, url, size}: BlobCall, done: number): CrossplaneError {
  return new CrossplaneError(
    'registry-unreachable',
    `cannot ${aim}: ${url.host} closed the connection after ${done} of ${size} bytes`,
  )
}
