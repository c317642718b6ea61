// Servers of the bench for fleets: a proxy before a registry that counts requests, and clusters far away.
import {once} from 'node:events'
import {createServer, request as send} from 'node:http'
import {setTimeout} from 'node:timers/promises'

/** @param {import('node:http').Server} server */
async function started(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    host: `127.0.0.1:${port}`,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Starts a proxy that keeps the paths of requests. @param {string} host */
export async function startCountingProxy(host) {
  /** @type {string[]} */
  const requests = []
  const server = createServer((request, response) => {
    const {url = '', method, headers} = request
    requests.push(url)
    const forwarded = send(`http://${host}${url}`, {method, headers}, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  return {...(await started(server)), requests}
}

const PLURALS = ['providers', 'providerrevisions', 'configurations', 'configurationrevisions']
const V1 = [...PLURALS, 'functions', 'functionrevisions']
const BETA = ['locks', 'imageconfigs', 'deploymentruntimeconfigs']
const SINCE = '2026-01-01T00:00:00Z'

/**
 * @typedef {{repository: string, tag: string, digest: string}} Locked
 *
 * Starts clusters in which packages are installed and healthy, and returns a kubeconfig with the contexts c0, c1, …
 *
 * @param {{number: number, latency: number, packages: readonly Locked[]}} world latency in milliseconds
 */
export async function startClusters({number, latency, packages}) {
  const documents = documentsOf(packages)
  const server = createServer(async (request, response) => {
    await setTimeout(latency)
    const path = (request.url ?? '').replace(/^\/c\d+/, '').replace(/\?.*$/, '')
    const document = documents.get(path)
    response.writeHead(document === undefined ? 404 : 200, {'content-type': 'application/json'})
    response.end(
      document ?? '{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound"}',
    )
  })
  const {host, stop} = await started(server)
  const names = Array.from({length: number}, (_, at) => `c${at}`)
  const kubeconfig = JSON.stringify({
    ...{apiVersion: 'v1', kind: 'Config', users: [{name: 'a', user: {}}]},
    contexts: names.map(name => ({name, context: {cluster: name, user: 'a'}})),
    clusters: names.map(name => ({name, cluster: {server: `http://${host}/${name}`}})),
  })
  return {kubeconfig, stop}
}

/** Returns what an API server answers, by path. @param {readonly Locked[]} packages */
function documentsOf(packages) {
  const installed = packages.map(installedPackage)
  const items = {
    providers: installed.map(({request}) => request),
    providerrevisions: installed.map(one => one.revision),
  }
  const list = (/** @type {string} */ version, /** @type {string} */ plural) =>
    /** @type {const} */ ([
      `/apis/pkg.crossplane.io/${version}/${plural}`,
      {
        ...{apiVersion: `pkg.crossplane.io/${version}`, kind: `${kindOf(plural)}List`},
        ...{metadata: {resourceVersion: '1'}, items: new Map(Object.entries(items)).get(plural) ?? []},
      },
    ])
  const crds = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinitionList',
    metadata: {},
    items: [],
  }
  const documents = [
    ...V1.map(plural => list('v1', plural)),
    ...BETA.map(plural => list('v1beta1', plural)),
    /** @type {const} */ (['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crds]),
    /** @type {const} */ (['/version', {major: '1', minor: '36', gitVersion: 'v1.36.0'}]),
    /** @type {const} */ (['/api', {kind: 'APIGroupDiscoveryList', items: []}]),
    /** @type {const} */ (['/apis', discovery()]),
  ]
  return new Map(documents.map(([path, value]) => [String(path), JSON.stringify(value)]))
}

const KINDS = ['Lock', 'ImageConfig', 'DeploymentRuntimeConfig', 'CustomResourceDefinition'].concat(
  ['Provider', 'Configuration', 'Function'].flatMap(kind => [kind, `${kind}Revision`]),
)

/** @param {string} plural */
function kindOf(plural) {
  return KINDS.find(kind => `${kind.toLowerCase()}s` === plural) ?? ''
}

function discovery() {
  const group = (/** @type {string} */ name, /** @type {Record<string, readonly string[]>} */ versions) => ({
    metadata: {name},
    versions: Object.entries(versions).map(([version, plurals]) => ({
      version,
      resources: plurals.map(plural => ({
        ...{resource: plural, scope: 'Cluster', verbs: ['get', 'list', 'watch']},
        responseKind: {group: name, version, kind: kindOf(plural)},
      })),
    })),
  })
  return {
    ...{kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2'},
    items: [
      group('pkg.crossplane.io', {v1: V1, v1beta1: BETA}),
      group('apiextensions.k8s.io', {v1: ['customresourcedefinitions']}),
    ],
  }
}

/** @param {Locked} locked */
function installedPackage({repository, tag, digest}) {
  const apiVersion = 'pkg.crossplane.io/v1'
  const name = repository.split('/').slice(1).join('-')
  const image = `${repository}:${tag}@${digest}`
  const revision = `${name}-${digest.slice('sha256:'.length, 'sha256:'.length + 12)}`
  const condition = (/** @type {string} */ type) => ({
    type,
    status: 'True',
    reason: 'x',
    lastTransitionTime: SINCE,
  })
  const managedFields = [{manager: 'crossplane', operation: 'Update', time: SINCE, fieldsV1: {'f:spec': {}}}]
  return {
    request: {
      ...{apiVersion, kind: 'Provider'},
      metadata: {name, uid: name, resourceVersion: '1', generation: 1, creationTimestamp: SINCE},
      spec: {package: image},
      status: {
        ...{currentIdentifier: image, currentRevision: revision},
        conditions: ['Installed', 'Healthy'].map(condition),
      },
    },
    revision: {
      ...{apiVersion, kind: 'ProviderRevision'},
      metadata: {
        ...{name: revision, uid: revision, resourceVersion: '1', creationTimestamp: SINCE, managedFields},
        labels: {'pkg.crossplane.io/package': name},
        ownerReferences: [{apiVersion, kind: 'Provider', name, uid: name, controller: true}],
      },
      spec: {image, desiredState: 'Active', revision: 1},
      status: {conditions: [condition('RevisionHealthy')]},
    },
  }
}
