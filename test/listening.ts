import {afterAll} from '@jest/globals'
import {once} from 'node:events'
import type {AddressInfo, Server, Socket} from 'node:net'

/** Lets a server listen on loopback; its port. */
export type Listen = (server: Server, host?: string) => Promise<number>

/** Servers of the tests of a file or describe, which end after the last of them. */
export function listener(): Listen {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  afterAll(() => {
    for (const server of servers) server.close()
    for (const socket of sockets) socket.destroy()
  })
  return async (server, host = '127.0.0.1') => {
    servers.push(server)
    server.on('connection', socket => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    })
    server.listen(0, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
}
