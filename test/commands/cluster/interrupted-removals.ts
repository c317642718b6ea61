import {expect} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted, until} from '../../cluster/kube.js'
import type {Listen} from '../../listening.js'
import {type ClusterState, stateOf} from './cluster-state.js'
import {runIn} from './installing.js'
import {endsAsExpected, releaseLease} from './interrupted-lives.js'
import {gated, interrupted, type Interruption, type RunGated} from './interrupted-run.js'
import {DemoPackages, ownedBy} from './some-world.js'

/** The removals of a round, in this order. */
const REMOVALS = ['custom resources', 'dependencies', 'rebuilt inventory'] as const
type Removal = (typeof REMOVALS)[number]

/** Removals in a cluster with a neighbor, which has an install and an instance of its own. */
export interface Removals {
  /** The writes of each removal without an interruption. */
  readonly writes: Readonly<Record<Removal, readonly string[]>>
  /** Runs every removal interrupted, and the same command again, which has to lead to the state of an undisturbed run. */
  round(interruptionOf: (removal: Removal) => Interruption): Promise<void>
}

const NAMESPACE = 'crossplane-system'

/** What each removal removes, the numbers of custom resources confirmed. */
const COMMANDS: Readonly<Record<Removal, readonly string[]>> = {
  'custom resources': [`${NAMESPACE}/demo-cache`, '--custom-resources', 'delete', '--confirm-delete', '3'],
  dependencies: [
    ...[`${NAMESPACE}/demo-app`, '--with-unused-dependencies'],
    ...['--custom-resources', 'delete', '--confirm-delete', '1'],
  ],
  'rebuilt inventory': [`${NAMESPACE}/demo-lost`, '--adopt'],
}

const INSTANCES = [
  {kind: 'CACHES', plural: 'caches', names: ['one', 'two', 'three']},
  {kind: 'SQLS', plural: 'sqls', names: ['db']},
]

/** Runs each removal once undisturbed. */
export async function removals(cluster: TestCluster, listen: Listen): Promise<Removals> {
  const run = await gated(cluster, listen)
  const {folder} = world()
  const prepare = () => prepared(cluster, folder)
  await prepare()
  accepted(await cluster.kube.create(instanceOf('NEIGHBORS', 'theirs')))
  const writes: Partial<Record<Removal, readonly string[]>> = {}
  const states: Partial<Record<Removal, ClusterState>> = {}
  for (const removal of REMOVALS) {
    const {status, stderr, writes: sent} = await interrupted(run, commandOf(removal))
    expect({removal, status, stderr}).toMatchObject({removal, status: 0})
    writes[removal] = sent
    states[removal] = await stateOf(cluster)
  }
  return {
    writes: writes as Record<Removal, readonly string[]>,
    async round(interruptionOf) {
      await prepare()
      for (const removal of REMOVALS) {
        await repeated({cluster, run}, removal, interruptionOf(removal), states[removal]!)
      }
    },
  }
}

function world(): DemoPackages {
  const all = new DemoPackages()
  for (const name of ['cache', 'sql', 'lost', 'neighbor']) all.publish(name, 'v1.0.0')
  all.publish('app', 'v1.0.0', 'sqls')
  const packages = ['cache', 'app', 'lost', 'neighbor'].map(name => `- package: demo/${name}:v1.0.0\n`)
  writeFileSync(
    join(all.folder, 'crossplane-packages.yaml'),
    `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n${packages.join('')}`,
  )
  return all
}

/** Installs what is removed, with instances, and deletes one of the inventories. */
async function prepared(cluster: TestCluster, folder: string): Promise<void> {
  const {status, stderr} = await runIn(
    cluster,
    ...[
      'package',
      'install',
      '--declaration',
      join(folder, 'crossplane-packages.yaml'),
      '--packages',
      folder,
    ],
    ...[...ownedBy('sql'), '--with-package-api', '--create-namespace', '--no-wait', '--yes'],
  )
  expect({status, stderr}).toEqual({status: 0, stderr})
  const {kube} = cluster
  for (const {kind, plural, names} of INSTANCES) {
    await until(
      () => kube.send('GET', `/apis/demo.example.org/v1/${plural}`),
      ({code}) => code === 200,
    )
    for (const name of names) accepted(await kube.create(instanceOf(kind, name)))
  }
  accepted(
    await kube.send('DELETE', `/api/v1/namespaces/${NAMESPACE}/configmaps/crossplane-package.demo-lost`),
  )
}

function instanceOf(kind: string, name: string) {
  return {apiVersion: 'demo.example.org/v1', kind, metadata: {name}}
}

function commandOf(removal: Removal): readonly string[] {
  return ['package', 'uninstall', ...COMMANDS[removal], '--ignore-not-found', '--yes']
}

interface Runs {
  readonly cluster: TestCluster
  readonly run: RunGated
}

async function repeated(
  {cluster, run}: Runs,
  removal: Removal,
  interruption: Interruption,
  want: ClusterState,
): Promise<void> {
  const first = await interrupted(run, commandOf(removal), interruption)
  const at = `${removal}: ${interruption.signal} at ${first.writes.at(-1) ?? ''}\n${first.stderr}`
  endsAsExpected(first, interruption, at)
  await releaseLease(cluster)
  const again = await runIn(cluster, ...commandOf(removal))
  const both = `${at}\n${again.stderr}`
  expect({both, status: again.status, state: await stateOf(cluster)}).toEqual({
    both,
    status: 0,
    state: want,
  })
}
