import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {IncomingMessage, ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {buffer} from 'node:stream/consumers'

/** Repositories over smart HTTP. */
export interface GitServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** Serves the repositories of a folder for reading, by git's own CGI program. */
export async function serveGit(folder: string): Promise<GitServer> {
  const server = createServer((request, response) => {
    answer(folder, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const {pathname, search} = new URL(request.url ?? '/', 'http://localhost')
  const {headers} = request
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: [headers['git-protocol']].flat().join(':'),
      HTTP_CONTENT_ENCODING: headers['content-encoding'],
      CONTENT_TYPE: headers['content-type'],
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  request.pipe(child.stdin)
  const output = await buffer(child.stdout)
  const end = output.indexOf('\r\n\r\n')
  const fields = output
    .subarray(0, end)
    .toString('latin1')
    .split('\r\n')
    .map(line => line.split(': ', 2) as [string, string])
  const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200'
  response.writeHead(Number.parseInt(status, 10), fields.filter(([name]) => name !== 'Status').flat())
  response.end(output.subarray(end + 4))
}
