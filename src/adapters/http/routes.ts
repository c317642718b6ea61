import {Agent as HttpAgent} from 'node:http'
import type {RequestOptions} from 'node:http'
import {Agent as HttpsAgent} from 'node:https'
import {bareHost, verifyHost} from './tls-settings.js'
import type {TlsSettings} from './tls-settings.js'

/** The route to a URL: the options of Node's `request`, and the proxy on the way. */
export interface Route {
  readonly options: RequestOptions
  readonly proxy?: URL
}

/** Keeps connections open for the next request to a host. */
export interface Routes {
  to(url: URL): Promise<Route>
}

/** By default, Node tries each address of a host for 250 ms: too short for distant hosts. */
const AGENT = {keepAlive: true, autoSelectFamilyAttemptTimeout: 2500}

export function routes(tls: TlsSettings, proxyFor?: (url: URL) => URL | undefined): Routes {
  const agents = new Map<string, Promise<HttpAgent>>()
  const agentFor = async (url: URL, proxy: URL | undefined) => {
    const key = JSON.stringify([url.protocol, await tls.nameFor(url), proxy?.href])
    const agent = agents.get(key) ?? makeAgent(url, proxy, tls)
    agents.set(key, agent)
    return await agent
  }
  return {
    async to(url) {
      const proxy = proxyFor?.(url)
      if (proxy === undefined) return {options: {...direct(url), agent: await agentFor(url, undefined)}}
      if (url.protocol === 'https:' || isSocks(proxy)) {
        // With its brackets: the proxy gets host and port as one text.
        return {options: {...direct(url), hostname: url.hostname, agent: await agentFor(url, proxy)}, proxy}
      }
      return {options: {...forwarded(proxy, url), agent: await agentFor(proxy, undefined)}, proxy}
    },
  }
}

function direct(url: URL): RequestOptions {
  return {
    protocol: url.protocol,
    hostname: bareHost(url.hostname),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: {host: url.host},
  }
}

/** Plain HTTP is not tunneled: a proxy is sent the whole URL (https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2). */
function forwarded(proxy: URL, url: URL): RequestOptions {
  const [name, password] = [proxy.username, proxy.password].map(decodeURIComponent)
  const basic = Buffer.from(`${name ?? ''}:${password ?? ''}`).toString('base64')
  const authorization = proxy.username === '' ? {} : {'proxy-authorization': `Basic ${basic}`}
  return {
    ...direct(proxy),
    path: `${url.origin}${url.pathname}${url.search}`,
    headers: {host: url.host, ...authorization},
  }
}

async function makeAgent(url: URL, proxy: URL | undefined, tls: TlsSettings): Promise<HttpAgent> {
  if (proxy !== undefined && isSocks(proxy)) return await throughSocks(url, proxy, tls)
  if (url.protocol !== 'https:') return new HttpAgent(AGENT)
  const options = {...AGENT, ...(await tls.of(url))}
  if (proxy === undefined) return new HttpsAgent(options)
  const {HttpsProxyAgent} = await import('hpagent')
  const proxyRequestOptions = {...(await tls.ofProxy()), hostname: bareHost(proxy.hostname)}
  return new HttpsProxyAgent({...options, proxy, proxyRequestOptions})
}

function isSocks({protocol}: URL): boolean {
  return protocol === 'socks5:'
}

/** Behind a proxy, TLS does not know the host to verify. */
async function throughSocks(url: URL, proxy: URL, tls: TlsSettings): Promise<HttpAgent> {
  const {socksAgent} = await import('../kubernetes-client.js')
  const {checkServerIdentity: verify = verifyHost, ...options} = await tls.of(url)
  const checkServerIdentity: typeof verify = (_, certificate) => verify(bareHost(url.hostname), certificate)
  return await socksAgent(url, proxy, {...options, checkServerIdentity})
}
