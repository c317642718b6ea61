import {CrossplaneError} from '../errors.js'
import type {Clock} from './clock.js'
import type {Http, HttpRequest} from './http.js'
import {shownUrl} from './shown-url.js'

/** Takes one line for each exchange. No line holds a header, a query or what stands before an @. */
export type Trace = (line: string) => void

/** The same HTTP, telling what it does: `GET https://registry.example.org/v2/ 200 12 ms`. */
export function tracedHttp(http: Http, clock: Clock, trace: Trace): Http {
  const proofs = new Set<string>()
  const send = async (request: HttpRequest) => {
    const start = clock.now()
    const proof = request.headers['authorization']?.replace(/^\w+ /, '') ?? ''
    if (proof !== '') proofs.add(proof)
    // A server that redirects chooses the path, and may put there what it was shown.
    const path = shownUrl(request.url)
    const place = [...proofs].some(each => path.includes(each)) ? request.url.origin : path
    const tell = (end: string) => trace(`${request.method} ${place} ${end} ${clock.now() - start} ms`)
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
