import type {Http, HttpRequest, HttpResponse} from '../../src/http/http.js'
import {chunked} from '../fetch/fake-sources.js'

/** An answer as tests write it. */
export interface Scripted {
  readonly status?: number
  readonly headers?: HttpResponse['headers']
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** HTTP that answers by a function and remembers what it was asked: for what no server on loopback can be. */
export function scriptedHttp(
  answer: (request: HttpRequest, number: number) => Scripted | Error,
): Http & {readonly asked: HttpRequest[]} {
  const asked: HttpRequest[] = []
  return {
    asked,
    send: request => {
      asked.push(request)
      const scripted = answer(request, asked.length)
      if (scripted instanceof Error) return Promise.reject(scripted)
      const {status = 200, headers = {}, body = ''} = scripted
      return Promise.resolve({status, headers, body: bodyOf(body)})
    },
  } satisfies Http & {asked: HttpRequest[]}
}

function bodyOf(body: NonNullable<Scripted['body']>): AsyncIterable<Uint8Array> {
  return typeof body === 'string' || body instanceof Uint8Array ? chunked(Buffer.from(body)) : body
}
