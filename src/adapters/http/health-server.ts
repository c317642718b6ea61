import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import type {Served, ServeHealth} from '../../reconcile/health-server.js'

/** Serves `/healthz`, `/readyz` and `/metrics`. */
export const serveHealth: ServeHealth = async ({host, port}, served) => {
  const server = createServer((request, response) => {
    void answer(request.url ?? '', response, served)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const {address, port: bound, family} = server.address() as AddressInfo
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

async function answer(url: string, response: ServerResponse, served: Served): Promise<void> {
  const [path] = url.split('?')
  if (path === '/healthz') return send(response, 200, 'ok\n')
  if (path === '/readyz') {
    const reason = served.notReady()
    return reason === undefined ? send(response, 200, 'ok\n') : send(response, 503, `${reason}\n`)
  }
  if (path !== '/metrics') return send(response, 404, 'not found\n')
  const {type, text} = await served.metrics()
  return send(response, 200, text, type)
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, {'content-type': type}).end(text)
}
