import {CrossplaneError, withSuggestions} from '../../errors.js'
import {parseJson, parseJsonObject} from '../../fetch/json-document.js'
import {collectBytes} from '../../fetch/verified-bytes.js'
import type {Clock} from '../../http/clock.js'
import {beginningOf, discard, FailedAnswer} from '../../http/failed-answer.js'
import {hidden} from '../../http/hidden.js'
import type {Http, HttpResponse} from '../../http/http.js'
import {oneChunk} from '../../http/one-chunk.js'
import {retried, type RetryEvent} from '../../http/retry.js'
import {quoted} from '../../text.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'

/** A certificate authority or a transparency log. */
export interface SigstoreServer {
  readonly url: URL
  /** The flag that names it. */
  readonly flag: string
  readonly http: Http
  readonly clock: Clock
  readonly report?: (event: RetryEvent) => void
}

/** A request, and what of it no message may repeat. */
export interface SigstoreCall {
  /** `get a certificate`, for messages. */
  readonly action: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly document?: JsonObject
  readonly secrets?: readonly string[]
  /** The paths at which a server has what it was sent before (409), which is then read there. */
  readonly existing?: RegExp
}

/** An entry of a log with its proof has some kilobytes. */
const MAX_ANSWER = 1024 * 1024

/**
 * Sends a document and reads the one in the answer, with retries: a second certificate harms nothing, and a log has an entry
 * once. Throws `input-invalid` for secrets that the server rejects, `registry-failed`, and as `Http` does.
 */
export async function exchange(server: SigstoreServer, call: SigstoreCall): Promise<JsonObject> {
  const {clock, report, url} = server
  try {
    return await retried({clock, name: url.host, report}, () => answerTo(server, call))
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !(error.cause instanceof FailedAnswer)) throw error
    // Not the answer of a registry, of which callers conclude more.
    throw new CrossplaneError(error.code, error.message, {suggestions: error.suggestions})
  }
}

async function answerTo(server: SigstoreServer, call: SigstoreCall): Promise<JsonObject> {
  const holder = `the answer of ${server.url.host}`
  const response = await sentOnce(server, call)
  if (response.status < 200 || response.status > 299) throw await refused(server, call, response)
  try {
    return parseJsonObject(await collectBytes(response.body, MAX_ANSWER, holder), holder)
  } catch (error) {
    throw explained(server, call, error)
  }
}

/** Names the server and the action in the failure of an exchange. */
export function failed(
  {url, flag}: SigstoreServer,
  {action}: Pick<SigstoreCall, 'action'>,
  why: string,
  code: CrossplaneError['code'] = 'registry-failed',
  suggestions: readonly string[] = [`Check ${flag}, and whether the server has problems.`],
): CrossplaneError {
  return new CrossplaneError(code, `cannot ${action} of ${shown(url)}: ${why}`, {suggestions})
}

/** The answer to an earlier attempt may be lost. */
async function sentOnce(server: SigstoreServer, call: SigstoreCall): Promise<HttpResponse> {
  const response = await sent(server, call)
  const path = response.headers['location'] ?? ''
  if (response.status !== 409 || call.existing?.test(path) !== true) return response
  await discard(response)
  return await sent(server, {action: call.action, method: 'GET', path})
}

async function sent(server: SigstoreServer, call: SigstoreCall): Promise<HttpResponse> {
  const {method, path, document} = call
  const bytes = document === undefined ? undefined : Buffer.from(JSON.stringify(document))
  const url = new URL(`${shown(server.url)}${path}`)
  const headers = {accept: 'application/json', 'accept-encoding': 'identity'}
  try {
    if (bytes === undefined) return await server.http.send({method, url, headers})
    return await server.http.send({
      ...{method, url},
      headers: {...headers, 'content-type': 'application/json'},
      body: {size: bytes.length, open: () => oneChunk(bytes)},
    })
  } catch (error) {
    throw explained(server, call, error)
  }
}

/** The address without a slash at its end. */
function shown({origin, pathname}: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** Suggestions of the client are for registries, except those for certificates of a private authority. */
function explained(server: SigstoreServer, {action}: SigstoreCall, error: unknown): unknown {
  if (!(error instanceof CrossplaneError)) return error
  const message = `cannot ${action} of ${shown(server.url)}: ${error.message}`
  const isOurs = error.suggestions.some(suggestion => suggestion.includes('--ca-file'))
  const {code, cause} = error
  const bare = isOurs ? error : new CrossplaneError(code, message, {cause})
  return withSuggestions(
    bare,
    isOurs ? [] : [`Check ${server.flag}, the network connection and HTTPS_PROXY.`],
    message,
  )
}

async function refused(
  server: SigstoreServer,
  call: SigstoreCall,
  response: HttpResponse,
): Promise<CrossplaneError> {
  const {status} = response
  const said = hidden(messageIn(await beginningOf(response)), call.secrets ?? [])
  const why = `the server responded with ${status}${said === '' ? '' : `: ${quoted(said)}`}`
  const isDenied = call.secrets !== undefined && [400, 401, 403].includes(status)
  const {code, message, suggestions} = isDenied
    ? failed(server, call, why, 'input-invalid', [
        'Get a new token: tokens are valid for some minutes, and the server expects an issuer and an audience, often sigstore.',
      ])
    : failed(server, call, why)
  return new CrossplaneError(code, message, {suggestions, cause: new FailedAnswer(why, response)})
}

function messageIn(bytes: Uint8Array): string {
  try {
    return asText(asObject(parseJson(bytes, 'the answer'))['message'])
  } catch {
    return ''
  }
}
