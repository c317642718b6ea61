import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {CrossplaneError} from '../../src/errors.js'
import type {Http} from '../../src/registry/http.js'

/** Node's HTTP, whose bodies break off as the port says. */
export function plainHttp(): Http {
  const http = nodeHttp()
  return {
    send: async request => {
      const response = await http.send(request)
      return {...response, body: unbroken(response.body)}
    },
  }
}

async function* unbroken(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks
  } catch (cause) {
    throw new CrossplaneError('registry-unreachable', 'The connection broke.', {cause})
  }
}
