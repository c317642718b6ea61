import {CrossplaneError} from '../errors.js'
import type {Clock} from './clock.js'
import type {Http, HttpResponse} from './http.js'

const WINDOW = 60_000
const LEAST_BYTES = 16 * 1024

/**
 * Limits how slowly any response body can arrive, also one that is read for its error or discarded, but not one whose
 * request sets its own limit.
 */
export function pacedHttp(http: Http, clock: Clock): Http {
  return {
    send: async request => {
      const response = await http.send(request)
      return request.idleMs === undefined ? pacedResponse(response, clock, request.url) : response
    },
  }
}

/** Limits how slowly the body of a response of the server at `url` can arrive. */
export function pacedResponse(response: HttpResponse, clock: Clock, {host}: URL): HttpResponse {
  return {...response, body: paced(response.body, clock, `the response of ${host}`)}
}

/**
 * Passes chunks on; throws `timeout` if less than 16 KiB arrived in a minute of waiting. Only waiting counts, not the
 * time that the reader spends between chunks. `holder` names the response in messages.
 */
async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  clock: Clock,
  holder: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waited = 0
  let bytes = 0
  let since = clock.elapsed()
  for await (const chunk of chunks) {
    waited += clock.elapsed() - since
    bytes += chunk.length
    if (bytes >= LEAST_BYTES) waited = bytes = 0
    if (waited > WINDOW) {
      throw new CrossplaneError('timeout', `${holder} is too slow: ${bytes} bytes in a minute`, {
        suggestions: ['Check the network connection, and run the command again.'],
      })
    }
    yield chunk
    since = clock.elapsed()
  }
}
