import {CrossplaneError} from '../errors.js'
import {ipAddress, isWithin} from './ip-address.js'
import {isLoopback} from './loopback.js'

/** The values of HTTPS_PROXY, HTTP_PROXY and NO_PROXY; a proxy's URL may have a name and a password. */
export interface ProxySettings {
  readonly https?: string
  readonly http?: string
  readonly no?: string
}

const HTTP_SCHEMES = ['http:', 'https:']

/**
 * Selects the proxy for a URL by the rules of Go programs (docker, kubectl, crane)
 * (https://pkg.go.dev/golang.org/x/net/http/httpproxy#Config): loopback never uses one; an entry of NO_PROXY is `*`, a
 * name that includes its subdomains, `.name` for subdomains alone, an address or a CIDR, each but the last with an
 * optional port. `schemes` are those that a proxy can have. Throws `usage` for an invalid proxy, without its text, which
 * may be a secret.
 */
export function proxyFor(
  url: URL,
  settings: ProxySettings,
  schemes: readonly string[] = HTTP_SCHEMES,
): URL | undefined {
  const isHttps = url.protocol === 'https:'
  const text = isHttps ? settings.https : settings.http
  if (text === undefined || text === '') return undefined
  if (isLoopback(url.hostname) || isExcepted(url, settings.no ?? '')) return undefined
  return parseProxy(text, isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY', schemes)
}

function parseProxy(text: string, variable: string, schemes: readonly string[]): URL {
  const whole = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(whole) ? new URL(whole) : undefined
  if (proxy !== undefined && isUsable(proxy, schemes)) return proxy
  throw new CrossplaneError('usage', `invalid proxy URL in ${variable}`, {
    suggestions: [`Set ${variable} to http://[NAME:PASSWORD@]HOST:PORT, with special characters as %XX.`],
  })
}

function isUsable(proxy: URL, schemes: readonly string[]): boolean {
  return schemes.includes(proxy.protocol) && hasReadableAccount(proxy)
}

/** Reports whether the user name and password of a proxy's URL, if any, can be decoded. */
export function hasReadableAccount({username, password}: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

function isExcepted(url: URL, exceptions: string): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return exceptions
    .toLowerCase()
    .split(/[,\s]+/)
    .some(entry => entry !== '' && covers(entry, url.hostname, port))
}

function covers(entry: string, hostname: string, port: string): boolean {
  if (entry === '*' || entry.includes('/')) return entry === '*' || isWithin(hostname, entry)
  const [, host = entry, entryPort = port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  return entryPort === port && isSameHost(host, hostname)
}

function isSameHost(host: string, hostname: string): boolean {
  const address = ipAddress(host)
  if (address !== undefined) return ipAddress(hostname)?.bits === address.bits
  const name = host.replace(/^\*(?=\.)/, '')
  return name.startsWith('.') ? hostname.endsWith(name) : hostname === name || hostname.endsWith(`.${name}`)
}
