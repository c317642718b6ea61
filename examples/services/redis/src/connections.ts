import {isDeepStrictEqual} from 'node:util'
import {type RedisAddress, RedisConnection} from './connection.js'

interface Opened {
  readonly address: RedisAddress
  readonly connection: Promise<RedisConnection>
}

/** Keeps one connection for each provider, as long as its credentials stay the same. */
export class Connections {
  readonly #opened = new Map<string, Opened>()

  /** Returns the connection of a provider; opens it if it is closed. */
  async get(provider: string, credentials: Uint8Array, signal: AbortSignal): Promise<RedisConnection> {
    const address = addressIn(credentials)
    const before = this.#opened.get(provider)
    if (before !== undefined && isDeepStrictEqual(before.address, address)) {
      const connection = await before.connection.catch(() => undefined)
      if (connection?.isOpen === true) return connection
    }
    return await this.#open(provider, address, signal)
  }

  async #open(provider: string, address: RedisAddress, signal: AbortSignal): Promise<RedisConnection> {
    const before = this.#opened.get(provider)
    void before?.connection.then(connection => connection.close()).catch(() => undefined)
    const opened = {address, connection: RedisConnection.open(address, signal)}
    this.#opened.set(provider, opened)
    return await opened.connection
  }
}

/** Reads `redis://USER:PASSWORD@HOST:PORT`, or `rediss://` for TLS. Messages must not contain it. */
export function addressIn(credentials: Uint8Array): RedisAddress {
  const text = Buffer.from(credentials).toString('utf8').trim()
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') {
    throw new Error('the credentials are not redis://USER:PASSWORD@HOST:PORT')
  }
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    tls: url.protocol === 'rediss:',
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
  }
}
