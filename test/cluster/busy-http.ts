import type {Http, HttpRequest, HttpResponse} from '../../src/http/http.js'
import {oneChunk} from '../../src/http/one-chunk.js'

/**
 * An API server that is busy: some requests are answered with 429, and some patches with 409; these have no effect.
 * `onRejected` receives each of these codes.
 */
export function busyHttp(http: Http, onRejected: (code: number) => void): Http {
  let [requests, patches] = [0, 0]
  return {
    send: async request => {
      const isTooMany = !isWatch(request) && ++requests % 15 === 0
      const isConflict = !isTooMany && request.method === 'PATCH' && ++patches % 5 === 0
      if (!isTooMany && !isConflict) return await http.send(request)
      const [code, reason] = isTooMany ? ([429, 'TooManyRequests'] as const) : ([409, 'Conflict'] as const)
      onRejected(code)
      return failed(code, reason)
    },
  }
}

function isWatch({url}: HttpRequest): boolean {
  return url.searchParams.has('watch')
}

function failed(code: number, reason: string): HttpResponse {
  const status = {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    reason,
    code,
    message: 'the server is busy',
  }
  return {
    status: code,
    headers: {'content-type': 'application/json'},
    body: oneChunk(Buffer.from(JSON.stringify(status))),
  }
}
