import {beforeAll, describe, expect, it} from '@jest/globals'
import {createServer as createHttpServer} from 'node:http'
import {createServer} from 'node:https'
import type {ServerOptions} from 'node:https'
import type {TLSSocket} from 'node:tls'
import {createServer as createTcpServer} from 'node:net'
import {join} from 'node:path'
import {nodeHttp} from '../../../src/adapters/http/node-http.js'
import {settleScheme} from '../../../src/registry/scheme.js'
import {describeReal} from '../../real-parts.js'
import {listener} from '../../listening.js'
import {missingTool} from '../../missing-tool.js'
import {LOOPBACK, privateAuthority, selfSigned} from '../../private-authority.js'
import type {Certificate, PrivateAuthority} from '../../private-authority.js'
import {outcome} from '../../outcome.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {exchange} from './exchange.js'

const folder = temporaryFolder()
const listening = listener()

describeReal('certificates of servers', missingTool('openssl'), () => {
  let authority: PrivateAuthority
  let good: Certificate
  const ports: Record<string, number> = {}
  beforeAll(async () => {
    authority = privateAuthority(folder)
    good = authority.issue('good', LOOPBACK)
    const serve = (certificate: ServerOptions) =>
      listening(createServer(certificate, (_, answer) => answer.end('hello')))
    const {cert: other, key: otherKey} = authority.issue('other', ['DNS:registry.example.org'])
    const {cert: old, key: oldKey} = authority.issue('old', LOOPBACK, -1)
    const self = selfSigned(folder)
    ports.good = await serve({cert: good.cert, key: good.key})
    ports['for other names'] = await serve({cert: other, key: otherKey})
    ports.expired = await serve({cert: old, key: oldKey})
    ports['self-signed'] = await serve({cert: self.cert, key: self.key})
  })
  const trusting = () => ({authorities: [{path: authority.certFile, source: '--ca-file'}]})

  it.each([
    {name: 'good', reason: 'its authority is trusted', trusts: true, want: {status: 200, body: 'hello'}},
    {
      name: 'good',
      reason: 'its authority is unknown',
      trusts: false,
      says: /signed by an unknown authority.*--ca-file/,
    },
    {
      name: 'for other names',
      reason: 'it is not the one',
      trusts: true,
      says: /is not trusted: it is for another host/,
    },
    {name: 'expired', reason: 'too late', trusts: true, says: /is not trusted: it has expired/},
    {name: 'self-signed', reason: 'no CA signed it', trusts: true, says: /self-signed.*--ca-file/},
  ])('$name: $reason', async ({name, trusts, want, says}) => {
    const http = nodeHttp(trusts ? trusting() : {})
    const url = `https://127.0.0.1:${ports[name]}/`
    const refused = {code: 'tls-refused', said: expect.stringMatching(says ?? '')}
    expect(await exchange(http, url)).toEqual(want ?? refused)
    // A bad certificate must not cause a fallback to plain HTTP.
    const scheme = await outcome(() => settleScheme(http, `127.0.0.1:${ports[name]}`, false))
    expect(scheme).toBe(want === undefined ? 'tls-refused' : 'https')
    expect(await exchange(nodeHttp({insecure: true}), url)).toEqual({status: 200, body: 'hello'})
  })

  it('are verified with the CA in the folder of a host, for that host only', async () => {
    const roots = [join(folder, 'absent'), join(folder, 'certs.d')]
    const named = `127.0.0.1:${ports.good}`
    writeTree(folder, {
      [`certs.d/${named}/ca.crt`]: authority.cert,
      [`certs.d/localhost:${ports.good}/notes.txt`]: 'nothing to trust',
    })
    const http = nodeHttp({certificateFolders: roots})
    expect(await exchange(http, `https://${named}/`)).toEqual({status: 200, body: 'hello'})
    for (const other of [`localhost:${ports.good}`, `[::1]:${ports.good}`])
      expect(await exchange(http, `https://${other}/`)).not.toMatchObject({status: 200})
  })

  it('reject a client certificate without its key in the folder of a host', async () => {
    const root = join(folder, 'half')
    writeTree(root, {[`127.0.0.1:${ports.good}/client.cert`]: good.cert})
    expect(
      await exchange(nodeHttp({certificateFolders: [root]}), `https://127.0.0.1:${ports.good}/`),
    ).toMatchObject({code: 'usage', said: expect.stringContaining('client.key') as unknown})
  })

  it('are verified with several CA files together, and with the default CAs', async () => {
    const self = join(folder, 'self-signed.pem')
    const authorities = [{path: self, source: 'NODE_EXTRA_CA_CERTS'}, ...trusting().authorities]
    const http = nodeHttp({authorities})
    const answers = [
      await exchange(http, `https://127.0.0.1:${ports.good}/`),
      await exchange(http, `https://localhost:${ports['self-signed']}/`),
    ]
    expect(answers).toEqual([
      {status: 200, body: 'hello'},
      {status: 200, body: 'hello'},
    ])
  })

  it.each([
    {name: 'missing', reason: 'a typing error', content: undefined, want: 'not-found'},
    {name: 'a key', reason: 'the wrong file', content: 'key', want: 'usage'},
    {name: 'damaged', reason: 'truncated', content: 'cut', want: 'usage'},
  ])('with a CA file that is $name: $reason', async ({name, content, want}) => {
    const text = content === 'key' ? good.key : good.cert.replace(/\n.{20}/, '\n')
    if (content !== undefined) writeTree(folder, {[name]: text})
    const path = join(folder, name)
    const url = `https://127.0.0.1:${ports.good}/`
    const failure = await exchange(nodeHttp({authorities: [{path, source: '--ca-file'}]}), url)
    expect(failure).toEqual({code: want, said: expect.stringContaining(path)})
    const optional = [{path, source: '--ca-file', optional: true}, ...trusting().authorities]
    const passed = await exchange(nodeHttp({authorities: optional}), url)
    expect(passed).toEqual(content === undefined ? {status: 200, body: 'hello'} : failure)
  })

  it('are verified for IPv6 addresses', async () => {
    const server = createServer({cert: good.cert, key: good.key}, ({headers}, answer) =>
      answer.end(headers.host),
    )
    const port = await listening(server, '::1')
    const answer = await exchange(nodeHttp(trusting()), `https://[::1]:${port}/`)
    expect(answer).toEqual({status: 200, body: `[::1]:${port}`})
  })

  describe('a client certificate', () => {
    let client: Certificate
    let port = 0
    beforeAll(async () => {
      client = authority.issue('client', ['DNS:client.example.org'])
      const wish = {
        cert: good.cert,
        key: good.key,
        ca: authority.cert,
        requestCert: true,
        rejectUnauthorized: false,
      }
      const server = createServer(wish, ({socket}, answer) => {
        const {subject} = (
          socket as unknown as Pick<TLSSocket, 'getPeerCertificate'>
        ).getPeerCertificate() as {
          subject?: {CN?: string}
        }
        answer.end(subject?.CN ?? 'none')
      })
      port = await listening(server)
    })

    it.each([
      {
        name: 'to the registry it is for',
        reason: 'named with its port',
        host: (at: number) => `localhost:${at}`,
        want: 'client',
      },
      {name: 'to no other port', reason: 'another server', host: () => 'localhost', want: 'none'},
      {
        name: 'to no other name',
        reason: 'the target of a redirect',
        host: (at: number) => `127.0.0.1:${at}`,
        want: 'none',
      },
    ])('is sent $name: $reason', async ({host, want}) => {
      const {certFile, keyFile} = client
      const clientCertificate = {certFile, keyFile, hosts: [host(port)]}
      const http = nodeHttp({...trusting(), clientCertificate})
      expect(await exchange(http, `https://localhost:${port}/`)).toEqual({status: 200, body: want})
    })

    it.each([
      {name: 'the key of another', reason: 'proves nothing', keyFile: () => good.keyFile, want: 'usage'},
      {
        name: 'a missing key',
        reason: 'a typing error',
        keyFile: () => join(folder, 'nothing'),
        want: 'not-found',
      },
    ])('$name: $reason', async ({keyFile, want}) => {
      const clientCertificate = {certFile: client.certFile, keyFile: keyFile(), hosts: [`localhost:${port}`]}
      const failure = await exchange(
        nodeHttp({...trusting(), clientCertificate}),
        `https://localhost:${port}/`,
      )
      expect(failure).toMatchObject({code: want})
    })

    it('says that the key is of another certificate', async () => {
      const clientCertificate = {...client, keyFile: good.keyFile, hosts: [`localhost:${port}`]}
      expect(
        await exchange(nodeHttp({...trusting(), clientCertificate}), `https://localhost:${port}/`),
      ).toMatchObject({said: expect.stringContaining('the client key is of another certificate') as unknown})
    })
  })
})

describe('a server without TLS', () => {
  it('that answers a TLS handshake in plain HTTP is rejected, and its scheme detected', async () => {
    const asked: string[] = []
    const server = createHttpServer(({url = ''}, answer) => {
      asked.push(url)
      answer.end()
    })
    const port = await listening(server)
    const http = nodeHttp()
    const failure = await exchange(http, `https://127.0.0.1:${port}/v2/`)
    expect(failure).toEqual({code: 'tls-refused', said: expect.stringContaining('--plain-http')})
    const schemes = [
      await settleScheme(http, `127.0.0.1:${port}`, false),
      await settleScheme(http, `localhost:${port}`, true),
    ]
    expect({schemes, asked}).toEqual({schemes: ['http', 'http'], asked: []})
  })

  it('that closes the connection during the handshake is not retried in plain HTTP: its TLS may be broken', async () => {
    const port = await listening(createTcpServer(socket => socket.once('data', () => socket.destroy())))
    const scheme = await outcome(() => settleScheme(nodeHttp(), `127.0.0.1:${port}`, false))
    expect(scheme).toBe('registry-unreachable')
  })
})
