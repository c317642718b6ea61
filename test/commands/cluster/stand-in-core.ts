import {setTimeout as sleep} from 'node:timers/promises'
import {repeated} from '../../cluster/repeated.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted} from '../../cluster/kube.js'
import {coreReference} from '../../../src/plan/cluster/core/read-core-object.js'
import {revisionName} from '../../../src/xpkg/package-name.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'

const API = 'pkg.crossplane.io'
const LOCK = `/apis/${API}/v1beta1/locks/lock`
const PROVIDERS = `/apis/${API}/v1/providers`
const REVISIONS = `/apis/${API}/v1/providerrevisions`
const MERGE = 'application/merge-patch+json'

const KINDS = [
  ...['Provider', 'Function', 'Configuration'].flatMap(kind => [
    [kind, 'v1'],
    [`${kind}Revision`, 'v1'],
  ]),
  ...['Lock', 'ImageConfig', 'DeploymentRuntimeConfig'].map(kind => [kind, 'v1beta1']),
] as const

/** Serves kinds whose objects can have any content. */
export async function serveAnything(
  {kube}: TestCluster,
  kinds: readonly (readonly [group: string, kind: string, version: string, scope?: string])[],
): Promise<void> {
  for (const [group, kind, version, scope = 'Cluster'] of kinds) {
    const plural = `${kind.toLowerCase()}s`
    const schema = {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}
    const versions = [{name: version, served: true, storage: true, schema, subresources: {status: {}}}]
    accepted(
      await kube.create({
        ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
        metadata: {name: `${plural}.${group}`},
        // The Lock has no subresource.
        spec: {
          ...{group, scope, names: {kind, plural}},
          versions: kind === 'Lock' ? versions.map(({subresources: _none, ...own}) => own) : versions,
        },
      }),
    )
  }
}

/**
 * Stands in for Crossplane v2.3 where a suite needs how a package moves, and not Crossplane: a request gets one revision, an active one is in
 * the Lock and owns the CRD of the package, and controls it if no other one does.
 */
export class StandInCore {
  readonly #cluster: TestCluster
  readonly #digests: ReadonlyMap<string, string>
  readonly #crd: JsonObject
  #end: (() => Promise<void>) | undefined

  constructor(cluster: TestCluster, digests: ReadonlyMap<string, string>, crd: JsonObject) {
    this.#cluster = cluster
    this.#digests = digests
    this.#crd = crd
  }

  async start(): Promise<void> {
    await serveAnything(
      this.#cluster,
      KINDS.map(([kind, version]) => [API, kind ?? '', version ?? '']),
    )
    accepted(await this.#cluster.kube.create(this.#crd))
    await sleep(3000)
    accepted(
      await this.#cluster.kube.create({
        ...{apiVersion: `${API}/v1beta1`, kind: 'Lock', metadata: {name: 'lock'}, packages: []},
      }),
    )
    this.#end = repeated(() => this.#pass(), 300)
  }

  async stop(): Promise<void> {
    await this.#end?.()
  }

  async #list(path: string): Promise<readonly JsonObject[]> {
    return asObjects(accepted(await this.#cluster.kube.send('GET', path)).items)
  }

  async #pass(): Promise<void> {
    const requests = (await this.#list(PROVIDERS)).filter(
      ({metadata}) => asObject(metadata).deletionTimestamp === undefined,
    )
    for (const request of requests) await this.#activate(request)
    const revisions = await this.#list(REVISIONS)
    const active = revisions.filter(({spec}) => asObject(spec).desiredState === 'Active')
    await this.#own(revisions, active)
    await this.#cluster.kube.send('PATCH', LOCK, {packages: active.map(entryOf)}, MERGE)
    for (const request of requests) await this.#report(request, revisions)
  }

  /** With the policy Manual, the state of a revision is that which it had. */
  async #activate({metadata, spec}: JsonObject): Promise<void> {
    const {name, uid} = asObject(metadata)
    const {package: reference, revisionActivationPolicy: policy} = asObject(spec)
    const own = revisionName(asText(name), this.#digests.get(asText(reference)) ?? '')
    const desiredState = 'Active'
    const {code} = await this.#cluster.kube.create({
      ...{apiVersion: `${API}/v1`, kind: 'ProviderRevision'},
      metadata: {
        name: own,
        labels: {'pkg.crossplane.io/package': asText(name)},
        ownerReferences: [
          {apiVersion: `${API}/v1`, kind: 'Provider', name: asText(name), uid: asText(uid), controller: true},
        ],
      },
      spec: {image: asText(reference), revision: 1, ...(policy === 'Manual' ? {} : {desiredState})},
    })
    if (code === 409 && policy !== 'Manual')
      await this.#cluster.kube.send('PATCH', `${REVISIONS}/${own}`, {spec: {desiredState}}, MERGE)
  }

  async #own(revisions: readonly JsonObject[], active: readonly JsonObject[]): Promise<void> {
    const {kube} = this.#cluster
    const {metadata} = accepted(await kube.get(this.#crd))
    const {name, ownerReferences} = asObject(metadata)
    const before = asObjects(ownerReferences)
    const controller =
      before.find(one => one.controller === true && active.some(own => uidOf(own) === one.uid))?.uid ??
      (active[0] === undefined ? undefined : uidOf(active[0]))
    const owners = revisions.map(own => ({
      ...{apiVersion: `${API}/v1`, kind: 'ProviderRevision', name: asText(asObject(own.metadata).name)},
      ...{uid: uidOf(own), controller: uidOf(own) === controller},
    }))
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${asText(name)}`
    if (owners.length > 0) await kube.send('PATCH', path, {metadata: {ownerReferences: owners}}, MERGE)
  }

  async #report(request: JsonObject, revisions: readonly JsonObject[]): Promise<void> {
    const {kube} = this.#cluster
    const {name, generation} = asObject(request.metadata)
    const revision = revisions.find(
      ({metadata}) => asObject(asObject(metadata).labels)['pkg.crossplane.io/package'] === name,
    )
    if (revision === undefined) return
    const crd = asObject(accepted(await kube.get(this.#crd)).metadata)
    const controls = asObjects(crd.ownerReferences).some(
      one => one.controller === true && one.uid === uidOf(revision),
    )
    const isActive = asObject(revision.spec).desiredState === 'Active'
    const condition = (type: string, holds: boolean, reason: string) => ({
      ...{type, status: holds ? 'True' : 'False', reason, observedGeneration: generation ?? 0},
      ...{message: holds ? '' : 'it does not control its objects'},
    })
    const conditions = [
      condition('Installed', isActive, isActive ? 'ActivePackageRevision' : 'InactivePackageRevision'),
      condition('Healthy', controls, 'HealthyPackageRevision'),
    ]
    const own = asText(asObject(revision.metadata).name)
    const status = {
      ...{currentRevision: own, currentIdentifier: asText(asObject(request.spec).package), conditions},
    }
    await kube.send('PATCH', `${PROVIDERS}/${asText(name)}/status`, {status}, MERGE)
    const health = {
      conditions: [condition('RevisionHealthy', controls || !isActive, 'HealthyPackageRevision')],
    }
    await kube.send('PATCH', `${REVISIONS}/${own}/status`, {status: health}, MERGE)
  }
}

function uidOf({metadata}: JsonObject): string {
  return asText(asObject(metadata).uid)
}

function entryOf({metadata, spec}: JsonObject): JsonObject {
  const {repository, tag = ''} = coreReference(asText(asObject(spec).image))
  const name = asText(asObject(metadata).name)
  return {name, kind: 'Provider', apiVersion: `${API}/v1`, source: repository, version: tag, dependencies: []}
}
