import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

/** A server in plain HTTP on loopback, and the requests that it received. */
export interface AnsweringServer {
  readonly host: string
  readonly seen: readonly {readonly url: string}[]
  close(): Promise<void>
}

/** Starts a server that answers every request with a status; without one, it never answers. */
export async function answeringServer(status: number | undefined): Promise<AnsweringServer> {
  const seen: {url: string}[] = []
  const server = createServer((request, response) => {
    seen.push({url: request.url ?? ''})
    if (status !== undefined) response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    seen,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
