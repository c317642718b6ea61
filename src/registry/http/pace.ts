import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../clock.js'
import type {Http} from './http.js'

const WINDOW = 60_000
const LEAST_BYTES = 16 * 1024

/** The same HTTP with every body paced: one that is read for its reasons, or only to be done with it, may drip as well. */
export function pacedHttp(http: Http, clock: Clock): Http {
  return {
    send: async request => {
      const response = await http.send(request)
      return {...response, body: paced(response.body, clock, `The answer of ${request.url.host}`)}
    },
  }
}

/**
 * Passes chunks on, and gives a peer up that drips: `timeout` when a minute of waiting brought less than 16 KiB. Only
 * waiting counts, not what a reader does between chunks. `holder` names the bytes at the start of a sentence.
 */
async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  clock: Clock,
  holder: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waited = 0
  let bytes = 0
  let since = clock.now()
  for await (const chunk of chunks) {
    waited += clock.now() - since
    bytes += chunk.length
    if (bytes >= LEAST_BYTES) waited = bytes = 0
    if (waited > WINDOW) {
      throw new CrossplaneError('timeout', `${holder} came too slowly: ${bytes} bytes in a minute.`, {
        suggestions: ['Try again, or ask a registry that is nearer.'],
      })
    }
    yield chunk
    since = clock.now()
  }
}
