import {spawn} from 'node:child_process'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'

/** Serves the repositories below a folder over smart HTTP, by `git http-backend`. */
export interface HttpBackend {
  /** Such as `127.0.0.1:40123`. */
  readonly host: string
  close(): Promise<void>
}

/** Starts a server; with `password`, every request needs it and the user `user`. */
export async function httpBackend(root: string, password?: string): Promise<HttpBackend> {
  const expected = `Basic ${Buffer.from(`user:${password ?? ''}`).toString('base64')}`
  const server = createServer((request, response) => {
    if (password === undefined || request.headers.authorization === expected) serve(root, request, response)
    else response.writeHead(401, {'WWW-Authenticate': 'Basic realm="git"'}).end()
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const {port} = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Runs the CGI program and passes its headers and its body on. */
function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const {pathname, search} = new URL(request.url ?? '/', 'http://localhost')
  const {headers, method = 'GET'} = request
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: method,
      REMOTE_USER: 'user',
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      ...(headers['content-length'] === undefined ? {} : {CONTENT_LENGTH: headers['content-length']}),
    },
  })
  request.pipe(backend.stdin).on('error', () => undefined)
  const chunks: Buffer[] = []
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  backend.on('close', () => {
    const output = Buffer.concat(chunks)
    const end = output.indexOf('\r\n\r\n')
    const lines = output.subarray(0, Math.max(0, end)).toString().split('\r\n')
    const fields = lines.map(
      line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const,
    )
    const status = Number(fields.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200)
    response.writeHead(
      status,
      Object.fromEntries(fields.filter(([name]) => name !== '' && name !== 'Status')),
    )
    response.end(output.subarray(end + 4))
  })
}
