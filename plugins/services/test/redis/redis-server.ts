import {randomUUID} from 'node:crypto'
import {freePort} from '../../../../test/cluster/free-port.js'
import {until} from '../../../../test/cluster/kube.js'
import {openServerGroup} from '../../../../test/cluster/server-group.js'
import {RedisConnection} from '../../../../examples/services/redis/src/connection.js'
import type {Reply} from '../../../../examples/services/redis/src/resp.js'

/** A redis-server on loopback. */
export interface RedisServer {
  readonly url: string
  readonly password: string
  /** Runs a command as the administrator. */
  run(...command: readonly string[]): Promise<Reply>
  /** Logs in; throws what the server returns. */
  login(username: string, password: string): Promise<RedisConnection>
  /** The names of all users but the administrator. */
  users(): Promise<readonly string[]>
  /** Kills it, does something, and starts it again without what it had. */
  restart(work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** A limit for each command, which no server on loopback needs. */
const PATIENCE = 20_000

/** Starts a server without files, whose users are lost with it. */
export async function startRedis(): Promise<RedisServer> {
  const group = await openServerGroup('kubectl-crossplane-redis-')
  const [port, password] = [await freePort(), randomUUID()]
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--requirepass', password]
  await group.start('redis-server', 'redis-server', flags)
  const login = async (username: string, secret: string) => {
    const address = {host: '127.0.0.1', port, tls: false, username, password: secret}
    return await RedisConnection.open(address, AbortSignal.timeout(PATIENCE))
  }
  const run = async (...command: readonly string[]) => {
    const connection = await login('default', password)
    try {
      return await connection.send(command, AbortSignal.timeout(PATIENCE))
    } finally {
      connection.close()
    }
  }
  const serving = async () =>
    await until(
      async () => await run('PING').catch(String),
      reply => reply === 'PONG',
    )
  await serving()
  return {
    url: `redis://default:${password}@127.0.0.1:${port}`,
    password,
    run,
    login,
    users: async () => {
      const users = await run('ACL', 'USERS')
      return (Array.isArray(users) ? users.map(String) : []).filter(user => user !== 'default').sort()
    },
    restart: async work => {
      const start = await group.kill('redis-server')
      await work()
      await start()
      await serving()
    },
    stop: () => group.stop(),
  }
}
