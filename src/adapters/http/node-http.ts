import {request as httpRequest} from 'node:http'
import {request as httpsRequest} from 'node:https'
import type {IncomingMessage} from 'node:http'
import {CrossplaneError} from '../../errors.js'
import type {Http, HttpRequest, HttpResponse} from '../../registry/http.js'

/** Speaks HTTP as Node does. */
export function nodeHttp(): Http {
  return {send}
}

function send({method, url, headers, body}: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    const length = body === undefined ? {} : {'content-length': String(body.size)}
    const outgoing = request(url, {method, headers: {...headers, ...length}})
    outgoing.on('response', answer => resolve(toResponse(answer)))
    outgoing.on('error', cause => reject(unreachable(url, cause)))
    void write(outgoing, body).catch((error: unknown) => outgoing.destroy(error as Error))
  })
}

async function write(outgoing: ReturnType<typeof httpRequest>, body: HttpRequest['body']): Promise<void> {
  for await (const chunk of body?.open() ?? []) {
    if (!outgoing.write(chunk)) await new Promise(resolve => outgoing.once('drain', resolve))
  }
  outgoing.end()
}

function toResponse(answer: IncomingMessage): HttpResponse {
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return {status: answer.statusCode ?? 0, headers: Object.fromEntries(headers), body: answer}
}

function unreachable(url: URL, cause: unknown): CrossplaneError {
  return new CrossplaneError('registry-unreachable', `${url.host} did not answer`, {cause})
}
