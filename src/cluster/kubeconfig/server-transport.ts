import type {Http} from '../../http/http.js'
import {hasReadableAccount} from '../../http/proxy.js'
import {present} from '../../present.js'
import {escaped, quoted} from '../../text.js'
import type {ClusterEntry} from './kubeconfig.js'
import {invalidKubeconfig} from './kubeconfig-error.js'
import {certificatesIn, type KeyPair} from '../../pem.js'
import {fileText} from './file-text.js'
import type {ConnectionFiles} from './ports.js'
import type {Named} from './select-context.js'
import {type Account, serverAddress} from './server-address.js'

/** The settings of a connection to a server, except for the user. */
export interface ServerTransport {
  readonly server: URL
  /** The only trusted CA certificates, as PEM, with any other text between them; undefined for those of the system. */
  readonly ca?: string
  /** Skips TLS certificate verification. */
  readonly insecure: boolean
  /** The name that the certificate must have, instead of the host. */
  readonly tlsServerName?: string
  /** A proxy for all requests; undefined for that of the environment. */
  readonly proxy?: URL
  /** The user name and password in the URL of the server, which precede all others. */
  readonly account?: Account
}

/** Port: opens an HTTP client for one API server; `shown` is the client certificate. */
export type OpenHttp = (transport: ServerTransport, shown: KeyPair | undefined) => Promise<Http>

/** Reads the settings of a cluster and the files that they name. Throws `input-invalid` with all errors. */
export async function serverTransport(
  cluster: Named<ClusterEntry>,
  files: ConnectionFiles,
): Promise<ServerTransport> {
  const {entry} = cluster
  const messages: string[] = []
  const address = serverOf(entry, messages)
  const proxy = proxyOf(entry, messages)
  const ca = await authoritiesOf(entry, files, messages)
  if (ca !== undefined && entry.insecureSkipTlsVerify) {
    messages.push('insecure-skip-tls-verify and a certificate authority are mutually exclusive')
  }
  if (messages.length > 0 || address === undefined) throw invalidCluster(cluster, messages)
  return {
    server: address.url,
    insecure: entry.insecureSkipTlsVerify,
    ...(address.account && {account: address.account}),
    ...present({ca}),
    ...(proxy && {proxy}),
    ...(entry.tlsServerName === '' ? {} : {tlsServerName: entry.tlsServerName}),
  }
}

function invalidCluster({name, entry: {origin}}: Named<ClusterEntry>, messages: readonly string[]) {
  return invalidKubeconfig(
    messages.map(message => ({origin, message: `cluster ${quoted(name)}: ${message}`})),
    `Fix the cluster ${quoted(name)} in ${escaped(origin.file)}.`,
  )
}

/** The URL of a server can contain a password, and is not quoted. */
function serverOf({server}: ClusterEntry, messages: string[]) {
  const address = server === '' ? undefined : serverAddress(server)
  if (address === undefined) messages.push(server === '' ? 'server is not set' : 'server is not a URL')
  return address
}

/** The schemes of proxies that kubectl can use. */
export const PROXY_SCHEMES = ['http:', 'https:', 'socks5:']

function proxyOf({proxyUrl}: ClusterEntry, messages: string[]): URL | undefined {
  if (proxyUrl === '') return undefined
  const url = URL.canParse(proxyUrl) ? new URL(proxyUrl) : undefined
  const isKnown = url !== undefined && PROXY_SCHEMES.includes(url.protocol) && url.hostname !== ''
  if (isKnown && hasReadableAccount(url)) return url
  if (isKnown)
    messages.push('special characters in the user name or password of proxy-url are not written as %XX')
  else messages.push('proxy-url is not a URL that begins with http, https or socks5')
  return undefined
}

async function authoritiesOf(
  {certificateAuthority: path, certificateAuthorityData: data}: ClusterEntry,
  files: ConnectionFiles,
  messages: string[],
): Promise<string | undefined> {
  if (path === '' && data === '') return undefined
  if (path !== '' && data !== '') {
    messages.push('certificate-authority and certificate-authority-data are mutually exclusive')
    return undefined
  }
  const text = data === '' ? await fileText(files, 'certificate-authority', path, messages) : data
  if (text === undefined) return undefined
  if (certificatesIn(text).length > 0) return text
  messages.push(
    data === ''
      ? `certificate-authority ${escaped(path)} has no PEM certificate`
      : 'certificate-authority-data has no PEM certificate',
  )
  return undefined
}
