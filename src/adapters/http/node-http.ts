import {request as httpRequest} from 'node:http'
import type {ClientRequest, IncomingMessage} from 'node:http'
import {request as httpsRequest} from 'node:https'
import type {HttpOptions} from '../../http/http-options.js'
import type {Http, HttpRequest, HttpResponse} from '../../http/http.js'
import {receivedBytes, sendBytes} from './http-bytes.js'
import {httpFailure, refusedByProxy, timedOut} from './http-failure.js'
import type {Peer} from './http-failure.js'
import {idleTimer} from './idle-timer.js'
import {routes} from './routes.js'
import type {Route} from './routes.js'

const TIMEOUT_MS = 30_000
/** Redirects to storage are long, being signed; what is longer is an attack. */
const MAX_HEADER_BYTES = 32 * 1024

/** Creates an HTTP/1.1 client on Node's, with connections that are kept alive. */
export function nodeHttp(options: HttpOptions = {}): Http {
  const {timeoutMs = TIMEOUT_MS} = options
  const known = routes(options)
  return {send: async request => await exchange(request, await known.to(request.url), timeoutMs)}
}

function exchange(request: HttpRequest, route: Route, timeoutMs: number): Promise<HttpResponse> {
  const peer: Peer = {url: request.url, ...(route.proxy === undefined ? {} : {proxy: route.proxy})}
  return new Promise((resolve, reject) => {
    const outgoing = open(request, route, timeoutMs)
    const fail = (error: unknown) => {
      timer.stop()
      reject(httpFailure(peer, error))
      outgoing.destroy()
    }
    const timer = idleTimer(timeoutMs, () => fail(timedOut(peer, timeoutMs)))
    outgoing.on('error', fail)
    // Without an answer: to one that wants to change the protocol, Node hangs up without a word.
    outgoing.on('close', () => fail(new Error('the connection was closed')))
    outgoing.on('response', answer => {
      timer.stop()
      if (route.proxy !== undefined && answer.statusCode === 407) fail(refusedByProxy(peer, 407))
      else resolve(toResponse(outgoing, answer, peer, timeoutMs))
    })
    timer.arm()
    sendBytes(outgoing, request.body, timer).catch(fail)
  })
}

function open({method, headers, body}: HttpRequest, {options}: Route, timeoutMs: number): ClientRequest {
  const length = body === undefined ? {} : {'content-length': String(body.size)}
  return (options.protocol === 'https:' ? httpsRequest : httpRequest)({
    ...options,
    method,
    headers: {...headers, ...length, ...(options.headers as Readonly<Record<string, string>>)},
    maxHeaderSize: MAX_HEADER_BYTES,
    // For the way to a proxy, which is asked before there is a request to destroy.
    timeout: timeoutMs,
  })
}

function toResponse(
  outgoing: ClientRequest,
  answer: IncomingMessage,
  peer: Peer,
  milliseconds: number,
): HttpResponse {
  // An answer that breaks off before it is read must not be an uncaught error.
  answer.on('error', () => undefined)
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  const body = receivedBytes(answer, {
    milliseconds,
    expired: () => timedOut(peer, milliseconds),
    failed: cause => httpFailure(peer, cause),
  })
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: lastWord(body, outgoing),
  }
}

/** Stops sending the request when the answer is complete: the peer reads no more of it. */
async function* lastWord(
  body: AsyncIterable<Uint8Array>,
  outgoing: ClientRequest,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
  } finally {
    if (!outgoing.writableFinished) outgoing.destroy()
  }
}
