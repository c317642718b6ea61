import {expect} from '@jest/globals'
import {cpSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {accepted, until} from '../cluster/kube.js'
import {runIn} from '../commands/cluster/installing.js'
import {CRDS, crdsOf, instanceOf, type Neighbors} from '../commands/cluster/neighboring-versions.js'
import {CORPUS_ROOT} from '../corpus.js'
import {type CommittedHome, WITH_CLUSTER} from './committed-home.js'

/** A controller on a cluster, and a home that it reconciles. */
export interface ReconciledHome {
  readonly cluster: TestCluster
  readonly home: CommittedHome
  readonly reconciler: {
    startTree(tree: string): Promise<void>
    reconciled(commit: string): Promise<void>
  }
}

/** What became of an upgrade: deployed, deployed after a migration of custom resources, or rejected before its commit. */
export type Upgraded = 'deployed' | 'migrated' | 'rejected'

/** Writes both versions of a package of the corpus to a folder of packages, in which it is `crossplane/NAME`. */
export function publishNeighbors(folder: string, {name, from, to}: Neighbors): void {
  for (const version of [from, to]) {
    const entry = `${name}@${version}`
    cpSync(join(CORPUS_ROOT, 'corpus', entry), join(folder, 'crossplane', entry), {recursive: true})
  }
}

/**
 * Installs a provider of the corpus with a custom resource of each kind, and upgrades it, all through Git. If that is
 * rejected, the upgrade is deployed after these custom resources were deleted.
 */
export async function upgradeNeighborsThroughGit(
  place: ReconciledHome,
  {name, from, to}: Neighbors,
): Promise<Upgraded> {
  const crds = crdsOf(name, from).map(({metadata}) => metadata.name)
  await deploy(place, `crossplane/${name}:${from}`, crds)
  const upgraded = await upgradeThroughGit(place, `crossplane/${name}:${to}`, crds)
  if (upgraded !== 'rejected') return upgraded
  for (const crd of crds) await deleteInstance(place.cluster, crd)
  expect(await migrateThroughGit(place, `crossplane/${name}:${to}`, [])).toBe('migrated')
  for (const {metadata} of crdsOf(name, to)) await expectOneStored(place.cluster, metadata.name)
  return upgraded
}

/** Installs a package through Git, and creates a custom resource of each of its CRDs. */
export async function deploy(place: ReconciledHome, ref: string, crds: readonly string[]): Promise<void> {
  const {home, reconciler, cluster} = place
  expect(await home.run('install', ref)).toMatchObject({status: 0})
  const commit = home.push()
  await reconciler.startTree(home.tree)
  await reconciler.reconciled(commit)
  for (const crd of crds) accepted(await createInstance(cluster, crd))
}

/**
 * Upgrades a package through Git, with the steps of the docs if its CRDs lose a version. Each commit is deployed, and
 * afterwards all custom resources can be read and are stored in a version that the package has.
 */
export async function upgradeThroughGit(
  place: ReconciledHome,
  ref: string,
  crds: readonly string[],
): Promise<Upgraded> {
  const {home, reconciler, cluster} = place
  const [head, before] = [home.head(), await instances(cluster, crds)]
  const {status, stderr} = await home.run('upgrade', ref, ...WITH_CLUSTER)
  if (status === 5) {
    expect(home.head()).toBe(head)
    return await migrateThroughGit(place, ref, crds)
  }
  expect({status, stderr}).toEqual({status: 0, stderr})
  await reconciler.reconciled(home.push())
  expect(await instances(cluster, crds)).toEqual(before)
  return 'deployed'
}

/** Serves both versions, migrates the custom resources of these CRDs, and drops the former version. */
async function migrateThroughGit(
  {home, reconciler, cluster}: ReconciledHome,
  ref: string,
  crds: readonly string[],
): Promise<Upgraded> {
  const [head, before] = [home.head(), await instances(cluster, crds)]
  const {status, stderr} = await home.run('upgrade', ref, '--migrate-versions', ...WITH_CLUSTER)
  if (status === 5) {
    expect(home.head()).toBe(head)
    return 'rejected'
  }
  expect({status, stderr}).toEqual({status: 0, stderr})
  await reconciler.reconciled(home.push())
  expect(await instances(cluster, crds)).toEqual(before)
  expect(await runIn(cluster, 'package', 'migrate', '--yes')).toMatchObject({status: 0})
  expect(await home.run('upgrade', ...WITH_CLUSTER)).toMatchObject({status: 0})
  await reconciler.reconciled(home.push())
  expect(await instances(cluster, crds)).toEqual(before)
  for (const crd of crds) await expectOneStored(cluster, crd)
  return 'migrated'
}

async function crdNamed({kube}: TestCluster, name: string): Promise<JsonObject> {
  return (await kube.get({...CRDS, metadata: {name}})).body
}

/** A new CRD is not served at once. */
async function createInstance(cluster: TestCluster, crd: string) {
  const {spec} = await crdNamed(cluster, crd)
  return await until(
    () => cluster.kube.create(instanceOf(asObject(spec))),
    ({code}) => code !== 404,
  )
}

async function deleteInstance(cluster: TestCluster, crd: string): Promise<void> {
  const {spec} = await crdNamed(cluster, crd)
  const instance = instanceOf(asObject(spec))
  accepted(await cluster.kube.delete(instance))
  await until(
    () => cluster.kube.get(instance),
    ({code}) => code === 404,
  )
}

/** The UIDs of the custom resources, by CRD. */
async function instances(
  cluster: TestCluster,
  crds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const uids = new Map<string, string>()
  for (const crd of crds) {
    const {spec} = await crdNamed(cluster, crd)
    const {metadata} = accepted(await cluster.kube.get(instanceOf(asObject(spec))))
    uids.set(crd, asText(asObject(metadata).uid))
  }
  return uids
}

/** Expects that custom resources are stored in the version of a CRD that is the one to store in. */
async function expectOneStored(cluster: TestCluster, crd: string): Promise<void> {
  const {spec, status} = await crdNamed(cluster, crd)
  const stored = asObjects(asObject(spec).versions).filter(({storage}) => storage === true)
  expect([crd, asTexts(asObject(status).storedVersions)]).toEqual([crd, stored.map(({name}) => name)])
}
