import {afterEach, beforeAll, describe, expect, it} from '@jest/globals'
import {once} from 'node:events'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {createServer} from 'node:https'
import {createServer as createTcpServer} from 'node:net'
import type {Socket} from 'node:net'
import type {TLSSocket} from 'node:tls'
import {apiServerHttp} from '../../../src/adapters/http/api-server-http.js'
import type {ApiServerOptions} from '../../../src/http/api-server-options.js'
import {freePort} from '../../cluster/free-port.js'
import {proxyServer} from '../../fakes/proxy-server.js'
import {listener} from '../../listening.js'
import {missingTool} from '../../missing-tool.js'
import {LOOPBACK, privateAuthority} from '../../private-authority.js'
import type {Certificate, PrivateAuthority} from '../../private-authority.js'
import {describeReal} from '../../real-parts.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {exchange} from './exchange.js'

const folder = temporaryFolder()
const otherFolder = temporaryFolder()
const listening = listener()

/** What a server knows of the client on a socket. */
type TlsPeer = Pick<TLSSocket, 'servername' | 'getPeerCertificate'>
type Handler = (incoming: IncomingMessage, answer: ServerResponse) => unknown

describeReal('a connection to an API server', missingTool('openssl'), () => {
  let authority: PrivateAuthority
  let other: PrivateAuthority
  let good: Certificate
  const failures: unknown[] = []
  beforeAll(() => {
    authority = privateAuthority(folder)
    other = privateAuthority(otherFolder)
    good = authority.issue('good', LOOPBACK)
  })
  afterEach(() => {
    const said = JSON.stringify(failures.splice(0))
    expect(said).not.toMatch(/registr|--ca-file|--client-cert|--plain-http/i)
  })

  /** What came of a request: failures are told in the terms of a kubeconfig. */
  async function outcomeOf(options: ApiServerOptions, url: string) {
    const end = await exchange(apiServerHttp(options), url)
    if ('code' in end) failures.push(end)
    return end
  }
  const failed = (code: string, ...said: readonly string[]) => ({
    code,
    said: expect.stringMatching(said.join('.*')),
  })
  const serve = async (certificate: Certificate, handler: Handler, more = {}) =>
    await listening(createServer({cert: certificate.cert, key: certificate.key, ...more}, handler))
  const hello: Handler = (_, answer) => answer.end('hello')
  const answered = {status: 200, body: 'hello'}

  describe('with a server certificate', () => {
    const ports: Record<string, number> = {}
    beforeAll(async () => {
      ports.good = await serve(good, hello)
      ports.expired = await serve(authority.issue('old', LOOPBACK, -1), hello)
      ports.named = await serve(
        authority.issue('named', ['DNS:kubernetes.example.org', 'IP:192.0.2.1']),
        ({socket}, answer) => answer.end(String((socket as unknown as TlsPeer).servername)),
      )
    })

    it.each([
      {
        name: 'good',
        reason: 'its CA is given',
        options: () => ({authorities: authority.cert}),
        want: answered,
      },
      {
        name: 'good',
        reason: 'one of two CAs, between notes',
        options: () => ({authorities: `the first\n${other.cert}the second\r\n${authority.cert}`}),
        want: answered,
      },
      {
        name: 'good',
        reason: 'given itself, which kubectl trusts',
        options: () => ({authorities: good.cert}),
        want: answered,
      },
      {
        name: 'good',
        reason: 'another CA is given, and only that is trusted',
        options: () => ({authorities: other.cert}),
        want: failed('tls-refused', 'signed by an unknown authority', 'certificate-authority-data'),
      },
      {
        name: 'good',
        reason: 'the usual CAs did not sign it',
        options: () => ({}),
        want: failed('tls-refused', 'signed by an unknown authority', 'certificate-authority-data'),
      },
      {name: 'good', reason: 'nothing is verified', options: () => ({insecure: true}), want: answered},
      {
        name: 'good',
        reason: 'the data is not a certificate',
        options: () => ({authorities: good.key}),
        want: failed('usage', 'CA certificates of the kubeconfig', 'certificate-authority-data'),
      },
      {
        name: 'expired',
        reason: 'too late',
        options: () => ({authorities: authority.cert}),
        want: failed('tls-refused', 'has expired', 'administrator of the cluster'),
      },
      {
        name: 'named',
        reason: 'for another host',
        options: () => ({authorities: authority.cert}),
        want: failed('tls-refused', 'for another host', 'tls-server-name'),
      },
      {
        name: 'named',
        reason: 'for the server name, which is sent to the server',
        options: () => ({authorities: authority.cert, serverName: 'kubernetes.example.org'}),
        want: {status: 200, body: 'kubernetes.example.org'},
      },
      {
        name: 'named',
        reason: 'for the address, which is not sent as a server name',
        options: () => ({authorities: authority.cert, serverName: '192.0.2.1'}),
        want: {status: 200, body: 'false'},
      },
      {
        name: 'good',
        reason: 'not for the server name, though for the host',
        options: () => ({authorities: authority.cert, serverName: 'kubernetes.example.org'}),
        want: failed('tls-refused', 'for another host', 'tls-server-name'),
      },
    ])('$name: $reason', async ({name, options, want}) => {
      expect(await outcomeOf(options(), `https://localhost:${ports[name]}/`)).toEqual(want)
    })
  })

  describe('with a client certificate', () => {
    const nameOf: Handler = ({socket}, answer) => {
      const {subject} = (socket as unknown as TlsPeer).getPeerCertificate() as {subject?: {CN?: string}}
      answer.end(subject?.CN ?? 'none')
    }

    it.each([
      {name: 'given', reason: 'it authenticates', key: 'client', want: {status: 200, body: 'client'}},
      {name: 'absent', reason: 'a token does', key: undefined, want: {status: 200, body: 'none'}},
      {
        name: 'with the key of another',
        reason: 'proves nothing',
        key: 'good',
        want: failed('usage', 'client certificate of the kubeconfig', 'client-key-data'),
      },
    ])('$name: $reason', async ({key, want}) => {
      const client = authority.issue('client', ['DNS:client.example.org'])
      const port = await serve(good, nameOf, {
        ca: authority.cert,
        requestCert: true,
        rejectUnauthorized: false,
      })
      const pair = {cert: client.cert, key: key === 'client' ? client.key : good.key}
      const clientCertificate = key === undefined ? undefined : pair
      const end = await outcomeOf(
        {authorities: authority.cert, clientCertificate},
        `https://localhost:${port}/`,
      )
      expect(end).toEqual(want)
    })

    it('succeeds where the server requires one', async () => {
      const port = await serve(good, hello, {ca: authority.cert, requestCert: true})
      const end = await outcomeOf({authorities: authority.cert}, `https://localhost:${port}/`)
      expect(end).toEqual(failed('access-denied', 'client certificate', 'client-certificate-data'))
    })
  })

  describe('through a proxy', () => {
    it('uses the proxy of the kubeconfig for loopback, too, with the password of the proxy', async () => {
      const port = await serve(good, ({headers}, answer) => answer.end(JSON.stringify(headers)))
      const proxy = proxyServer({account: 'anna:secret'})
      const at = new URL(`http://anna:secret@127.0.0.1:${await listening(proxy.server)}`)
      const options = {authorities: authority.cert, serverName: 'localhost', proxyFor: () => at}
      const end = await outcomeOf(options, `https://127.0.0.1:${port}/api`)
      expect(end).toEqual({
        status: 200,
        body: JSON.stringify({host: `127.0.0.1:${port}`, connection: 'keep-alive'}),
      })
      expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${port}`])
    })

    it('trusts a TLS proxy by the CA of the kubeconfig, and does not send it the client certificate', async () => {
      const port = await serve(good, hello)
      const tunnel = proxyServer()
      const shown: unknown[] = []
      const wish = {ca: authority.cert, requestCert: true, rejectUnauthorized: false}
      const proxy = createServer({cert: good.cert, key: good.key, ...wish})
      proxy.on('connect', (incoming: IncomingMessage, socket: TLSSocket, head: Buffer) => {
        shown.push(socket.getPeerCertificate())
        tunnel.server.emit('connect', incoming, socket, head)
      })
      const at = new URL(`https://localhost:${await listening(proxy)}`)
      const options = {authorities: authority.cert, clientCertificate: good, proxyFor: () => at}
      expect(await outcomeOf(options, `https://localhost:${port}/`)).toEqual(answered)
      expect(shown).toEqual([{}])
      const stranger = await outcomeOf({...options, authorities: other.cert}, `https://localhost:${port}/`)
      expect(stranger).toEqual(failed('tls-refused', 'through the proxy', 'certificate-authority-data'))
    })

    it.each([
      {
        name: 'requires a password',
        reason: '407',
        proxy: {account: 'a:b'},
        want: ['access-denied', 'proxy-url'],
      },
      {
        name: 'forbids it',
        reason: '403',
        proxy: {refusal: 403},
        want: ['access-denied', 'proxy-url', 'NO_PROXY'],
      },
      {
        name: 'is in trouble',
        reason: '503',
        proxy: {refusal: 503},
        want: ['cluster-unreachable', 'proxy-url'],
      },
    ])('$name: $reason', async ({proxy, want: [code = '', ...said]}) => {
      const at = new URL(`http://127.0.0.1:${await listening(proxyServer(proxy).server)}`)
      const end = await outcomeOf({proxyFor: () => at}, 'https://kubernetes.example.org/')
      expect(end).toEqual(failed(code, ...said))
    })
  })

  describe('that is kept open', () => {
    it('is reused, and eight concurrent requests use eight', async () => {
      const sockets = new Set<Socket>()
      const port = await serve(good, ({socket}, answer) => {
        sockets.add(socket)
        setTimeout(() => answer.end('hello'), 5)
      })
      const http = apiServerHttp({authorities: authority.cert})
      const lane = async () => {
        for (let left = 10; left > 0; left--) {
          expect(await exchange(http, `https://localhost:${port}/`)).toEqual(answered)
        }
      }
      await Promise.all(Array.from({length: 8}, lane))
      expect(sockets.size).toBeLessThanOrEqual(8)
    })

    it.each([
      {
        name: 'is refused',
        reason: 'nothing listens',
        peer: freePort,
        want: failed('cluster-unreachable', 'connection refused', 'kubectl config view --minify'),
      },
      {
        name: 'is closed',
        reason: 'no answer',
        peer: () => serve(good, ({socket}) => socket.destroy()),
        want: failed('cluster-unreachable', 'cannot connect to localhost'),
      },
      {
        name: 'has no TLS',
        reason: 'the port of something else',
        peer: () => listening(createTcpServer(socket => socket.end('HTTP/1.1 400 No\r\n\r\n'))),
        want: failed('tls-refused', 'does not support TLS', 'kubeconfig'),
      },
      {
        name: 'has no HTTP',
        reason: 'garbage',
        peer: () => serve(good, ({socket}) => socket.end('SSH-2.0\r\n')),
        want: failed('cluster-failed', 'not HTTP'),
      },
      {
        name: 'is never made',
        reason: 'the peer does not shake hands',
        peer: () => listening(createTcpServer()),
        want: failed('timeout', 'for 0.2s', 'network connection'),
      },
    ])('$name: $reason', async ({peer, want}) => {
      const options = {authorities: authority.cert, connectMs: 200}
      expect(await outcomeOf(options, `https://localhost:${await peer()}/`)).toEqual(want)
    })
  })

  describe('with a slow response', () => {
    /** Sends the head of its answer and a first event, and after a while a second one. */
    const watch: Handler = (_, answer) => {
      answer.write('first ')
      setTimeout(() => answer.end('second'), 400)
    }
    const webhook: Handler = (_, answer) => setTimeout(() => answer.end('first second'), 400)

    it.each([
      {
        name: 'a watch',
        reason: 'the connection can be idle',
        handler: watch,
        sent: {idleMs: 60_000},
        isWhole: true,
      },
      {name: 'a watch', reason: 'the client is impatient', handler: watch, sent: {}, isWhole: false},
      {
        name: 'a webhook',
        reason: 'the request can wait',
        handler: webhook,
        sent: {idleMs: 60_000},
        isWhole: true,
      },
      {name: 'a webhook', reason: 'the client is impatient', handler: webhook, sent: {}, isWhole: false},
    ])('$name: $reason', async ({handler, sent, isWhole}) => {
      const port = await serve(good, handler)
      const http = apiServerHttp({authorities: authority.cert, idleMs: 100})
      const end = await exchange(http, `https://localhost:${port}/`, sent)
      expect(end).toEqual(isWhole ? {status: 200, body: 'first second'} : failed('timeout', 'for 0.1s'))
    })
  })

  describe('whose request is aborted', () => {
    const reason = new RangeError('seen enough')

    it('ends before the request is sent', async () => {
      const url = `https://localhost:${await serve(good, hello)}/`
      const http = apiServerHttp({authorities: authority.cert})
      await expect(exchange(http, url, {signal: AbortSignal.abort(reason)})).rejects.toBe(reason)
    })

    it('ends while there is no response', async () => {
      const stop = new AbortController()
      const closed: Promise<unknown>[] = []
      const port = await serve(good, ({socket}) => {
        closed.push(once(socket, 'close'))
        stop.abort(reason)
      })
      const http = apiServerHttp({authorities: authority.cert})
      await expect(exchange(http, `https://localhost:${port}/`, {signal: stop.signal})).rejects.toBe(reason)
      await Promise.all(closed)
      expect(closed.length).toBe(1)
    })

    it('ends while it waits for the next event', async () => {
      const stop = new AbortController()
      const port = await serve(good, (_, answer) => answer.write('first'))
      const url = new URL(`https://localhost:${port}/`)
      const http = apiServerHttp({authorities: authority.cert})
      const {body} = await http.send({method: 'GET', url, headers: {}, signal: stop.signal})
      const read = async () => {
        for await (const chunk of body) if (chunk.length > 0) stop.abort(reason)
      }
      await expect(read()).rejects.toBe(reason)
    })

    it('is reusable if the response was complete', async () => {
      const stop = new AbortController()
      const sockets = new Set<Socket>()
      const port = await serve(good, ({socket}, answer) => {
        sockets.add(socket)
        answer.end('hello')
      })
      const http = apiServerHttp({authorities: authority.cert})
      const url = `https://localhost:${port}/`
      expect(await exchange(http, url, {signal: stop.signal})).toEqual(answered)
      stop.abort(reason)
      expect(await exchange(http, url)).toEqual(answered)
      expect(sockets.size).toBe(1)
    })
  })
})
