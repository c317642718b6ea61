import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {freePort} from '../cluster/free-port.js'
import {accepted, type Kube, until} from '../cluster/kube.js'
import {openServerGroup, type ServerGroup} from '../cluster/server-group.js'
import {fluxServers} from '../cluster/servers.js'
import type {ReconcilerKind} from './describe-reconciled.js'
import {createAll, documentsIn, programOf, serveCrds} from './programs.js'
import {TREES} from './tree-repository.js'

const NAMESPACE = 'flux-system'
const KUSTOMIZATIONS = `/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/${NAMESPACE}/kustomizations`
const SOURCE = `/apis/source.toolkit.fluxcd.io/v1/namespaces/${NAMESPACE}/gitrepositories/flux-system`
const REQUESTED = 'reconcile.fluxcd.io/requestedAt'
/** Seconds. */
const PATIENCE = 240

/** Flux: its source-controller and its kustomize-controller. */
export const flux: ReconcilerKind = {
  name: 'Flux',
  servers: fluxServers,
  tools: [],
  flags: () => ['--layout', 'flux'],
  async start(cluster, url, repository) {
    const {kube} = cluster
    await serveCrds(kube, fluxServers)
    accepted(await kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: NAMESPACE}}))
    const group = await startControllers(cluster)
    for (const tree of TREES) {
      const start = repository.read(`${tree}/flux/start.yaml`).replace(/url: .*/, `url: ${url}`)
      await createAll(kube, documentsIn(start))
    }
    let requests = 0
    return {
      reconciled: commit => reconciled(kube, group, commit, `${(requests += 1)}`),
      stop: () => group.stop(),
    }
  },
}

async function startControllers({kubeconfig}: TestCluster): Promise<ServerGroup> {
  const group = await openServerGroup('kubectl-crossplane-flux-')
  const storage = `127.0.0.1:${await freePort()}`
  const flags = async () => [
    '--enable-leader-election=false',
    '--watch-all-namespaces',
    '--events-addr=',
    '--interval-jitter-percentage=0',
    '--metrics-addr=0',
    `--health-addr=127.0.0.1:${await freePort()}`,
  ]
  const own = {
    'source-controller': [
      `--storage-path=${group.folder}`,
      `--storage-addr=${storage}`,
      `--storage-adv-addr=${storage}`,
    ],
    'kustomize-controller': ['--requeue-dependency=2s'],
  }
  const env = {KUBECONFIG: kubeconfig, RUNTIME_NAMESPACE: NAMESPACE}
  for (const [name, more] of Object.entries(own)) {
    const program = programOf(fluxServers.find(each => each.name === name)!)
    await group.start(name, program, [...(await flags()), ...more], env)
  }
  return group
}

/** Requests a reconciliation of everything, in the order in which one needs the other. */
async function reconciled(kube: Kube, group: ServerGroup, commit: string, token: string): Promise<void> {
  const get = (path: string) => async () => {
    group.assertRunning()
    return (await kube.send('GET', path)).body
  }
  const request = async (path: string) => {
    const body = {metadata: {annotations: {[REQUESTED]: token}}}
    accepted(await kube.send('PATCH', path, body, 'application/merge-patch+json'))
  }
  try {
    await request(SOURCE)
    await until(
      get(SOURCE),
      ({status}) => isAt(asObject(asObject(status).artifact).revision, commit),
      PATIENCE,
    )
    const roots = TREES.map(tree => `${KUSTOMIZATIONS}/${tree}`)
    for (const root of roots) await request(root)
    for (const root of roots) {
      await until(get(root), each => isReconciled(each, commit, token), PATIENCE)
    }
    const names = async () => asObjects((await get(KUSTOMIZATIONS)()).items).map(nameOf)
    for (const name of await names()) await request(`${KUSTOMIZATIONS}/${name}`)
    await until(
      get(KUSTOMIZATIONS),
      ({items}) => asObjects(items).every(each => isReconciled(each, commit, token)),
      PATIENCE,
    )
  } catch (error) {
    throw new Error(`not reconciled\n${group.lastLines(15)}`, {cause: error})
  }
}

function isReconciled({metadata, status}: JsonObject, commit: string, token: string): boolean {
  const {conditions, lastAppliedRevision, lastHandledReconcileAt, observedGeneration} = asObject(status)
  const ready = asObjects(conditions).find(({type}) => type === 'Ready')
  return (
    ready?.status === 'True' &&
    isAt(lastAppliedRevision, commit) &&
    lastHandledReconcileAt === token &&
    observedGeneration === asObject(metadata).generation
  )
}

/** A revision is `main@sha1:COMMIT`. */
function isAt(revision: unknown, commit: string): boolean {
  return typeof revision === 'string' && revision.endsWith(commit)
}

function nameOf({metadata}: JsonObject): string {
  return asText(asObject(metadata).name)
}
