import {createServer, request} from 'node:http'
import type {Server} from 'node:http'
import {connect} from 'node:net'

/** A proxy as companies have them: it tunnels (CONNECT), and fetches plain HTTP by whole URLs. */
export interface ProxyServer {
  readonly server: Server
  /** What it was asked for, in order: `CONNECT host:port` or `GET http://…`. */
  readonly asked: readonly string[]
}

/**
 * Wants `NAME:PASSWORD` if given. Every name leads to loopback, so that hosts which do not exist can be reached through
 * it alone. A `refusal` is the status it answers everything with.
 */
export function proxyServer({account, refusal}: {account?: string; refusal?: number} = {}): ProxyServer {
  const asked: string[] = []
  const requested = account === undefined ? undefined : `Basic ${Buffer.from(account).toString('base64')}`
  const denial = (headers: NodeJS.Dict<string | string[]>) =>
    refusal ?? (requested === undefined || headers['proxy-authorization'] === requested ? undefined : 407)
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`)
    const status = denial(incoming.headers)
    if (status !== undefined) return outgoing.writeHead(status).end()
    const url = new URL(incoming.url ?? '')
    const {'proxy-authorization': _, ...headers} = incoming.headers
    const options = {host: '127.0.0.1', port: url.port, path: url.pathname, method: incoming.method, headers}
    const onward = request(options, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    return incoming.pipe(onward)
  })
  server.on('connect', (incoming, socket, head) => {
    asked.push(`CONNECT ${incoming.url ?? ''}`)
    const status = denial(incoming.headers)
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const port = Number(/:(\d+)$/.exec(incoming.url ?? '')?.[1])
    const onward = connect(port, incoming.url?.startsWith('[') === true ? '::1' : '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    return socket.on('error', () => onward.destroy())
  })
  return {server, asked}
}
