import type {HttpResponse} from './http.js'

/** The unexpected answer of a server, as the cause of a `CrossplaneError`. */
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
/** Such bodies are sent in very few chunks. */
const MAX_CHUNKS = 32

/** Reads the start of an answer: at most 16 KiB, or a little more, and what came before the connection broke. */
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
    // The status says enough; a connection that breaks after it adds nothing.
  }
  return Buffer.concat(chunks)
}

/** Reads a little of an answer that is not needed, so that its connection can be used again. */
export async function discard(response: HttpResponse): Promise<void> {
  await beginningOf(response)
}
