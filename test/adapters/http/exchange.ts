import {CrossplaneError} from '../../../src/errors.js'
import type {Http, HttpRequest} from '../../../src/http/http.js'

/** A whole exchange: status and body as text, or the code of its failure with its message. */
export async function exchange(
  http: Http,
  url: string,
  request: Partial<HttpRequest> = {},
): Promise<{status: number; body: string} | {code: string; said: string}> {
  try {
    const {status, body} = await http.send({method: 'GET', headers: {}, ...request, url: new URL(url)})
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return {status, body: Buffer.concat(chunks).toString()}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const {code, message, suggestions} = error
    return {code, said: [message, ...suggestions].join(' ')}
  }
}
