import {afterAll, beforeAll, beforeEach} from '@jest/globals'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {createServer, type IncomingMessage} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {asObject, type JsonObject} from '../../src/yaml/json-value.js'
import {runCli} from '../run-cli.js'
import {CORE_DISCOVERY} from './core-discovery.js'
import {installName, lockedXpkgs} from './locked-xpkgs.js'

export const API = 'pkg.crossplane.io/v1'
const NOT_FOUND = {apiVersion: 'v1', kind: 'Status', code: 404, reason: 'NotFound', message: 'not found'}

/** What the cluster has, by resource and name. */
export const objects = new Map<string, JsonObject>()

/** Answers as an API server does that changes nothing: reads, reviews of access, and dry runs. */
async function answer(request: IncomingMessage): Promise<JsonObject> {
  const path = new URL(request.url ?? '', 'http://cluster').pathname
  const words = path.split('/')
  const own = objects.get(words.slice(-2).join('/'))
  const body = await text(request)
  const sent = body === '' ? {} : asObject(JSON.parse(body) as JsonObject)
  if (request.method === 'PATCH')
    return {...own, ...sent, metadata: {...asObject(own?.metadata), ...asObject(sent.metadata)}}
  if (request.method === 'POST') return {...sent, status: {allowed: true}}
  const of = `${words.at(-1) ?? ''}/`
  const items = [...objects].filter(([key]) => key.startsWith(of)).map(([, object]) => object)
  const list = words.length === 5 ? {kind: 'List', metadata: {}, items} : NOT_FOUND
  return CORE_DISCOVERY.get(path) ?? own ?? list
}

const server = createServer((request, response) => {
  void answer(request).then(body => {
    const status = body === NOT_FOUND ? 404 : 200
    response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
  })
})

/** How a request is, and what the core has made of it. */
export interface Requested {
  readonly digest: string
  readonly skips: boolean
  readonly requires?: string
  readonly annotations?: Readonly<Record<string, string | undefined>>
  /** Whether its manager applied the pause of its annotations. */
  readonly pauses?: boolean
  /** Why it is not healthy. */
  readonly problem?: string
  /** The program that applied it, by default this one. */
  readonly manager?: string
}

/** Serves a cluster in which `app` requires `base`, for the tests of a suite. */
export function servedRequests() {
  const world = lockedXpkgs()

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  beforeEach(() => {
    objects.clear()
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  /** A cluster in which `app` requires `base`. */
  function cluster() {
    const {name, publish, declare, run, root} = world()
    const digests = {
      base: publish('base', 'v1.0.0'),
      app: publish('app', 'v1.0.0', {requires: {base: '>=v1.0.0'}}),
    }
    const {port} = server.address() as AddressInfo
    const kubeconfig = join(root, 'kubeconfig')
    const config = {
      ...{apiVersion: 'v1', kind: 'Config', 'current-context': 'c', users: [{name: 'u', user: {}}]},
      clusters: [{name: 'c', cluster: {server: `http://127.0.0.1:${port}`}}],
      contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
    }
    writeFileSync(kubeconfig, JSON.stringify(config))
    const request = (
      path: string,
      reference: string,
      {digest, skips, requires, annotations, problem, pauses, manager = 'crossplane-packages'}: Requested,
    ) => {
      const own = installName(name(path))
      const paused = {'f:annotations': {'f:crossplane.io/paused': {}}}
      const fieldsV1 = {
        'f:spec': {'f:package': {}, 'f:skipDependencyResolution': {}},
        ...(pauses === true ? {'f:metadata': paused} : {}),
      }
      const recorded = {package: reference, requires: requires === undefined ? [] : [requires]}
      objects.set(`providers/${own}`, {
        ...{apiVersion: API, kind: 'Provider'},
        metadata: {
          ...{name: own, uid: own, generation: 1},
          managedFields: [{manager, operation: 'Apply', fieldsV1}],
          annotations: {
            'kubectl-crossplane/requested-as': reference.replace(/^.*\/\w+[:@]/, ''),
            ...(skips ? {'kubectl-crossplane/requires': JSON.stringify(recorded)} : {}),
            ...annotations,
          },
        },
        spec: {package: reference, skipDependencyResolution: skips},
        status: {
          ...{currentIdentifier: reference, resolvedPackage: `${name(path)}@${digest}`},
          currentRevision: `${own}-${digest.slice(7, 19)}`,
          conditions: [
            {type: 'Installed', status: 'True'},
            {
              type: 'Healthy',
              ...(problem === undefined ? {status: 'True'} : {status: 'False', message: problem}),
            },
          ],
        },
      })
      return own
    }
    const inCluster = (...words: readonly string[]) => {
      const isPulling = !['history', 'list', 'status'].includes(words[0] ?? '')
      const cache = isPulling ? ['--cache-dir', join(root, 'cache')] : []
      return runCli('package', ...words, '--kubeconfig', kubeconfig, ...cache)
    }
    const apply = (...words: readonly string[]) => inCluster('upgrade', ...words, '--core-version', 'v2.3.4')
    const upgrade = (...words: readonly string[]) => apply(...words, '--dry-run=client')
    return {name, digests, request, inCluster, apply, upgrade, publish, declare, run, root}
  }

  return cluster
}
