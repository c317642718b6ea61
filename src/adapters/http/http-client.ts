import {request as httpRequest} from 'node:http'
import type {ClientRequest, IncomingMessage} from 'node:http'
import {request as httpsRequest} from 'node:https'
import type {Http, HttpRequest, HttpResponse} from '../../http/http.js'
import {present} from '../../present.js'
import type {FailureTerms} from './failure-terms.js'
import {receivedBytes, sendBytes} from './http-bytes.js'
import {brokenResponse, httpFailure, proxyError, timedOut} from './http-failure.js'
import type {Peer} from './http-failure.js'
import {idleTimer} from './idle-timer.js'
import type {Route, Routes} from './routes.js'

/** Redirects to storage have long, signed URLs; longer headers are an attack. */
const MAX_HEADER_BYTES = 32 * 1024

/** The dependencies and time limits of a client for one kind of server. */
interface ClientSettings {
  readonly routes: Routes
  readonly terms: FailureTerms
  /** Milliseconds without progress until the request is sent. */
  readonly connectMs: number
  /** Milliseconds without any data after that, unless a request has its own. */
  readonly idleMs: number
}

/** A request in progress. */
interface Exchange {
  readonly request: HttpRequest
  readonly route: Route
  readonly peer: Peer
  readonly connectMs: number
  readonly idleMs: number
}

/** Creates an HTTP/1.1 client that sends each request by its route. */
export function httpClient({routes, terms, connectMs, idleMs}: ClientSettings): Http {
  return {
    send: async request => {
      const route = await routes.to(request.url)
      const peer = {url: request.url, terms, ...present({proxy: route.proxy})}
      return await exchange({request, route, peer, connectMs, idleMs: request.idleMs ?? idleMs})
    },
  }
}

function exchange(sent: Exchange): Promise<HttpResponse> {
  const {request, route, peer, connectMs, idleMs} = sent
  return new Promise((resolve, reject) => {
    const outgoing = open(sent)
    const fail = (error: unknown) => {
      timer.stop()
      reject(failure(sent, error))
      outgoing.destroy()
    }
    const timer = idleTimer(connectMs, waited => fail(timedOut(peer, waited)))
    outgoing.on('error', fail)
    outgoing.on('finish', () => timer.arm(idleMs))
    let isAnswered = false
    // Without this, Node closes the connection without an error if the server tries to switch protocols.
    outgoing.on('close', () => {
      if (isAnswered) timer.stop()
      else fail(new Error('the connection was closed'))
    })
    outgoing.on('response', answer => {
      isAnswered = true
      timer.stop()
      if (route.proxy !== undefined && answer.statusCode === 407) fail(proxyError(peer, 407))
      else resolve(toResponse(outgoing, answer, sent))
    })
    timer.arm()
    sendBytes(outgoing, request.body, timer).catch(fail)
  })
}

/** A request that its sender ended fails with the reason for that. */
function failure({request: {signal}, peer}: Exchange, error: unknown, turn = httpFailure): Error {
  return signal?.aborted === true ? (signal.reason as Error) : turn(peer, error)
}

function open({request, route: {options}, connectMs}: Exchange): ClientRequest {
  const {method, headers, body, signal} = request
  const length = body === undefined ? {} : {'content-length': String(body.size)}
  return (options.protocol === 'https:' ? httpsRequest : httpRequest)({
    ...options,
    ...present({signal}),
    method,
    headers: {...headers, ...length, ...(options.headers as Readonly<Record<string, string>>)},
    maxHeaderSize: MAX_HEADER_BYTES,
    // For the connection to a proxy, which starts before there is a request to destroy.
    timeout: connectMs,
  })
}

function toResponse(outgoing: ClientRequest, answer: IncomingMessage, sent: Exchange): HttpResponse {
  // A response that breaks off before it is read must not cause an uncaught exception.
  answer.on('error', () => undefined)
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  const body = receivedBytes(answer, {
    milliseconds: sent.idleMs,
    expired: () => timedOut(sent.peer, sent.idleMs),
    failed: cause => failure(sent, cause, brokenResponse),
  })
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: lastWord(body, outgoing),
  }
}

/** Milliseconds for the rest of a request whose response is complete. */
const REST_MS = 1000

/**
 * Stops sending the request when the response is complete: the server no longer reads it. A busy process can see a response
 * before it sees that the request was sent: that connection is kept for other requests.
 */
async function* lastWord(
  body: AsyncIterable<Uint8Array>,
  outgoing: ClientRequest,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
  } finally {
    if (!outgoing.writableEnded) outgoing.destroy()
    else if (!outgoing.writableFinished) {
      const timer = setTimeout(() => outgoing.destroy(), REST_MS).unref()
      outgoing.once('finish', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    }
  }
}
