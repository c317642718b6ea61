import {join} from 'node:path'
import {expect} from '@jest/globals'
import {loadAll} from 'js-yaml'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted, createServed, until} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {CORPUS_ROOT, corpusEntries, registryFilesIn} from '../../corpus.js'
import {claimManager, isAppliedBy} from '../../../src/cluster/claims.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import {corpusPackage, runIn} from './installing.js'

/** A version of a package of the corpus, and the next one there. */
export interface Neighbors {
  readonly name: string
  readonly from: string
  readonly to: string
}

/** All versions of providers of the corpus with the next one, by name and version. */
export function providerNeighbors(): readonly Neighbors[] {
  return neighborsIn('corpus').filter(({name}) => name.startsWith('provider-'))
}

/** All versions of packages of a corpus, named by a tag of a release, with the next one. */
export function neighborsIn(corpus: string): readonly Neighbors[] {
  const versions = new Map<string, string[]>()
  for (const entry of corpusEntries(corpus)) {
    const [name = '', version = ''] = entry.split('@')
    if (!version.startsWith('v')) continue
    versions.set(name, [...(versions.get(name) ?? []), version])
  }
  return [...versions].flatMap(([name, all]) => {
    const sorted = [...all].sort((a, b) => (sortable(a) < sortable(b) ? -1 : 1))
    return sorted.slice(1).map((to, index) => ({name, from: sorted[index]!, to}))
  })
}

function sortable(version: string): string {
  return version.replace(/\d+/g, digits => digits.padStart(6, '0'))
}

const FLAGS = [
  '--with-package-api',
  '--create-namespace',
  '--namespace',
  'crossplane-system',
  '--no-wait',
  '--yes',
]
const INSTALL = {namespace: 'crossplane-system', name: 'it'}

/** Installs a version of a provider as the install `it`. */
async function installVersion(cluster: TestCluster, name: string, version: string, ...flags: string[]) {
  return await runIn(cluster, 'package', 'install', ...corpusPackage(name, version, 'it'), ...FLAGS, ...flags)
}

/** The CRDs that the install `it` claims. */
async function claimedCrds(cluster: TestCluster): Promise<readonly KubernetesObject[]> {
  const crds: KubernetesObject[] = []
  for await (const crd of openApi(cluster).list(CRDS)) {
    if (isAppliedBy(crd, claimManager(INSTALL))) crds.push(crd)
  }
  return crds
}

/** Creates one custom resource of each CRD that the install `it` claims; returns the names of the CRDs. */
async function createOfEachKind(cluster: TestCluster): Promise<readonly string[]> {
  const crds = await claimedCrds(cluster)
  for (const {spec} of crds) {
    // A new CRD is not served at once.
    await createServed(cluster.kube, instanceOf(asObject(spec)))
  }
  return crds.map(({metadata}) => metadata.name)
}

/** Uninstalls `it`, and deletes the CRDs of providers with their custom resources. */
export async function deleteProviders(cluster: TestCluster): Promise<void> {
  const flags = ['--custom-resources', 'keep', '--yes', '--no-wait']
  expect(await runIn(cluster, 'package', 'uninstall', 'crossplane-system/it', ...flags)).toMatchObject({
    status: 0,
  })
  await deleteCrdsOfProviders(cluster)
}

/** Deletes the CRDs of providers with their custom resources. */
export async function deleteCrdsOfProviders(cluster: TestCluster): Promise<void> {
  const names: string[] = []
  for await (const {metadata} of openApi(cluster).list(CRDS, {metadataOnly: true})) names.push(metadata.name)
  for (const name of names.filter(each => PROVIDERS.test(each))) {
    await cluster.kube.delete({...CRDS, metadata: {name}})
    await until(
      () => cluster.kube.get({...CRDS, metadata: {name}}),
      ({code}) => code === 404,
    )
  }
}

/** The kind of CRDs. */
export const CRDS = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
const PROVIDERS = /\.(?:aws|azure|gcp|rook)\.crossplane\.io$|\.rook\.crossplane\.io$/

/** An instance with what the schema of the stored version requires. */
export function instanceOf({group, names, scope, versions}: JsonObject): JsonObject {
  const stored = asObjects(versions).find(({storage}) => storage === true) ?? {}
  const sample = asObject(sampleOf(asObject(asObject(stored.schema).openAPIV3Schema)))
  const metadata = {name: 'mine', ...(scope === 'Namespaced' ? {namespace: 'default'} : {})}
  return {
    ...sample,
    apiVersion: `${asText(group)}/${asText(stored.name)}`,
    kind: asText(asObject(names).kind),
    metadata,
  }
}

/** The smallest value that a schema accepts, as far as the schemas of the corpus go. */
function sampleOf(schema: JsonObject): JsonValue {
  const {type, enum: values} = schema
  if (Array.isArray(values)) return (values as readonly JsonValue[])[0] ?? null
  return SAMPLES[asText(type)]?.(schema) ?? null
}

const SAMPLES: Readonly<Record<string, (schema: JsonObject) => JsonValue>> = {
  string: ({format}) => (format === 'date-time' ? '2020-01-01T00:00:00Z' : 'sample'),
  integer: ({minimum = 1}) => minimum,
  number: ({minimum = 1}) => minimum,
  boolean: () => true,
  array: ({minItems, items}) => Array.from({length: Number(minItems ?? 0)}, () => sampleOf(asObject(items))),
  object: ({properties, required}) =>
    Object.fromEntries(asTexts(required).map(name => [name, sampleOf(asObject(asObject(properties)[name]))])),
}

/**
 * Upgrades a provider that serves one custom resource of each of its kinds: each keeps its controller, or the upgrade is
 * rejected and names each that would lose it. Returns the names of these CRDs.
 */
export async function upgradeNeighbors(
  cluster: TestCluster,
  {name, from, to}: Neighbors,
): Promise<readonly string[]> {
  expect(await installVersion(cluster, name, from)).toMatchObject({status: 0})
  const before = await createOfEachKind(cluster)
  expect(before.length).toBeGreaterThan(0)
  const {status, stderr} = await installVersion(cluster, name, to)
  const claimed = new Set((await claimedCrds(cluster)).map(({metadata}) => metadata.name))
  if (status === 0) {
    expect({name, to, lost: before.filter(crd => !claimed.has(crd))}).toEqual({name, to, lost: []})
    return []
  }
  expect({status, stderr}).toEqual({status: 5, stderr})
  // Nothing changed.
  expect(before.filter(crd => !claimed.has(crd))).toEqual([])
  const lines = stderr.slice(stderr.indexOf('Error:')).split('\n')
  const rejected = before.filter(crd => lines.some(line => line.includes(crd) && /\bmine\b/.test(line)))
  expect(rejected).toEqual(expect.arrayContaining(lostCrds({name, from, to})))
  return rejected
}

/**
 * Upgrades with --migrate-versions: custom resources are stored in the new versions and can be read, or the upgrade is
 * rejected and changes nothing. Returns the rules of the rejection; none for an upgrade.
 */
export async function migrateNeighbors(
  cluster: TestCluster,
  {name, to}: Neighbors,
): Promise<readonly string[]> {
  const storedIn = async () =>
    (await claimedCrds(cluster)).map(({metadata, status}) => [
      metadata.name,
      asTexts(asObject(status).storedVersions).join(),
    ])
  const before = await storedIn()
  const {status, stderr} = await installVersion(cluster, name, to, '--migrate-versions')
  if (status !== 0) {
    expect({status, stderr, stored: await storedIn()}).toEqual({status: 5, stderr, stored: before})
    return [...new Set(Array.from(stderr.matchAll(/\[([a-z-]+)\]$/gm), ([, rule = '']) => rule))]
  }
  for (const {metadata, spec, status: state} of await claimedCrds(cluster)) {
    const {group, names, scope, versions} = asObject(spec)
    const storage = asText(asObjects(versions).find(version => version.storage === true)?.name)
    expect([metadata.name, asTexts(asObject(state).storedVersions)]).toEqual([metadata.name, [storage]])
    if (!before.some(([crd]) => crd === metadata.name)) continue
    const mine = {name: 'mine', ...(scope === 'Namespaced' ? {namespace: 'default'} : {})}
    const apiVersion = `${asText(group)}/${storage}`
    accepted(await cluster.kube.get({apiVersion, kind: asText(asObject(names).kind), metadata: mine}))
  }
  return []
}

/** The CRDs that the next version of a package lacks, or of which it lacks the version that is stored. */
function lostCrds({name, from, to}: Neighbors): string[] {
  const after = new Map(crdsOf(name, to).map(crd => [crd.metadata.name, versionsOf(crd)]))
  return crdsOf(name, from)
    .filter(crd => versionsOf(crd).some(version => after.get(crd.metadata.name)?.includes(version) !== true))
    .map(({metadata}) => metadata.name)
    .sort()
}

/** The CRDs of a package of the corpus. */
export function crdsOf(name: string, version: string): readonly KubernetesObject[] {
  const folder = join(CORPUS_ROOT, 'corpus', `${name}@${version}`, '.registry')
  return registryFilesIn(folder)
    .filter(({path}) => /\.ya?ml$/.test(path))
    .map(({bytes}) => Buffer.from(bytes).toString())
    .filter(text => text.includes('kind: CustomResourceDefinition'))
    .flatMap(text => loadAll(text) as (KubernetesObject | null)[])
    .flatMap(document => document ?? [])
    .filter(({kind}) => kind === CRDS.kind)
}

function versionsOf({spec}: KubernetesObject): readonly string[] {
  const {version, versions} = asObject(spec)
  const names = asObjects(versions).map(({name}) => asText(name))
  return names.length > 0 ? names : [asText(version)]
}

/** Upgrades a provider with one VPC, which the next version does not serve. */
export async function upgradeKeeping(cluster: TestCluster, {name, from, to}: Neighbors): Promise<void> {
  expect(await installVersion(cluster, name, from)).toMatchObject({status: 0})
  const vpcs = (await claimedCrds(cluster)).filter(({metadata}) => metadata.name.startsWith('vpcs.'))
  for (const {spec} of vpcs) {
    await createServed(cluster.kube, instanceOf(asObject(spec)))
  }
  const kept = await installVersion(cluster, name, to, '--custom-resources', 'keep')
  expect(kept).toMatchObject({status: 0})
}

/** The CRDs that `package status` reports as left behind, with the number of their custom resources. */
export async function leftBehind(cluster: TestCluster): Promise<Readonly<Record<string, number>>> {
  const {stdout} = await runIn(cluster, 'package', 'status', 'crossplane-system/it', '-o', 'json')
  const {installs} = JSON.parse(stdout) as {
    readonly installs: readonly {readonly leftCrds?: readonly {crd: string; instances: number}[]}[]
  }
  return Object.fromEntries(
    installs.flatMap(({leftCrds = []}) => leftCrds.map(left => [left.crd, left.instances])),
  )
}

/** The command that `doctor` suggests for a CRD. */
export async function suggestedFor(cluster: TestCluster, crd: string): Promise<string | undefined> {
  const {stdout} = await runIn(cluster, 'doctor', '--offline', '-o', 'json')
  const {checks} = JSON.parse(stdout) as {
    readonly checks: readonly {
      readonly check: string
      readonly suggestion?: string
    }[]
  }
  const commands = checks.flatMap(({check, suggestion = ''}) => (check === 'crd' ? [suggestion] : []))
  return commands.find(command => command.split(' ').includes(crd))
}

/** Deletes the custom resource that `upgradeKeeping` created. */
export async function deleteInstances(cluster: TestCluster, crd: string): Promise<void> {
  const {body} = await cluster.kube.get({...CRDS, metadata: {name: crd}})
  accepted(await cluster.kube.delete(instanceOf(asObject(asObject(body).spec))))
}
