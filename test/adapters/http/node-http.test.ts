import {beforeAll, describe, expect, it} from '@jest/globals'
import {createServer} from 'node:http'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {createServer as createTcpServer} from 'node:net'
import type {Socket} from 'node:net'
import {setTimeout as sleep} from 'node:timers/promises'
import {text} from 'node:stream/consumers'
import {nodeHttp} from '../../../src/adapters/http/node-http.js'
import {freePort} from '../../cluster/free-port.js'
import {listener} from '../../listening.js'
import {exchange} from './exchange.js'

const listening = listener()
const url = (port: number, path = '/') => `http://127.0.0.1:${port}${path}`

describe('an HTTP exchange', () => {
  let port = 0
  const connections = new Set<Socket>()
  beforeAll(async () => {
    port = await listening(createServer((incoming, answer) => void answerTo(incoming, answer)))
  })
  async function answerTo(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    connections.add(incoming.socket)
    const {method, url: path, headers} = incoming
    const {'content-length': size, host, connection: _, ...others} = headers
    answer.setHeader('x-twice', ['a', 'b'])
    answer.end(JSON.stringify({method, path, size, host, others, body: await text(incoming)}))
  }

  it('sends a list of values as one header for each', async () => {
    const server = createServer((incoming, answer) => answer.end(JSON.stringify(incoming.headersDistinct)))
    const sent = await exchange(nodeHttp(), url(await listening(server)), {
      headers: {'x-group': ['a', 'b, c']},
    })
    expect('body' in sent && JSON.parse(sent.body)).toMatchObject({'x-group': ['a', 'b, c']})
  })

  it('sends the given request without additional headers', async () => {
    const body = {
      size: 6,
      async *open() {
        yield await Promise.resolve(Buffer.from('one'))
        yield Buffer.from('two')
      },
    }
    const sent = {method: 'PUT', url: new URL(url(port, '/a?b=c')), headers: {accept: 'd'}, body} as const
    const {status, headers, body: answer} = await nodeHttp().send(sent)
    expect({status, twice: headers['x-twice'], body: JSON.parse(await text(answer)) as unknown}).toEqual({
      status: 200,
      twice: 'a, b',
      body: {
        method: 'PUT',
        path: '/a?b=c',
        size: '6',
        host: `127.0.0.1:${port}`,
        others: {accept: 'd'},
        body: 'onetwo',
      },
    })
  })

  it('reuses the connection', async () => {
    connections.clear()
    const http = nodeHttp()
    for (const path of ['/1', '/2', '/3']) await exchange(http, url(port, path))
    expect(connections.size).toBe(1)
  })

  it('transfers large bodies completely, whatever the size of their chunks', async () => {
    const chunk = Buffer.alloc(1_000_000, 'x')
    const body = {size: 2 * chunk.length, open: () => chunks([chunk, chunk])}
    const answer = await exchange(nodeHttp(), url(port), {method: 'POST', body})
    expect(answer).toMatchObject({status: 200, body: expect.stringContaining(chunk.toString())})
  })

  it('fails with the error of the body if that cannot be read', async () => {
    const body = {size: 6, open: () => chunks([Buffer.from('one')], new RangeError('the source is gone'))}
    const failure = await exchange(nodeHttp(), url(port), {method: 'POST', body})
    expect(failure).toMatchObject({code: 'registry-unreachable'})
  })
})

async function* chunks(all: readonly Uint8Array[], error?: Error): AsyncGenerator<Uint8Array> {
  for (const chunk of all) yield await Promise.resolve(chunk)
  if (error !== undefined) throw error
}

/** A peer that answers any request in its own way. */
async function peer(says: (socket: Socket) => unknown): Promise<number> {
  return await listening(createTcpServer(socket => socket.once('data', () => says(socket))))
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n'

describe('an unusual or failing server', () => {
  it.each([
    {name: 'hangs up', reason: 'no answer', says: (s: Socket) => s.destroy(), want: 'registry-unreachable'},
    {
      name: 'resets',
      reason: 'no answer',
      says: (s: Socket) => s.resetAndDestroy(),
      want: 'registry-unreachable',
    },
    {
      name: 'resets amid the body',
      reason: 'half an answer',
      says: (s: Socket) => s.write(`${HEAD}\r\nhalf`, () => setTimeout(() => s.resetAndDestroy(), 20)),
      want: 'registry-unreachable',
    },
    {
      name: 'ends amid the body',
      reason: 'half an answer',
      says: (s: Socket) => s.end(`${HEAD}\r\nhalf`),
      want: 'registry-unreachable',
    },
    {
      name: 'ends amid a chunk',
      reason: 'half an answer',
      says: (s: Socket) => s.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf'),
      want: 'registry-unreachable',
    },
    {
      name: 'does not use HTTP',
      reason: 'garbage',
      says: (s: Socket) => s.end('SSH-2.0\r\n'),
      want: 'registry-failed',
    },
    {
      name: 'sends headers without end',
      reason: 'they are held in memory',
      says: (s: Socket) => s.end(`${HEAD}x: ${'x'.repeat(40_000)}\r\n\r\n0123456789`),
      want: 'registry-failed',
    },
    {
      name: 'switches to another protocol',
      reason: 'Node does not report it',
      says: (s: Socket) => s.write('HTTP/1.1 101 Yes\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      want: 'registry-unreachable',
    },
    {name: 'sends nothing', reason: 'timeout', says: () => undefined, want: 'timeout'},
    {
      name: 'stops amid the headers',
      reason: 'timeout',
      says: (s: Socket) => s.write(HEAD),
      want: 'timeout',
    },
    {
      name: 'stops amid the body',
      reason: 'timeout',
      says: (s: Socket) => s.write(`${HEAD}\r\nhalf`),
      want: 'timeout',
    },
  ])('$name: $reason', async ({says, want}) => {
    const port = await peer(says)
    const http = nodeHttp(want === 'timeout' ? {timeoutMs: 100} : {})
    const failure = await exchange(http, url(port, '/secret?signature=secret'))
    expect(failure).toEqual({code: want, said: expect.stringContaining(`127.0.0.1:${port}`)})
    expect(JSON.stringify(failure)).not.toContain('secret')
  })

  it('times out if it reads no part of a large body', async () => {
    const port = await peer(socket => socket.pause())
    const chunk = Buffer.alloc(1024 * 1024)
    const body = {size: 64 * chunk.length, open: () => chunks(Array<Buffer>(64).fill(chunk))}
    const failure = await exchange(nodeHttp({timeoutMs: 300}), url(port), {method: 'PUT', body})
    expect(failure).toMatchObject({code: 'timeout'})
  })

  it('succeeds if each byte arrives within the time limit, even if all of them take longer', async () => {
    const port = await peer(socket => void drip(socket))
    const answer = await exchange(nodeHttp({timeoutMs: 1000}), url(port))
    expect(answer).toEqual({status: 200, body: '0123456789'})
  })

  async function drip(socket: Socket): Promise<void> {
    socket.write(`${HEAD}\r\n`)
    for (const digit of '0123456789') {
      socket.write(digit)
      await sleep(150)
    }
  }

  it('does not time out because of a slow reader', async () => {
    const port = await peer(socket => socket.write(`${HEAD}\r\n0123456789`))
    const sent = {method: 'GET', url: new URL(url(port)), headers: {}} as const
    const {body} = await nodeHttp({timeoutMs: 100}).send(sent)
    await sleep(300)
    expect(await text(body)).toBe('0123456789')
  })

  it('that responds without reading the body stops the upload', async () => {
    const port = await peer(socket => {
      socket.pause()
      socket.write('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno')
    })
    let leave = (): void => undefined
    const left = new Promise<void>(resolve => (leave = resolve))
    const body = {
      size: 2 ** 40,
      async *open() {
        try {
          for (;;) yield await Promise.resolve(Buffer.alloc(64 * 1024))
        } finally {
          leave()
        }
      },
    }
    const answer = await exchange(nodeHttp(), url(port), {method: 'PUT', body})
    expect(answer).toEqual({status: 403, body: 'no'})
    await left
  })

  it('sees the connection close when the rest of a body is not read', async () => {
    const closed: Promise<void>[] = []
    const port = await peer(socket => {
      closed.push(new Promise(resolve => socket.on('close', () => resolve())))
      socket.write('HTTP/1.1 200 OK\r\n\r\nendless')
    })
    const {body} = await nodeHttp().send({method: 'GET', url: new URL(url(port)), headers: {}})
    for await (const chunk of body) if (chunk.length > 0) break
    await Promise.all(closed)
    expect(closed.length).toBe(1)
  })

  it.each([
    {
      name: 'an unknown host',
      reason: 'RFC 6761 keeps the name free',
      host: 'registry.invalid',
      says: /host|name/,
    },
    {name: 'nothing listens', reason: 'a port that is free', host: '127.0.0.1', says: /connection refused/},
    {
      name: 'nothing listens on either address',
      reason: 'both are tried',
      host: 'localhost',
      says: /connection refused/,
    },
  ])('is unreachable: $name ($reason)', async ({host, says}) => {
    const failure = await exchange(nodeHttp(), `http://${host}:${await freePort()}/`)
    expect(failure).toEqual({code: 'registry-unreachable', said: expect.stringMatching(says)})
  })
})
