import {delimiter, dirname} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {freePort} from '../cluster/free-port.js'
import {accepted, type Kube, until} from '../cluster/kube.js'
import {openServerGroup, type ServerGroup} from '../cluster/server-group.js'
import {argocdServers} from '../cluster/servers.js'
import type {ReconcilerKind} from './describe-reconciled.js'
import {createAll, documentsIn, programOf, serveCrds} from './programs.js'

const NAMESPACE = 'argocd'
const APPLICATIONS = `/apis/argoproj.io/v1alpha1/namespaces/${NAMESPACE}/applications`
/** Seconds. */
const PATIENCE = 240
const [ARGOCD, KUSTOMIZE] = argocdServers

/** Argo CD: its repo-server and its application-controller. */
export const argocd: ReconcilerKind = {
  name: 'Argo CD',
  servers: argocdServers,
  tools: ['redis-server'],
  layout: 'argocd',
  flags: url => ['--layout', 'argocd', '--repo-url', url],
  ordersInstalls: false,
  async start(cluster, url, repository) {
    const {kube} = cluster
    await serveCrds(kube, argocdServers)
    await createAll(kube, settingsOf())
    const group = await startServers(cluster)
    const startFile = (tree: string, name: string) => documentsIn(repository.read(`${tree}/argocd/${name}`))
    return {
      manager: 'argocd-controller',
      startFolder: async (folder, prune) => await createAll(kube, [applicationOf(folder, url, prune)]),
      async stopFolder(folder) {
        const path = `${APPLICATIONS}/${nameOf(applicationOf(folder, url))}`
        accepted(await kube.send('DELETE', path))
        await until(
          () => kube.send('GET', path),
          ({code}) => code === 404,
          PATIENCE,
        )
      },
      async startTree(tree) {
        const name = repository.has(`${tree}/argocd/start.yaml`) ? 'start.yaml' : 'application.yaml'
        const [application] = startFile(tree, name)
        await createAll(kube, [withSource(application ?? {}, url)])
      },
      async restartTree(tree) {
        await createAll(kube, startFile(tree, 'start.yaml'))
        await until(
          () => applications(kube, group),
          items => isTakenOver(items, tree),
          PATIENCE,
        )
        accepted(await kube.send('DELETE', `${APPLICATIONS}/${tree}`))
      },
      async stopTree(name) {
        const ofTree = async () =>
          (await applications(kube, group)).map(nameOf).filter(unit => unit.startsWith(`${name}-`))
        // Otherwise the Application of the others would create them again.
        for (const unit of (await ofTree()).sort(rootsFirst)) {
          accepted(await kube.send('DELETE', `${APPLICATIONS}/${unit}`))
        }
        await until(ofTree, units => units.length === 0, PATIENCE)
      },
      failed: async (unit, cause) => await failed(kube, unit, cause),
      retries: async unit => {
        const {status} = (await kube.send('GET', `${APPLICATIONS}/${unit}`)).body
        return Number(asObject(asObject(status).operationState).retryCount ?? 0)
      },
      reconciled: commit => reconciled(kube, group, commit),
      settled: commit => settled(kube, group, commit),
      stop: () => group.stop(),
    }
  },
}

/** An Application that an earlier version wrote, for the repository of the suite. */
function withSource(application: JsonObject, repoURL: string): JsonObject {
  const spec = asObject(application.spec)
  return {...application, spec: {...spec, source: {...asObject(spec.source), repoURL}}}
}

/** Applies what is in a folder. */
function applicationOf(folder: string, repoURL: string, prune = false): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      ...{name: `only-${folder}`, namespace: NAMESPACE},
      // With it, the objects are deleted when the Application is.
      ...(prune ? {finalizers: ['resources-finalizer.argocd.argoproj.io']} : {}),
    },
    spec: {
      destination: {server: 'https://kubernetes.default.svc'},
      project: 'default',
      source: {path: folder, repoURL, targetRevision: 'main'},
      syncPolicy: {automated: {prune, selfHeal: true}},
    },
  }
}

/** https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup */
function settingsOf(): readonly JsonObject[] {
  const labels = {'app.kubernetes.io/part-of': 'argocd'}
  const named = (name: string) => ({name, namespace: NAMESPACE, labels})
  const maps = [
    'argocd-cm',
    ...['rbac', 'gpg-keys', 'tls-certs', 'ssh-known-hosts'].map(each => `argocd-${each}-cm`),
  ]
  return [
    {apiVersion: 'v1', kind: 'Namespace', metadata: {name: NAMESPACE}},
    ...maps.map(name => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: named(name),
      ...(name === 'argocd-cm' ? {data: {'timeout.reconciliation': '10s'}} : {}),
    })),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: named('argocd-secret'),
      stringData: {'server.secretkey': 'suite'},
    },
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: {name: 'default', namespace: NAMESPACE},
      spec: {
        clusterResourceWhitelist: [{group: '*', kind: '*'}],
        destinations: [{namespace: '*', server: '*'}],
        sourceRepos: ['*'],
      },
    },
  ]
}

async function startServers({kubeconfig}: TestCluster): Promise<ServerGroup> {
  const group = await openServerGroup('kubectl-crossplane-argocd-')
  const [redis, repo, metrics, health] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  await group.start('redis', 'redis-server', ['--port', `${redis}`, '--bind', '127.0.0.1', '--save', ''])
  const program = programOf(ARGOCD!)
  const PATH = [dirname(programOf(KUSTOMIZE!)), process.env.PATH].join(delimiter)
  // The cluster of Applications is the one that Argo CD runs in, which has a URL only within a Pod.
  const env = {PATH, KUBECONFIG: kubeconfig, ARGOCD_FAKE_IN_CLUSTER: 'true', ARGOCD_GPG_ENABLED: 'false'}
  await group.start(
    'repo-server',
    program,
    [
      ...['--disable-tls', '--redis', `127.0.0.1:${redis}`, '--revision-cache-expiration', '5s'],
      ...['--port', `${repo}`, '--address', '127.0.0.1', '--metrics-port', `${metrics}`],
    ],
    {...env, ARGOCD_BINARY_NAME: 'argocd-repo-server'},
  )
  await group.start(
    'application-controller',
    program,
    [
      ...['--namespace', NAMESPACE, '--kubeconfig', kubeconfig, '--redis', `127.0.0.1:${redis}`],
      ...['--repo-server', `127.0.0.1:${repo}`, '--repo-server-plaintext', '--app-resync', '10'],
      // Otherwise a tree that cannot be built is not reported for three minutes.
      ...['--repo-error-grace-period-seconds', '5'],
      ...['--metrics-port', `${health}`],
    ],
    {...env, ARGOCD_BINARY_NAME: 'argocd-application-controller'},
  )
  return group
}

async function applications(kube: Kube, group: ServerGroup): Promise<readonly JsonObject[]> {
  group.assertRunning()
  return asObjects((await kube.send('GET', APPLICATIONS)).body.items)
}

/** Requests comparisons with the repository, and waits for the syncs that follow. */
async function reconciled(kube: Kube, group: ServerGroup, commit: string): Promise<void> {
  const refresh = async (item: JsonObject) => {
    const annotations = {'argocd.argoproj.io/refresh': 'hard'}
    const path = `${APPLICATIONS}/${nameOf(item)}`
    await kube.send('PATCH', path, {metadata: {annotations}}, 'application/merge-patch+json')
  }
  const isRoot = (item: JsonObject) => isRootName(nameOf(item))
  try {
    const roots = (await applications(kube, group)).filter(isRoot)
    for (const root of roots) await refresh(root)
    await until(
      () => applications(kube, group),
      items => items.filter(isRoot).every(item => isDone(item, commit)),
      PATIENCE,
    )
    for (const item of await applications(kube, group)) await refresh(item)
    await settled(kube, group, commit)
  } catch (error) {
    throw new Error(`not reconciled\n${group.lastLines(15)}`, {cause: error})
  }
}

function isRootName(name: string): boolean {
  return name.endsWith('-applications')
}

function rootsFirst(one: string, other: string): number {
  return Number(isRootName(other)) - Number(isRootName(one))
}

/** Waits for a commit without any request. */
async function settled(kube: Kube, group: ServerGroup, commit: string): Promise<void> {
  await until(
    () => applications(kube, group),
    items => items.every(item => isDone(item, commit)),
    PATIENCE,
  )
}

/** Waits until an Application has failed for a cause. */
async function failed(kube: Kube, unit: string, cause: string): Promise<void> {
  await until(
    async () => asObject((await kube.send('GET', `${APPLICATIONS}/${unit}`)).body.status),
    ({conditions, operationState}) =>
      [asObject(operationState), ...asObjects(conditions)].some(({message}) =>
        asText(message).includes(cause),
      ),
    PATIENCE,
  )
}

/** Reports whether the Applications of the parts of a tree have synced. */
function isTakenOver(items: readonly JsonObject[], tree: string): boolean {
  const parts = items.filter(item => nameOf(item).startsWith(`${tree}-`))
  return parts.length > 1 && parts.every(({status}) => asObject(asObject(status).sync).status === 'Synced')
}

function nameOf({metadata}: JsonObject): string {
  return asText(asObject(metadata).name)
}

function isDone({metadata, status}: JsonObject, commit: string): boolean {
  const isRefreshing = 'argocd.argoproj.io/refresh' in asObject(asObject(metadata).annotations)
  return !isRefreshing && isSynced(asObject(status), commit)
}

function isSynced({sync, health, operationState}: JsonObject, commit: string): boolean {
  const {status, revision} = asObject(sync)
  const {phase} = asObject(operationState)
  return (
    status === 'Synced' &&
    asText(revision) === commit &&
    asObject(health).status === 'Healthy' &&
    phase === 'Succeeded'
  )
}
