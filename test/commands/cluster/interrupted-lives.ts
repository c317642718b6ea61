import {expect} from '@jest/globals'
import {asObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted, until} from '../../cluster/kube.js'
import type {Listen} from '../../listening.js'
import {type ClusterState, stateOf} from './cluster-state.js'
import {runIn} from './installing.js'
import {gated, interrupted, type InterruptedRun, type Interruption, type RunGated} from './interrupted-run.js'
import {DemoPackages, ownedBy} from './some-world.js'

/** What a life consists of, in this order; the dependency is removed after it. */
export const VERBS = ['install', 'upgrade', 'uninstall'] as const
export type Verb = (typeof VERBS)[number]

/** An undisturbed run: its writes, and the cluster after it. */
interface Undisturbed {
  readonly writes: readonly string[]
  readonly state: ClusterState
}

/** Lives of an application and its dependency in a cluster that has nothing else. */
export interface Lives {
  readonly undisturbed: Readonly<Record<Verb, Undisturbed>>
  /**
   * Runs every verb interrupted, and the same command again, which has to lead to the state of an undisturbed run.
   * Afterwards the cluster is empty again.
   */
  live(interruptionOf: (verb: Verb) => Interruption): Promise<void>
}

const NAMESPACE = 'crossplane-system'
const LEASE = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {namespace: NAMESPACE, name: 'kubectl-crossplane'},
}

const INVENTORY = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {namespace: NAMESPACE, name: 'crossplane-package.demo-app'},
}

/** Lives once undisturbed. */
export async function lives(cluster: TestCluster, listen: Listen): Promise<Lives> {
  const [run, commands, empty] = [await gated(cluster, listen), commandsOf(), await stateOf(cluster)]
  const undisturbed: Partial<Record<Verb, Undisturbed>> = {}
  for (const verb of VERBS) {
    const {status, stderr, writes} = await interrupted(run, commands[verb])
    expect({status, stderr}).toMatchObject({status: 0})
    undisturbed[verb] = {writes, state: await stateOf(cluster)}
  }
  await clear(cluster, empty)
  return {
    undisturbed: undisturbed as Record<Verb, Undisturbed>,
    async live(interruptionOf) {
      for (const verb of VERBS) {
        await repeated({cluster, run, args: commands[verb]}, interruptionOf(verb), undisturbed[verb]!.state)
      }
      await clear(cluster, empty)
    },
  }
}

function commandsOf(): Readonly<Record<Verb, readonly string[]>> {
  const [old, next] = [new DemoPackages(), new DemoPackages()]
  for (const world of [old, next]) world.publish('sql', 'v1.0.0').publish('app', 'v1.0.0', 'sqls')
  next.publish('sql', 'v2.0.0').publish('app', 'v2.0.0', 'sqls')
  // Nothing makes Deployments available here.
  const flags = ['--no-wait', '--yes']
  return {
    install: [
      ...['package', 'install', 'demo/app', '--packages', old.folder, '--namespace', NAMESPACE],
      ...[...ownedBy('sql'), '--with-package-api', '--create-namespace', ...flags],
    ],
    upgrade: ['package', 'upgrade', '--packages', next.folder, ...flags],
    uninstall: ['package', 'uninstall', `${NAMESPACE}/demo-app`, '--yes'],
  }
}

interface Repeated {
  readonly cluster: TestCluster
  readonly run: RunGated
  readonly args: readonly string[]
}

async function repeated(
  {cluster, run, args}: Repeated,
  interruption: Interruption,
  want: ClusterState,
): Promise<void> {
  const first = await interrupted(run, args, interruption)
  const at = `${interruption.signal} at ${first.writes.at(-1) ?? ''}\n${first.stderr}`
  endsAsExpected(first, interruption, at)
  const wasRemoved = args.includes('uninstall') && (await cluster.kube.get(INVENTORY)).code === 404
  await releaseLease(cluster)
  const again = await runIn(cluster, ...args)
  const both = `${at}\n${again.stderr}`
  expect({both, status: again.status, state: await stateOf(cluster)}).toEqual({
    both,
    status: wasRemoved ? 1 : 0,
    state: want,
  })
  const isIdle = wasRemoved || /^\d+ unchanged$/m.test(again.stderr)
  // A killed run leaves its Lease behind, which expires; another run deletes it if there is something to do.
  if (!isIdle) expect((await cluster.kube.get(LEASE)).code).toBe(404)
}

const STATUS = {SIGINT: 130, SIGTERM: 143}

/** Expects that a run ended as its signal makes it end; `at` describes it. */
export function endsAsExpected(run: InterruptedRun, interruption: Interruption, at: string): void {
  expect({at, ...endOf(run)}).toEqual({at, ...expectedEnd(run, interruption)})
}

function endOf({status, signal}: InterruptedRun) {
  return {status, signal}
}

/** A change that is complete when the signal comes succeeds. */
function expectedEnd(
  {status, isInterrupted}: InterruptedRun,
  {signal}: Interruption,
): ReturnType<typeof endOf> {
  if (!isInterrupted) return {status: 0, signal: null}
  if (signal === 'SIGKILL') return {status: null, signal}
  return {status: status === 0 ? 0 : STATUS[signal], signal: null}
}

/** Releases the Lease of a killed run, which would expire. */
export async function releaseLease({kube}: TestCluster, namespace = NAMESPACE): Promise<void> {
  const {code, body} = await kube.get({...LEASE, metadata: {...LEASE.metadata, namespace}})
  if (code === 404) return
  accepted(await kube.replace({...body, spec: {...asObject(body.spec), holderIdentity: ''}}))
}

/** Removes the dependency, and what an uninstall leaves: the base and the Namespace, which nothing else removes here. */
async function clear(cluster: TestCluster, empty: ClusterState): Promise<void> {
  const {kube} = cluster
  const removed = await runIn(cluster, 'package', 'uninstall', `${NAMESPACE}/demo-sql`, '--yes')
  expect(removed).toMatchObject({status: 0})
  const added = Object.entries(await stateOf(cluster)).filter(([name]) => empty[name] === undefined)
  for (const answer of await Promise.all(added.map(([, object]) => kube.delete(object)))) accepted(answer)
  accepted(await kube.send('DELETE', `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`))
  const namespace = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: NAMESPACE}}
  const finalized = {...namespace, spec: {finalizers: []}}
  accepted(await kube.send('PUT', `/api/v1/namespaces/${NAMESPACE}/finalize`, finalized))
  const codes = () => Promise.all(added.map(async ([, object]) => (await kube.get(object)).code))
  await until(codes, found => found.every(code => code === 404), 15)
}
