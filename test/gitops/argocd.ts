import {delimiter, dirname} from 'node:path'
import {asObject, asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {freePort} from '../cluster/free-port.js'
import {accepted, type Kube, until} from '../cluster/kube.js'
import {openServerGroup, type ServerGroup} from '../cluster/server-group.js'
import {argocdServers} from '../cluster/servers.js'
import type {ReconcilerKind} from './describe-reconciled.js'
import {createAll, documentsIn, programOf, serveCrds} from './programs.js'
import {TREES} from './tree-repository.js'

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
  flags: url => ['--layout', 'argocd', '--repo-url', url],
  async start(cluster, _url, repository) {
    const {kube} = cluster
    await serveCrds(kube, argocdServers)
    await createAll(kube, settingsOf(cluster))
    const group = await startServers(cluster)
    // The cluster that Argo CD runs in has this URL only within a Pod.
    for (const tree of TREES) {
      const file = repository.read(`${tree}/argocd/application.yaml`)
      await createAll(kube, documentsIn(file.replace('https://kubernetes.default.svc', cluster.url)))
    }
    return {reconciled: commit => reconciled(kube, group, commit), stop: () => group.stop()}
  },
}

/** https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup */
function settingsOf({url, tokens}: TestCluster): readonly JsonObject[] {
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
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'cluster',
        namespace: NAMESPACE,
        labels: {'argocd.argoproj.io/secret-type': 'cluster'},
      },
      stringData: {
        name: 'test',
        server: url,
        config: JSON.stringify({bearerToken: tokens.admin, tlsClientConfig: {insecure: true}}),
      },
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
  const env = {PATH, KUBECONFIG: kubeconfig, ARGOCD_GPG_ENABLED: 'false'}
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
      ...['--metrics-port', `${health}`],
    ],
    {...env, ARGOCD_BINARY_NAME: 'argocd-application-controller'},
  )
  return group
}

/** Requests comparisons with the repository, and waits for the syncs that follow. */
async function reconciled(kube: Kube, group: ServerGroup, commit: string): Promise<void> {
  const paths = TREES.map(tree => `${APPLICATIONS}/${tree}`)
  const get = (path: string) => async () => {
    group.assertRunning()
    return (await kube.send('GET', path)).body
  }
  try {
    for (const path of paths) {
      const refresh = {metadata: {annotations: {'argocd.argoproj.io/refresh': 'hard'}}}
      accepted(await kube.send('PATCH', path, refresh, 'application/merge-patch+json'))
    }
    for (const path of paths) {
      await until(
        get(path),
        ({metadata, status}) =>
          !('argocd.argoproj.io/refresh' in asObject(asObject(metadata).annotations)) &&
          isDone(asObject(status), commit),
        PATIENCE,
      )
    }
  } catch (error) {
    throw new Error(`not reconciled\n${group.lastLines(15)}`, {cause: error})
  }
}

function isDone({sync, health, operationState}: JsonObject, commit: string): boolean {
  const {status, revision} = asObject(sync)
  const {phase} = asObject(operationState)
  return (
    status === 'Synced' &&
    asText(revision) === commit &&
    asObject(health).status === 'Healthy' &&
    phase === 'Succeeded'
  )
}
