import {CrossplaneError} from '../../errors.js'
import type {ErrorCode} from '../../errors.js'
import {parseJson} from '../../fetch/json-document.js'
import {quoted} from '../../text.js'
import {isJsonObject} from '../../yaml/json-value.js'
import type {JsonValue} from '../../yaml/json-value.js'
import {hidden} from './hidden.js'
import type {HttpResponse} from './http.js'
import {shownUrl} from './shown-url.js'

/** What a server answered in place of what was asked for: the protocol's side of a CrossplaneError, as its cause. */
export class FailedAnswer extends Error {
  override readonly name = 'FailedAnswer'
  readonly status: number
  /** As the server wrote it. */
  readonly retryAfter: string | undefined

  constructor(message: string, {status, headers}: Pick<HttpResponse, 'status' | 'headers'>) {
    super(message)
    this.status = status
    this.retryAfter = headers['retry-after']
  }
}

/** What was asked, as far as telling of its failure goes. `aim` completes the sentence "Cannot …". */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly aim: string
  /** What was sent and must not be told, should the server repeat it. */
  readonly secrets: readonly string[]
}

/** The failure that an answer means. Reads a little of its body, for the reasons that a registry gives. */
export async function failedAnswer(response: HttpResponse, asked: Asked): Promise<CrossplaneError> {
  const {status} = response
  const isSafe = (text: string) => !asked.secrets.some(secret => text.includes(secret))
  const reasons = await reasonsIn(response, isSafe)
  const cause = new FailedAnswer(
    [
      `${asked.method} ${hidden(shownUrl(asked.url), asked.secrets)} was answered ${status}`,
      ...patience(response).filter(isSafe),
      ...reasons,
    ].join('; '),
    response,
  )
  const {
    code,
    why,
    suggestions = [],
  } = MEANINGS[status] ?? {
    code: 'registry-failed',
    why: `answered with status ${status}`,
  }
  return new CrossplaneError(code, `Cannot ${asked.aim}: ${asked.url.host} ${why}.`, {cause, suggestions})
}

/** How long the server wants to be left alone: the reason why nobody waited for it, if it is very long. */
function patience({headers}: HttpResponse): readonly string[] {
  const wait = headers['retry-after'] ?? ''
  return !/^(?:\d{1,9}|[A-Z][a-z]{2}, [\w: ]{1,30} GMT)$/.test(wait)
    ? []
    : [`it wants to be asked again after ${quoted(wait)}`]
}

interface Meaning {
  readonly code: ErrorCode
  readonly why: string
  readonly suggestions?: readonly string[]
}

const LOG_IN = 'Check the name, and log in with credentials that may do this: registry login.'

const MEANINGS: Readonly<Record<number, Meaning>> = {
  401: {code: 'access-denied', why: 'wants other credentials, or some at all', suggestions: [LOG_IN]},
  403: {code: 'access-denied', why: 'does not allow it', suggestions: [LOG_IN]},
  404: {code: 'not-found', why: 'has no such thing'},
  429: {
    code: 'registry-failed',
    why: 'was asked too often',
    suggestions: ['Try again later; many registries allow more to those who are logged in.'],
  },
}

const MAX_OF_BODY = 16 * 1024
const MAX_REASONS = 3
/** Such bodies come at once, in very few. */
const MAX_CHUNKS = 32

/** https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#error-codes */
async function reasonsIn(
  response: HttpResponse,
  isSafe: (text: string) => boolean,
): Promise<readonly string[]> {
  const errors = errorsIn(await beginningOf(response))
  return errors.slice(0, MAX_REASONS).flatMap(error => {
    if (!isJsonObject(error)) return []
    const texts = [error['code'], error['message']].filter(text => typeof text === 'string')
    return texts.every(isSafe) && texts.length > 0 ? [texts.map(quoted).join(' ')] : []
  })
}

function errorsIn(bytes: Uint8Array): readonly JsonValue[] {
  try {
    const body = parseJson(bytes, 'The answer')
    const errors = isJsonObject(body) ? body['errors'] : undefined
    return Array.isArray(errors) ? (errors as readonly JsonValue[]) : []
  } catch {
    return []
  }
}

async function beginningOf({body}: HttpResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_OF_BODY || chunks.length > MAX_CHUNKS) break
    }
  } catch {
    // The status has been told already; what breaks behind it adds nothing.
  }
  return Buffer.concat(chunks)
}

/** Reads what is left of an answer that nobody wants, so that its connection can be used again; not much of it. */
export async function discard(response: HttpResponse): Promise<void> {
  await beginningOf(response)
}
