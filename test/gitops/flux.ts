import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {freePort} from '../cluster/free-port.js'
import {accepted, type Kube, until} from '../cluster/kube.js'
import {openServerGroup, type ServerGroup} from '../cluster/server-group.js'
import {fluxServers} from '../cluster/servers.js'
import type {ReconcilerKind} from './describe-reconciled.js'
import {createAll, documentsIn, programOf, serveCrds} from './programs.js'

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
  layout: 'flux',
  flags: () => ['--layout', 'flux'],
  ordersInstalls: true,
  async start(cluster, url, repository) {
    const {kube} = cluster
    await serveCrds(kube, fluxServers)
    accepted(await kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: NAMESPACE}}))
    const group = await startControllers(cluster)
    let requests = 0
    const startOf = (tree: string) =>
      documentsIn(repository.read(`${tree}/flux/start.yaml`).replace(/url: .*/, `url: ${url}`))
    return {
      manager: 'kustomize-controller',
      startFolder: async (folder, prune) => await createAll(kube, [kustomizationOf(folder, prune)]),
      async stopFolder(folder) {
        const path = `${KUSTOMIZATIONS}/${nameOf(kustomizationOf(folder))}`
        accepted(await kube.send('DELETE', path))
        await until(
          () => kube.send('GET', path),
          ({code}) => code === 404,
          PATIENCE,
        )
      },
      startTree: async tree => await createAll(kube, startOf(tree)),
      async restartTree(tree) {
        const [, root] = startOf(tree)
        accepted(
          await kube.send('PATCH', `${KUSTOMIZATIONS}/${tree}`, root ?? {}, 'application/merge-patch+json'),
        )
      },
      async stopTree(name) {
        accepted(await kube.send('DELETE', `${KUSTOMIZATIONS}/${name}`))
        await until(
          async () => asObjects((await kube.send('GET', KUSTOMIZATIONS)).body.items).map(nameOf),
          names => !names.some(unit => unit === name || unit.startsWith(`${name}-`)),
          PATIENCE,
        )
      },
      failed: async (unit, cause) => await failed(kube, unit, cause),
      // A new commit is reconciled at once, not by a retry.
      retries: () => Promise.resolve(0),
      settled: commit => settled(kube, group, commit),
      reconciled: commit => reconciled(kube, group, commit, `${(requests += 1)}`),
      stop: () => group.stop(),
    }
  },
}

/** Applies what is in a folder. */
function kustomizationOf(folder: string, prune = false): JsonObject {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: {name: `only-${folder}`, namespace: NAMESPACE},
    spec: {
      interval: '1h',
      path: `./${folder}`,
      prune,
      sourceRef: {kind: 'GitRepository', name: 'flux-system'},
    },
  }
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
    const answer = await kube.send('PATCH', path, body, 'application/merge-patch+json')
    // One that its root removes can go at any time.
    if (answer.code !== 404) accepted(answer)
  }
  const names = async () => asObjects((await get(KUSTOMIZATIONS)()).items).map(nameOf)
  try {
    await request(SOURCE)
    await until(
      get(SOURCE),
      ({status}) => isAt(asObject(asObject(status).artifact).revision, commit),
      PATIENCE,
    )
    const roots = (await names()).filter(name => !name.includes('-')).map(tree => `${KUSTOMIZATIONS}/${tree}`)
    for (const root of roots) await request(root)
    for (const root of roots) {
      await until(get(root), each => isReconciled(each, commit, token), PATIENCE)
    }
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

/** Waits for a commit without any request: Flux looks for commits every minute. */
async function settled(kube: Kube, group: ServerGroup, commit: string): Promise<void> {
  await until(
    async () => {
      group.assertRunning()
      return (await kube.send('GET', KUSTOMIZATIONS)).body
    },
    ({items}) =>
      asObjects(items).every(({status}) => {
        const {conditions, lastAppliedRevision} = asObject(status)
        const ready = asObjects(conditions).find(({type}) => type === 'Ready')
        return ready?.status === 'True' && isAt(lastAppliedRevision, commit)
      }),
    PATIENCE,
  )
}

/** Waits until a Kustomization has failed for a cause. */
async function failed(kube: Kube, unit: string, cause: string): Promise<void> {
  await until(
    async () => (await kube.send('GET', `${KUSTOMIZATIONS}/${unit}`)).body,
    ({status}) =>
      asObjects(asObject(status).conditions).some(
        ({type, message, ...ready}) =>
          type === 'Ready' && ready.status === 'False' && asText(message).includes(cause),
      ),
    PATIENCE,
  )
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
