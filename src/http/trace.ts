import {CrossplaneError} from '../errors.js'
import type {Clock} from './clock.js'
import {hidden, secretsIn} from './hidden.js'
import type {Http, HttpRequest} from './http.js'
import {shownUrl} from './shown-url.js'

/**
 * Takes one line for each exchange. No line holds a header, a query or what stands before an @, nor what was shown as
 * proof to a server that then sends us to a path which repeats it.
 */
export type Trace = (line: string) => void

/** The same HTTP, telling what it does: `GET https://registry.example.org/v2/ 200 12 ms`. */
export function tracedHttp(http: Http, clock: Clock, trace: Trace): Http {
  const shown = new Set<string>()
  const send = async (request: HttpRequest) => {
    const start = clock.now()
    for (const secret of secretsIn(String(request.headers['authorization'] ?? ''))) shown.add(secret)
    const tell = (end: string) =>
      trace(`${request.method} ${hidden(shownUrl(request.url), shown)} ${end} ${clock.now() - start} ms`)
    try {
      const response = await http.send(request)
      tell(String(response.status))
      return response
    } catch (error) {
      tell(error instanceof CrossplaneError ? error.code : 'failed')
      throw error
    }
  }
  return {send}
}
