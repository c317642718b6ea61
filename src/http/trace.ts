import {CrossplaneError} from '../errors.js'
import type {Clock} from './clock.js'
import {hidden, secretsIn} from './hidden.js'
import type {Http, HttpRequest} from './http.js'
import {shownUrl} from './shown-url.js'

/**
 * Receives one line for each exchange. No line contains a header, a query or user information, nor a secret that was
 * sent to a server that redirects to a path with it.
 */
export type Trace = (line: string) => void

/** Wraps an HTTP client to report its exchanges: `GET https://registry.example.org/v2/ 200 12 ms`. */
export function tracedHttp(http: Http, clock: Clock, trace: Trace): Http {
  const shown = new Set<string>()
  const send = async (request: HttpRequest) => {
    const start = clock.elapsed()
    for (const secret of secretsIn(String(request.headers['authorization'] ?? ''))) shown.add(secret)
    const report = (end: string) =>
      trace(
        `${request.method} ${hidden(shownUrl(request.url), shown)} ${end} ${Math.round(clock.elapsed() - start)} ms`,
      )
    try {
      const response = await http.send(request)
      report(String(response.status))
      return response
    } catch (error) {
      report(error instanceof CrossplaneError ? error.code : 'failed')
      throw error
    }
  }
  return {send}
}
