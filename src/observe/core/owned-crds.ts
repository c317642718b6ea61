import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {CoreRequest, CoreState} from '../../plan/cluster/state/core-state.js'
import {type LostScope, servedKind} from '../../plan/cluster/crds/lost-instances.js'
import {uidOf} from '../../plan/cluster/state/ownership.js'
import type {LostInstances} from '../../plan/uninstall-impact.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {asObjects, asText} from '../../yaml/json-value.js'
import {countIn} from '../instances/lost-instances.js'
import {CONCURRENCY, readObjects} from '../objects/read-live.js'

const CRDS = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
/** All versions of Crossplane serve it. */
const XRDS = {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition'}

/** What activated managed resources have; a core before v2 does not serve it. */
const MRDS = {apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'ManagedResourceDefinition'}

/** A CRD that a core installed for a request: its own, or that of one of its XRDs or ManagedResourceDefinitions. */
export interface OwnedCrd {
  readonly request: CoreRequest
  readonly crd: KubernetesObject
}

/** Finds the CRDs of requests by their owners, also those of earlier revisions, which the core keeps. Throws the errors of the API. */
export async function ownedCrds(
  requests: readonly CoreRequest[],
  {revisions}: Pick<CoreState, 'revisions'>,
  api: ClusterApi,
): Promise<readonly OwnedCrd[]> {
  if (requests.length === 0) return []
  const owners = new Map<string, CoreRequest>()
  for (const request of requests) owners.set(request.uid, request)
  for (const {kind, request: name, uid} of revisions) {
    const request = requests.find(one => one.kind === kind && one.name === name)
    if (request !== undefined) owners.set(uid, request)
  }
  const definitions = (await api.resource(MRDS)) === undefined ? [XRDS] : [XRDS, MRDS]
  for (const kind of definitions)
    for (const {object, request} of await ownedBy(owners, kind, api)) owners.set(uidOf(object), request)
  const crds = (await ownedBy(owners, CRDS, api)).filter(({object}) => isCrd(object))
  const live = await readObjects(
    crds.map(({object}) => nameOf(object)),
    api,
  )
  const byName = new Map([...live.values()].map(crd => [crd.metadata.name, crd]))
  return crds.flatMap(({object, request}) => {
    const crd = byName.get(object.metadata.name)
    return crd === undefined ? [] : [{request, crd}]
  })
}

async function ownedBy(
  owners: ReadonlyMap<string, CoreRequest>,
  kind: typeof CRDS,
  api: ClusterApi,
): Promise<readonly {readonly object: KubernetesObject; readonly request: CoreRequest}[]> {
  const owned: {readonly object: KubernetesObject; readonly request: CoreRequest}[] = []
  for await (const object of api.list(kind, {metadataOnly: true})) {
    const uids = asObjects(object.metadata.ownerReferences).map(({uid}) => asText(uid))
    const request = uids.flatMap(uid => owners.get(uid) ?? [])[0]
    // A list of metadata has no kinds.
    if (request !== undefined) owned.push({object: {...object, ...kind}, request})
  }
  return owned
}

/** Counts the custom resources of CRDs, by the names of the CRDs. Throws the errors of the API. */
export async function countInstances(
  crds: readonly KubernetesObject[],
  api: ClusterApi,
  isListed = false,
): Promise<ReadonlyMap<string, LostInstances>> {
  const counts = new Map<string, LostInstances>()
  await mapConcurrent([...crds], CONCURRENCY, async crd => {
    const scope = allInstances(crd)
    if (scope !== undefined) counts.set(crd.metadata.name, await countIn(scope, api, isListed))
  })
  return counts
}

/** Returns the scope of all custom resources of a CRD; undefined if no version is served. */
export function allInstances(crd: KubernetesObject): LostScope | undefined {
  const kind = servedKind(crd.spec)
  return kind && {crd: nameOf(crd), kind, servedIn: new Set()}
}
