import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import type {FailedAnswer} from '../../http/failed-answer.js'
import {secretsIn} from '../../http/hidden.js'
import type {HttpHeaders, HttpRequest, HttpResponse} from '../../http/http.js'
import {oneChunk} from '../../http/one-chunk.js'
import {pacedResponse} from '../../http/pace.js'
import {retried} from '../../http/retry.js'
import type {RetryEvent} from '../../http/retry.js'
import {shownUrl} from '../../http/shown-url.js'
import {isWebPage} from '../../http/web-page.js'
import {present} from '../../present.js'
import {compactJson, parseExactJson} from '../../yaml/exact-json.js'
import type {JsonValue} from '../../yaml/json-value.js'
import type {Connection} from '../connection.js'
import {ClusterFailure} from './cluster-failure.js'
import {serverStatusIn} from './server-status.js'
import {statusError} from './status-error.js'
import type {RequestAim} from './status-error.js'

/** A request to an API server. */
export interface ApiRequest extends RequestAim {
  readonly method: HttpRequest['method']
  /** Relative to the server's root, encoded: `api/v1/namespaces/default`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly accept?: string
  readonly body?: JsonValue
  /** The media type of the body; JSON by default. */
  readonly type?: string
  /** In bytes, of the response. */
  readonly maxBytes?: number
  /** Ends the request, and the body of its response. */
  readonly signal?: AbortSignal
}

/** A successful response. */
export interface ApiResponse {
  readonly status: number
  readonly headers: HttpResponse['headers']
  readonly body: JsonValue
}

/** Sends requests with the credentials of a connection. */
export interface Sender {
  /**
   * Repeats requests that failed temporarily. Throws the errors of `statusError`, and `cluster-failed` for a response
   * that is not JSON.
   */
  send(request: ApiRequest): Promise<ApiResponse>
  /** The same for a response that is read as it arrives; one attempt. */
  open(request: ApiRequest): Promise<HttpResponse>
  /** Milliseconds since the epoch by the clock of the server; by the local one before its first response. */
  now(): number
}

/** The dependencies of sending besides a connection. */
export interface SenderOptions {
  readonly clock: Clock
  /** Such as `kubectl-crossplane/1.0.0`. */
  readonly userAgent: string
  /** All attempts of a request, including the first; 5 by default. */
  readonly attempts?: number | undefined
  readonly report?: (event: RetryEvent) => void
  /** Also repeats a request whose connection is rejected before the first response, as for a server that starts beside. */
  readonly waitsForServer?: boolean
  /**
   * Once aborted, no failed request is repeated: the signal's reason is thrown. Requests that are in progress are
   * completed.
   */
  readonly signal?: AbortSignal
}

/** An object in etcd has at most 3 MiB, as a rule 1.5 MiB. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_STATUS_BYTES = 1024 * 1024

/** Creates a sender. Credentials are renewed once for all requests that fail with 401 at the same time. */
export function senderFor(connection: Connection, options: SenderOptions): Sender {
  const {clock, userAgent, attempts, report, signal, waitsForServer = false} = options
  const authenticated = authentication(connection)
  let ahead = 0
  let hasAnswered = waitsForServer
  const open = async (request: ApiRequest) => {
    const attempt = async (headers: HttpHeaders) => {
      const sent = httpRequest(connection.server, request, {...headers, 'user-agent': userAgent})
      const response = await connection.http.send(sent)
      // A watch is quiet while nothing changes; its failure is not.
      return request.verb === 'watch' && isSuccess(response)
        ? response
        : pacedResponse(response, clock, sent.url)
    }
    const {response, headers} = await authenticated(attempt)
    hasAnswered = true
    ahead = aheadIn(response, clock.now())
    if (isSuccess(response)) return response
    throw await failure(request, response, connection.server, headers)
  }
  return {
    open,
    now: () => clock.now() + ahead,
    send: async request => {
      const attempt = async () => {
        const response = await open(request)
        const body = await readJson(response, request)
        return {status: response.status, headers: response.headers, body}
      }
      const retrying = {
        clock,
        attempts,
        name: request.aim,
        report,
        signal,
        isTemporary: isUnserved(request),
        isLasting,
        hasAnswered: () => hasAnswered,
      }
      return retried(retrying, attempt)
    },
  }
}

function isSuccess({status}: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/** In milliseconds: the header has whole seconds, and was written before the response arrived. */
const PRECISION = 5000

/** Returns by how many milliseconds the clock of the server is ahead of the local one; 0 for none that can be told. */
function aheadIn({headers}: HttpResponse, now: number): number {
  const ahead = Date.parse(headers.date ?? '') - now
  return Math.abs(ahead) >= PRECISION ? ahead : 0
}

/** Only creations wait for their kind: for any other write, the object does not exist. */
function isUnserved({verb}: ApiRequest): (answer: FailedAnswer) => boolean {
  return answer => WAITING.includes(verb) && answer instanceof ClusterFailure && answer.isUnserved
}

const WAITING = ['create', 'patch']

function isLasting(answer: FailedAnswer): boolean {
  return answer instanceof ClusterFailure && (answer.isWebhookFailure || answer.isTypeError)
}

interface Authenticated {
  readonly response: HttpResponse
  readonly headers: HttpHeaders
}

/** Returns a function that makes an attempt, and after a 401 another one with renewed credentials. */
function authentication(connection: Connection) {
  let renewal: Promise<HttpHeaders> | undefined
  const renewed = async (used: HttpHeaders) => {
    const current = await connection.headers(false)
    // Another request may have renewed them in the meantime.
    if (JSON.stringify(current) !== JSON.stringify(used)) return current
    renewal ??= connection.headers(true).finally(() => (renewal = undefined))
    return renewal
  }
  return async (attempt: (headers: HttpHeaders) => Promise<HttpResponse>): Promise<Authenticated> => {
    const used = await connection.headers(false)
    const response = await attempt(used)
    if (response.status !== 401) return {response, headers: used}
    await readUpTo(response, MAX_STATUS_BYTES)
    const headers = await renewed(used)
    return {response: await attempt(headers), headers}
  }
}

function httpRequest(server: URL, request: ApiRequest, headers: HttpHeaders): HttpRequest {
  const {method, body, type = 'application/json', accept = 'application/json', signal} = request
  const url = urlOf(server, request)
  const exchange = {method, url, ...present({signal})}
  if (body === undefined) return {...exchange, headers: {...headers, accept}}
  const bytes = Buffer.from(compactJson(body))
  const sent = {size: bytes.length, open: () => oneChunk(bytes)}
  return {...exchange, headers: {...headers, accept, 'content-type': type}, body: sent}
}

function urlOf(server: URL, {path, query = {}}: Pick<ApiRequest, 'path' | 'query'>): URL {
  const url = new URL(server)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  url.search = new URLSearchParams(query).toString()
  return url
}

async function failure(
  request: ApiRequest,
  response: HttpResponse,
  server: URL,
  headers: HttpHeaders,
): Promise<CrossplaneError> {
  const secrets = secretsIn(String(headers.authorization ?? ''))
  // The status is enough; a connection that breaks after it adds nothing.
  const body = await readUpTo(response, MAX_STATUS_BYTES).catch(() => undefined)
  const status = serverStatusIn(body ?? new Uint8Array(), secrets)
  const shown = `${request.method} ${shownUrl(urlOf(server, request))}`
  return statusError({request: shown, aim: request, response, status})
}

async function readJson(response: HttpResponse, {aim, maxBytes = MAX_BYTES}: ApiRequest): Promise<JsonValue> {
  const bytes = await readUpTo(response, maxBytes)
  if (bytes === undefined) {
    const message = `cannot ${aim}: the response has more than ${maxBytes} bytes`
    throw new CrossplaneError('limit-exceeded', message)
  }
  if (isWebPage(response)) throw webPage(aim)
  try {
    return parseExactJson(new TextDecoder('utf-8', {fatal: true}).decode(bytes))
  } catch (cause) {
    throw new CrossplaneError('cluster-failed', `cannot ${aim}: the response is not valid JSON`, {cause})
  }
}

function webPage(aim: string): CrossplaneError {
  return new CrossplaneError('cluster-failed', `cannot ${aim}: the server answered with a web page`, {
    suggestions: [
      'Check that it is an API server, and not a proxy or a login page: kubectl config view --minify',
    ],
  })
}

/** Reads a body; undefined if it has more than `max` bytes. */
async function readUpTo({body}: HttpResponse, max: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > max) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
