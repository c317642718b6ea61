import {Agent as HttpAgent} from 'node:http'
import type {RequestOptions} from 'node:http'
import {Agent as HttpsAgent} from 'node:https'
import {checkServerIdentity} from 'node:tls'
import type {ConnectionOptions} from 'node:tls'
import type {HttpOptions} from '../../http/http-options.js'
import {certificateFolders} from './certificate-folders.js'
import {tlsContexts} from './tls-contexts.js'
import type {TlsContexts, TlsHost} from './tls-contexts.js'

/** How a URL is reached: the options of Node's `request`, and the proxy on the way. */
export interface Route {
  readonly options: RequestOptions
  readonly proxy?: URL
}

/** Keeps connections open for the next request to a host. */
export interface Routes {
  to(url: URL): Promise<Route>
}

/** Node gives up on an address after 250 ms where a name has several: too soon for distant hosts. */
const AGENT = {keepAlive: true, autoSelectFamilyAttemptTimeout: 2500}

export function routes(options: HttpOptions): Routes {
  const agents = new Map<string, Promise<HttpAgent>>()
  const contexts = tlsContexts(options)
  const certificatesFor = certificateFolders(options.certificateFolders ?? [])
  const agentFor = async (url: URL, proxy: URL | undefined) => {
    const isHttps = url.protocol === 'https:'
    const certificates = isHttps ? await certificatesFor(url) : undefined
    const host = {isNamed: isHttps && isNamed(url, options), certificates}
    const key = JSON.stringify([url.protocol, host.isNamed, certificates?.folder, proxy?.href])
    const agent = agents.get(key) ?? makeAgent({isHttps, host, proxy}, options, contexts)
    agents.set(key, agent)
    return await agent
  }
  return {
    async to(url) {
      const proxy = options.proxyFor?.(url)
      if (proxy === undefined) return {options: {...direct(url), agent: await agentFor(url, undefined)}}
      if (url.protocol === 'https:') {
        // With its brackets: the proxy gets host and port as one text.
        return {options: {...direct(url), hostname: url.hostname, agent: await agentFor(url, proxy)}, proxy}
      }
      return {options: {...asked(proxy, url), agent: await agentFor(proxy, undefined)}, proxy}
    },
  }
}

function isNamed(url: URL, {clientCertificate}: HttpOptions): boolean {
  return clientCertificate?.hosts.some(host => new URL(`https://${host}/`).host === url.host) ?? false
}

function direct(url: URL): RequestOptions {
  return {
    protocol: url.protocol,
    hostname: bare(url.hostname),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: {host: url.host},
  }
}

/** Plain HTTP is not tunneled: a proxy is sent the whole URL (https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2). */
function asked(proxy: URL, url: URL): RequestOptions {
  const [name, password] = [proxy.username, proxy.password].map(decodeURIComponent)
  const basic = Buffer.from(`${name ?? ''}:${password ?? ''}`).toString('base64')
  const authorization = proxy.username === '' ? {} : {'proxy-authorization': `Basic ${basic}`}
  return {
    ...direct(proxy),
    path: `${url.origin}${url.pathname}${url.search}`,
    headers: {host: url.host, ...authorization},
  }
}

interface Requested {
  readonly isHttps: boolean
  readonly host: TlsHost
  readonly proxy: URL | undefined
}

async function makeAgent(
  {isHttps, host, proxy}: Requested,
  {insecure = false}: HttpOptions,
  contexts: TlsContexts,
): Promise<HttpAgent> {
  if (!isHttps) return new HttpAgent(AGENT)
  const tls = {
    secureContext: await contexts.of(host),
    rejectUnauthorized: !insecure,
    checkServerIdentity: identityOf,
  }
  if (proxy === undefined) return new HttpsAgent({...AGENT, ...tls})
  const {HttpsProxyAgent} = await import('hpagent')
  const toProxy = {
    hostname: bare(proxy.hostname),
    secureContext: await contexts.of({isNamed: false}),
    rejectUnauthorized: !insecure,
  }
  return new HttpsProxyAgent({...AGENT, ...tls, proxy, proxyRequestOptions: toProxy})
}

const identityOf: NonNullable<ConnectionOptions['checkServerIdentity']> = (hostname, certificate) =>
  checkServerIdentity(bare(hostname), certificate)

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
