import {connect as connectTcp, type Socket} from 'node:net'
import {connect as connectTls} from 'node:tls'
import {decoded, encoded, RedisError, type Reply} from './resp.js'

/** Longer replies are not those of ACL commands. */
const MAX_REPLY = 1 << 20

interface Waiting {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
}

/** Where a Redis server is, and the user who changes its ACL. */
export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly username: string
  readonly password: string
}

/** A connection to a Redis server. Replies come in the order of commands, so commands do not wait for each other. */
export class RedisConnection {
  readonly #socket: Socket
  readonly #waiting: Waiting[] = []
  #data: Buffer = Buffer.alloc(0)
  #failure: Error | undefined

  private constructor({host, port, tls}: RedisAddress) {
    this.#socket = tls ? connectTls({host, port, servername: host}) : connectTcp({host, port})
    // An idle connection does not keep the process running.
    this.#socket.unref()
    this.#socket.on('data', data => this.#receive(data))
    this.#socket.on('error', error => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  /** Connects and logs in. */
  static async open(address: RedisAddress, signal: AbortSignal): Promise<RedisConnection> {
    const connection = new RedisConnection(address)
    const {username, password} = address
    await connection.send(['AUTH', username, password], signal)
    return connection
  }

  /** Whether commands can be sent. */
  get isOpen(): boolean {
    return this.#failure === undefined
  }

  /** Sends a command; throws the error that the server returns. */
  async send(command: readonly string[], signal: AbortSignal): Promise<Reply> {
    const [reply = null] = await this.sendAll([command], signal)
    return reply
  }

  /** Sends commands without those of others between them. An abort closes the connection. */
  async sendAll(commands: readonly (readonly string[])[], signal: AbortSignal): Promise<readonly Reply[]> {
    if (this.#failure !== undefined) throw this.#failure
    const abort = () => this.#fail(new Error('no reply in time'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, {once: true})
    const replies = commands.map(
      () => new Promise<Reply>((resolve, reject) => this.#waiting.push({resolve, reject})),
    )
    this.#socket.write(commands.map(encoded).join(''))
    try {
      const settled = await Promise.all(replies)
      const error = settled.find(reply => reply instanceof RedisError)
      if (error !== undefined) throw error
      return settled
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** Ends what is sent at the moment with an error. */
  close(): void {
    this.#fail(new Error('the connection was closed'))
  }

  #receive(data: Buffer): void {
    this.#data = Buffer.concat([this.#data, data])
    try {
      for (let next = decoded(this.#data); next !== undefined; next = decoded(this.#data)) {
        this.#data = this.#data.subarray(next.end)
        this.#take(next.reply)
      }
      if (this.#data.length > MAX_REPLY) throw new Error(`a reply is longer than ${MAX_REPLY} bytes`)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Before it closes a connection, a full server returns an error to a command that it has not read. */
  #take(reply: Reply): void {
    const first = this.#waiting.shift()
    if (first === undefined)
      this.#fail(reply instanceof RedisError ? reply : new Error('an unexpected reply'))
    else first.resolve(reply)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#socket.destroy()
    for (const {reject} of this.#waiting.splice(0)) reject(this.#failure)
  }
}
