import {beforeAll} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {createServer} from 'node:https'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {listener} from '../listening.js'
import {LOOPBACK, privateAuthority} from '../private-authority.js'
import {socksServer} from './socks-server.js'

/** An API server that has nothing, with an issuer of OpenID Connect and a SOCKS proxy. */
export interface OidcCluster {
  readonly certFile: () => string
  /** The token that the issuer returns. */
  readonly idToken: () => string
  /** Writes a kubeconfig with an expired token; returns its path. */
  readonly kubeconfig: (name: string, isProxied: boolean) => string
  /** Returns what the API server was sent first since the last call. */
  readonly seen: () => {readonly authorization?: string; readonly isProxied: boolean}
}

/** Starts one for the tests of a file or describe; a folder takes its files. */
export function oidcCluster(folder: string): OidcCluster {
  const listening = listener()
  const socks = socksServer()
  const authorizations: string[] = []
  let config = {ca: '', server: '', issuer: '', socks: '', idToken: ''}

  function answer({url = '', headers}: IncomingMessage): readonly [status: number, body: object] {
    if (url.startsWith('/issuer/.well-known/'))
      return [200, {issuer: config.issuer, token_endpoint: `${config.issuer}/token`}]
    if (url === '/issuer/token')
      return [200, {access_token: 'x', token_type: 'Bearer', id_token: config.idToken}]
    authorizations.push(headers.authorization ?? '')
    return [404, {kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404}]
  }

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await text(incoming)
    const [status, body] = answer(incoming)
    outgoing.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
  }

  beforeAll(async () => {
    const authority = privateAuthority(folder)
    const {cert, key} = authority.issue('server', LOOPBACK)
    const server = createServer({cert, key}, (incoming, outgoing) => void respond(incoming, outgoing))
    const port = await listening(server)
    const issuer = `https://localhost:${port}/issuer`
    const now = Math.floor(Date.now() / 1000)
    config = {
      ca: authority.certFile,
      server: `https://localhost:${port}`,
      issuer,
      socks: `socks5://127.0.0.1:${await listening(socks.server)}`,
      idToken: jwt({iss: issuer, sub: 'me', aud: 'kubectl', iat: now, exp: now + 3600}),
    }
  })

  function kubeconfig(name: string, isProxied: boolean): string {
    const path = join(folder, `kubeconfig-${name}`)
    const provider = {
      'idp-issuer-url': config.issuer,
      'client-id': 'kubectl',
      'id-token': jwt({exp: 1}),
      'refresh-token': 'before',
    }
    const cluster = {server: config.server, 'certificate-authority': config.ca}
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'a',
      contexts: [{name: 'a', context: {cluster: 'a', user: 'a'}}],
      clusters: [{name: 'a', cluster: isProxied ? {...cluster, 'proxy-url': config.socks} : cluster}],
      users: [{name: 'a', user: {'auth-provider': {name: 'oidc', config: provider}}}],
    }
    writeFileSync(path, JSON.stringify(content), {mode: 0o600})
    return path
  }

  const seen = () => {
    const [authorization] = authorizations.splice(0)
    return {authorization, isProxied: socks.asked.splice(0).length > 0}
  }
  return {certFile: () => config.ca, idToken: () => config.idToken, kubeconfig, seen}
}

/** Returns an unsigned token with claims. */
function jwt(claims: object): string {
  const parts = [{alg: 'RS256'}, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return [...parts, 'c2lnbmF0dXJl'].join('.')
}
