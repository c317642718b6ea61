import {beforeAll, expect, it} from '@jest/globals'
import {createServer as createHttpServer} from 'node:http'
import {createServer} from 'node:https'
import {nodeHttp} from '../../../src/adapters/http/node-http.js'
import {proxyFor} from '../../../src/http/proxy.js'
import {canary, disguises} from '../../canary.js'
import {freePort} from '../../cluster/free-port.js'
import {proxyServer} from '../../fakes/proxy-server.js'
import type {ProxyServer} from '../../fakes/proxy-server.js'
import {listener} from '../../listening.js'
import {missingTool} from '../../missing-tool.js'
import {privateAuthority} from '../../private-authority.js'
import {describeReal} from '../../real-parts.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {exchange} from './exchange.js'

const folder = temporaryFolder()
const listening = listener()

describeReal('a proxy', missingTool('openssl'), () => {
  const password = `${canary('proxy')}%:@/`
  const account = `anna:${password}`
  const ports = {https: 0, http: 0, ipv6: 0}
  let caFile = ''
  beforeAll(async () => {
    const authority = privateAuthority(folder)
    caFile = authority.certFile
    const names = ['DNS:registry.example.org', 'IP:2001:db8::1']
    const {cert, key} = authority.issue('registry', names)
    ports.https = await listening(createServer({cert, key}, ({url}, answer) => answer.end(url)))
    ports.ipv6 = await listening(
      createServer({cert, key}, ({url}, answer) => answer.end(url)),
      '::1',
    )
    ports.http = await listening(createHttpServer(({url}, answer) => answer.end(url)))
  })

  async function through(
    proxy: ProxyServer | number,
    url: string,
    {userInfo = '', no = ''}: {userInfo?: string; no?: string} = {},
  ) {
    const port = typeof proxy === 'number' ? proxy : await listening(proxy.server)
    const address = `http://${userInfo}127.0.0.1:${port}`
    const settings = {https: address, http: address, no}
    const authorities = [{path: caFile, source: '--ca-file'}]
    const answer = await exchange(nodeHttp({authorities, proxyFor: at => proxyFor(at, settings)}), url)
    for (const secret of disguises(password, 'anna')) expect(JSON.stringify(answer)).not.toContain(secret)
    return answer
  }
  const userInfo = `anna:${encodeURIComponent(password)}@`

  it('tunnels TLS, and does not see the requests', async () => {
    const proxy = proxyServer({account})
    const host = `registry.example.org:${ports.https}`
    const answer = await through(proxy, `https://${host}/v2/?a=b`, {userInfo})
    expect({answer, asked: proxy.asked}).toEqual({
      answer: {status: 200, body: '/v2/?a=b'},
      asked: [`CONNECT ${host}`],
    })
  })

  it('connects to an IPv6 address and verifies its certificate', async () => {
    const proxy = proxyServer()
    const host = `[2001:db8::1]:${ports.ipv6}`
    const answer = await through(proxy, `https://${host}/v2/`)
    expect({answer, asked: proxy.asked}).toEqual({
      answer: {status: 200, body: '/v2/'},
      asked: [`CONNECT ${host}`],
    })
    const other = await through(proxyServer(), `https://other.example.org:${ports.https}/`)
    expect(other).toMatchObject({code: 'tls-refused'})
  })

  it('fetches plain HTTP', async () => {
    const proxy = proxyServer({account})
    const url = `http://registry.example.org:${ports.http}/v2/`
    const answer = await through(proxy, url, {userInfo})
    expect({answer, asked: proxy.asked}).toEqual({
      answer: {status: 200, body: '/v2/'},
      asked: [`GET ${url}`],
    })
  })

  it.each([
    {name: 'this machine', reason: 'no proxy leads home', no: ''},
    {name: 'the same, named in NO_PROXY', reason: 'as in many environments', no: 'localhost,127.0.0.1'},
  ])('is bypassed for $name: $reason', async ({no}) => {
    const proxy = proxyServer()
    const answer = await through(proxy, `http://127.0.0.1:${ports.http}/v2/`, {no})
    expect({answer, asked: proxy.asked}).toEqual({answer: {status: 200, body: '/v2/'}, asked: []})
  })

  it.each([
    {name: 'a wrong password', reason: '407', proxy: {account: 'anna:other'}, want: 'access-denied'},
    {name: 'its policy', reason: '403', proxy: {refusal: 403}, want: 'access-denied'},
    {name: 'its trouble', reason: '503', proxy: {refusal: 503}, want: 'registry-unreachable'},
  ])('rejects a connection for $name: $reason', async ({proxy, want}) => {
    const url = `https://registry.example.org:${ports.https}/`
    const failure = await through(proxyServer(proxy), url, {userInfo})
    expect(failure).toEqual({code: want, said: expect.stringContaining('the proxy 127.0.0.1:')})
  })

  it('is named in the error if it does not exist', async () => {
    const failure = await through(await freePort(), 'https://registry.example.org/')
    const said = expect.stringMatching(/through the proxy 127\.0\.0\.1:\d+\).*connection refused/)
    expect(failure).toEqual({code: 'registry-unreachable', said})
  })

  it('can require a password for plain HTTP', async () => {
    const failure = await through(proxyServer({account}), `http://registry.example.org:${ports.http}/`)
    expect(failure).toMatchObject({code: 'access-denied'})
  })
})
