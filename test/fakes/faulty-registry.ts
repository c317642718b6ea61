import {request as httpRequest} from 'node:http'
import type {IncomingMessage, OutgoingHttpHeaders, ServerResponse} from 'node:http'
import {once} from 'node:events'
import {bytesOf} from '../fetch/fake-sources.js'
import {closed, listening, originOf} from './registry-server.js'

/** An answer on its way through the proxy. `isCut` resets the connection behind its body, `isLost` before it. */
export interface Answer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
  readonly isCut?: boolean
  readonly isLost?: boolean
}

/** The request it answers; `number` counts those to the same path from 1. */
export interface Passing {
  readonly method: string
  readonly path: string
  readonly number: number
  readonly authorization: string | undefined
  readonly origin: string
}

/** What goes wrong: the answer as the registry behind gave it, and what comes out instead. */
export type Diagnostic = (answer: Answer, request: Passing) => Answer

/** A proxy that listens before a registry. */
export interface FaultyRegistry {
  readonly host: string
  /** `GET /v2/…` of all requests, in their order. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

/** Starts a proxy before the registry at `host` that does to every answer what the fault says. */
export async function startFaulty(host: string, fault: Diagnostic): Promise<FaultyRegistry> {
  const requests: string[] = []
  const server = await listening(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const line = `${request.method ?? ''} ${path}`
    requests.push(line)
    const {authorization} = request.headers
    const origin = originOf(server)
    const number = requests.filter(each => each.endsWith(` ${path}`)).length
    const answer = await passedOn(request, host)
    send(response, fault(answer, {method: request.method ?? '', path, number, authorization, origin}))
  })
  return {host: new URL(originOf(server)).host, requests, close: () => closed(server)}
}

async function passedOn(request: IncomingMessage, host: string): Promise<Answer> {
  const {method, headers, url = ''} = request
  const outgoing = httpRequest(`http://${host}${url}`, {method, headers})
  outgoing.end(await bytesOf(request))
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return {status: incoming.statusCode ?? 0, headers: incoming.headers, body: await bytesOf(incoming)}
}

function send(response: ServerResponse, {status, headers, body, isCut, isLost}: Answer): void {
  if (isLost === true) {
    response.destroy()
    return
  }
  response.writeHead(status, headers)
  if (isCut === true) response.write(body, () => setImmediate(() => response.destroy()))
  else response.end(body)
}
