import type {ClusterApi} from '../../../src/cluster/api/cluster-api.js'
import {openClusterApi} from '../../../src/cluster/api/open-cluster-api.js'
import {CrossplaneError} from '../../../src/errors.js'
import type {HttpRequest} from '../../../src/http/http.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'
import {scriptedHttp} from '../../http/scripted-http.js'
import type {Scripted} from '../../http/scripted-http.js'
import {steadyClock} from '../../http/steady-clock.js'

/** A client of a server that answers as told, and what it was sent. */
export interface ScriptedApi {
  readonly api: ClusterApi
  /** `GET /api/v1/namespaces/default?…` */
  readonly asked: () => readonly string[]
  readonly requests: () => readonly HttpRequest[]
  /** The milliseconds of each wait. */
  readonly slept: readonly number[]
  /** Whether credentials were renewed, at each request for headers. */
  readonly renewals: readonly boolean[]
}

/**
 * Answers requests other than those of discovery, which finds ConfigMaps, Secrets and Namespaces.
 * @param kinds - answers about further kinds, by the paths of discovery.
 */
export function scriptedApi(
  answer: (request: HttpRequest, number: number) => Scripted | Error,
  server = 'https://cluster.example.org',
  kinds: ReadonlyMap<string, Scripted> = new Map(),
): ScriptedApi {
  const discovery = new Map([...DISCOVERY, ...kinds])
  let others = 0
  const http = scriptedHttp(request => {
    const path = request.url.pathname.replace(/^\/proxy/, '')
    return discovery.get(path) ?? answer(request, ++others)
  })
  const clock = steadyClock()
  const renewals: boolean[] = []
  const connection = {
    context: 'test',
    server: new URL(server),
    namespace: 'default',
    http,
    headers: (renew: boolean) => {
      renewals.push(renew)
      const token = renewals.includes(true) ? 'renewed-token' : 'first-token'
      return Promise.resolve({authorization: `Bearer ${token}`})
    },
  }
  const requests = () => http.asked.filter(({url}) => !discovery.has(url.pathname))
  return {
    api: openClusterApi(connection, {clock, userAgent: 'suite'}),
    asked: () => requests().map(({method, url}) => `${method} ${url.pathname}${url.search}`),
    requests,
    slept: clock.slept,
    renewals,
  }
}

/** An answer in JSON. */
export function json(body: JsonValue, status = 200): Scripted {
  return {status, body: JSON.stringify(body)}
}

/** A `Status`, as servers answer failures. */
export function statusOf(status: number, reason: string, message: string, causes: JsonValue = []): Scripted {
  return json({kind: 'Status', apiVersion: 'v1', code: status, reason, message, details: {causes}}, status)
}

/** The error of an attempt that must fail. */
export async function errorOf(attempt: Promise<unknown>): Promise<CrossplaneError> {
  const error: unknown = await attempt.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  if (error instanceof CrossplaneError) return error
  throw new Error(`no CrossplaneError: ${String(error)}`)
}

/**
 * Returns the answer of discovery for further kinds, by GROUP/VERSION and plural.
 * @param namespaced - the plurals of those in namespaces.
 */
export function servedKinds(
  kinds: Readonly<Record<string, Readonly<Record<string, string>>>>,
  namespaced: readonly string[] = [],
): ReadonlyMap<string, Scripted> {
  const groups = new Map<string, JsonValue[]>()
  for (const [apiVersion, plurals] of Object.entries(kinds)) {
    const [group = '', version = ''] = apiVersion.split('/')
    const resources = Object.entries(plurals).map(([plural, kind]) => ({
      ...{resource: plural, responseKind: {kind}, verbs: ['list'], shortNames: []},
      scope: namespaced.includes(plural) ? 'Namespaced' : 'Cluster',
    }))
    groups.set(group, [...(groups.get(group) ?? []), {version, resources}])
  }
  const items = [...groups].map(([name, versions]) => ({metadata: {name}, versions}))
  return new Map([['/apis', json({kind: 'APIGroupDiscoveryList', items})]])
}

const resource = (name: string, kind: string, namespaced = true) => ({name, kind, namespaced, verbs: ['get']})

const DISCOVERY: ReadonlyMap<string, Scripted> = new Map([
  ['/api', json({kind: 'APIVersions', versions: ['v1']})],
  ['/apis', json({kind: 'APIGroupList', groups: []})],
  [
    '/api/v1',
    json({
      kind: 'APIResourceList',
      resources: [
        resource('configmaps', 'ConfigMap'),
        resource('secrets', 'Secret'),
        resource('namespaces', 'Namespace', false),
        resource('../../apis', 'Traversal'),
      ],
    }),
  ],
])
