import type {HttpResponse} from './http.js'

/** The unexpected response of a server, as the cause of a `CrossplaneError`. */
export class FailedAnswer extends Error {
  override readonly name = 'FailedAnswer'
  readonly status: number
  /** The `Retry-After` header, unparsed. */
  readonly retryAfter: string | undefined

  constructor(message: string, {status, headers}: Pick<HttpResponse, 'status' | 'headers'>) {
    super(message)
    this.status = status
    this.retryAfter = headers['retry-after']
  }
}

const MAX_OF_BODY = 16 * 1024
/** The maximum number of bytes to read: such bodies have few chunks. */
const MAX_CHUNKS = 32

/**
 * Reads the start of a response: at most 16 KiB, or a little more, and what was received before the connection broke.
 */
export async function beginningOf({body}: HttpResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_OF_BODY || chunks.length > MAX_CHUNKS) break
    }
  } catch {
    // The status is enough; a connection that breaks after it adds nothing.
  }
  return Buffer.concat(chunks)
}

/** Reads a little of a response that is not needed, so that its connection can be reused. */
export async function discard(response: HttpResponse): Promise<void> {
  await beginningOf(response)
}
