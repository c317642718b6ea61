import {posix} from 'node:path'
import {connect, type ConnectionPorts, type ConnectionQuery} from '../../../src/cluster/kubeconfig/connect.js'
import type {KeyPair} from '../../../src/pem.js'
import type {ConnectionFiles, ExecPlugins, OidcClient} from '../../../src/cluster/kubeconfig/ports.js'
import type {ServerTransport} from '../../../src/cluster/kubeconfig/server-transport.js'
import type {Diagnostic} from '../../../src/diagnostic.js'
import {CrossplaneError} from '../../../src/errors.js'
import type {Http} from '../../../src/http/http.js'

/** The home of a test's user: `~/.kube/config` is the only file that is listed, unless a query says otherwise. */
export const CONFIG = '/home/a/.kube/config'

/** Files that are in memory, by their absolute path. */
export function memoryFiles(files: Readonly<Record<string, string>>): ConnectionFiles {
  return {
    read: path => {
      const text = files[path]
      return Promise.resolve(text === undefined ? undefined : Buffer.from(text))
    },
    resolve: (file, path) => posix.resolve(posix.dirname(file), path),
    replaceTexts: () => Promise.reject(new Error('the files are read only')),
  }
}

/** No terminal, and no program on PATH. */
const NO_PLUGINS: ExecPlugins = {isTerminal: () => false, run: () => Promise.resolve({kind: 'absent'})}

/** No issuer answers. */
export const NO_ISSUER: OidcClient = {renew: () => Promise.reject(new Error('no issuer'))}

/** What a connection is, and what its HTTP client was opened with. */
export interface Connected {
  readonly context: string
  readonly server: string
  readonly namespace: string
  readonly headers: unknown
  readonly transport: Partial<ServerTransport>
  readonly shown?: KeyPair
}

/** An error, as users see it. */
export interface Rejected {
  readonly code: string
  readonly message: string
  readonly suggestions: readonly string[]
  readonly details: readonly string[]
}

/** Connects, and says what came of it: a connection that has sent one request, or an error. */
export async function connecting(
  files: Readonly<Record<string, string>>,
  query: Partial<ConnectionQuery> = {},
  ports: Partial<ConnectionPorts> = {},
): Promise<Connected | Rejected> {
  const opened: {transport: ServerTransport; shown: KeyPair | undefined}[] = []
  const http: Http = {send: () => Promise.reject(new Error('no server'))}
  const openHttp = (transport: ServerTransport, shown: KeyPair | undefined) => {
    opened.push({transport, shown})
    return Promise.resolve(http)
  }
  try {
    const connection = await connect(
      {explicit: '', listed: [CONFIG], env: {}, ...query},
      {
        files: memoryFiles(files),
        clock: {now: () => 0},
        plugins: NO_PLUGINS,
        oidc: NO_ISSUER,
        openHttp,
        ...ports,
      },
    )
    const headers = await connection.headers(false)
    await connection.http.send({method: 'GET', url: connection.server, headers}).catch(() => undefined)
    const [{transport, shown} = {transport: {}, shown: undefined}] = opened
    const {server, ...others} = transport as ServerTransport
    return {
      context: connection.context,
      server: connection.server.href,
      namespace: connection.namespace,
      headers,
      transport: others,
      ...(server === connection.server ? {} : {server: 'another'}),
      ...(shown && {shown}),
    }
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const {code, message, suggestions, diagnostics} = error
    return {code, message, suggestions, details: diagnostics.map(detailOf)}
  }
}

function detailOf({line, message}: Diagnostic): string {
  return line === undefined ? message : `line ${line}: ${message}`
}

/** A kubeconfig with one context `here`, of the fields of its cluster and user. */
export function kubeconfig(cluster: object, user: object = {}, context: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{name: 'here', context: {cluster: 'one', user: 'me', ...context}}],
    clusters: [{name: 'one', cluster: {server: 'https://api.example.org:6443', ...cluster}}],
    users: [{name: 'me', user}],
  })
}

/** Text as the fields of kubeconfigs that end in -data have it. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
