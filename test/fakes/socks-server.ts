import {connect, createServer, type Server, type Socket} from 'node:net'

/** A SOCKS 5 proxy without authentication. Every name leads to loopback. */
export interface SocksServer {
  readonly server: Server
  /** What it was asked for, in order: `host:port`. */
  readonly asked: string[]
}

/** https://www.rfc-editor.org/rfc/rfc1928: CONNECT to a name or an IPv4 address, each message in one chunk. */
export function socksServer(): SocksServer {
  const asked: string[] = []
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', request => {
        const {host, port} = destinationIn(request)
        asked.push(`${host}:${port}`)
        tunnel(socket, port)
      })
    })
  })
  return {server, asked}
}

function destinationIn(request: Buffer): {host: string; port: number} {
  const isName = request[3] === 3
  const end = isName ? 5 + (request[4] ?? 0) : 8
  const host = isName ? request.subarray(5, end).toString() : request.subarray(4, end).join('.')
  return {host, port: request.readUInt16BE(end)}
}

function tunnel(socket: Socket, port: number): void {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
    onward.pipe(socket).pipe(onward)
  })
  onward.on('error', () => socket.destroy())
  socket.on('close', () => onward.destroy())
}
