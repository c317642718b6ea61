import type {ClusterApi, ResourceKind} from '../../cluster/api/cluster-api.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {OwnedObject} from '../../plan/cluster/core/lock/lost-objects.js'
import {present} from '../../present.js'
import {asObjects, asText} from '../../yaml/json-value.js'

const GROUP = 'apiextensions.crossplane.io'
const DEFINITIONS = {apiVersion: `${GROUP}/v1alpha1`, kind: 'ManagedResourceDefinition'}
const POLICIES = {apiVersion: `${GROUP}/v1alpha1`, kind: 'ManagedResourceActivationPolicy'}

/** The kinds that packages bring. The newest version of a kind that the server has is read. */
const KINDS: readonly (readonly ResourceKind[])[] = [
  [CRD_KIND],
  [DEFINITIONS],
  [
    {apiVersion: `${GROUP}/v2`, kind: 'CompositeResourceDefinition'},
    {apiVersion: `${GROUP}/v1`, kind: 'CompositeResourceDefinition'},
  ],
  [{apiVersion: `${GROUP}/v1`, kind: 'Composition'}],
  [POLICIES],
  [{apiVersion: 'ops.crossplane.io/v1alpha1', kind: 'Operation'}],
  [{apiVersion: 'ops.crossplane.io/v1alpha1', kind: 'CronOperation'}],
  [{apiVersion: 'ops.crossplane.io/v1alpha1', kind: 'WatchOperation'}],
  [{apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration'}],
  [{apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration'}],
]

/** Reads the objects that packages bring and that have owners, with their metadata only. Throws the errors of the API. */
export async function readOwned(api: Pick<ClusterApi, 'list' | 'resource'>): Promise<readonly OwnedObject[]> {
  const lists = await Promise.all(KINDS.map(versions => listOwned(versions, api)))
  return lists.flat()
}

/** Reads the names and owners of all ManagedResourceDefinitions; none for a core without them. Throws the errors of the API. */
export async function readDefinitions(
  api: Pick<ClusterApi, 'list'>,
): Promise<readonly Pick<OwnedObject, 'name' | 'owners'>[]> {
  const definitions: Pick<OwnedObject, 'name' | 'owners'>[] = []
  for await (const {metadata} of api.list(DEFINITIONS, {metadataOnly: true}))
    definitions.push({name: metadata.name, owners: ownersOf(metadata)})
  return definitions
}

/** Reads all ManagedResourceActivationPolicies; none for a core without them. Throws the errors of the API. */
export async function readPolicies(api: Pick<ClusterApi, 'list'>): Promise<readonly KubernetesObject[]> {
  const policies: KubernetesObject[] = []
  for await (const policy of api.list(POLICIES)) policies.push(policy)
  return policies
}

function ownersOf({ownerReferences}: KubernetesObject['metadata']): readonly string[] {
  return asObjects(ownerReferences).map(({uid}) => asText(uid))
}

function controllerOf({ownerReferences}: KubernetesObject['metadata']): string | undefined {
  const owner = asObjects(ownerReferences).find(({controller}) => controller === true)
  return owner === undefined ? undefined : asText(owner.uid)
}

async function listOwned(
  versions: readonly ResourceKind[],
  api: Pick<ClusterApi, 'list' | 'resource'>,
): Promise<readonly OwnedObject[]> {
  for (const kind of versions) {
    if ((await api.resource(kind)) === undefined) continue
    const objects: OwnedObject[] = []
    for await (const {metadata} of api.list(kind, {metadataOnly: true})) {
      const owners = ownersOf(metadata)
      if (owners.length === 0) continue
      const controller = controllerOf(metadata)
      objects.push({
        ...{kind: kind.kind, name: metadata.name, uid: asText(metadata.uid), owners},
        ...present({controller}),
      })
    }
    return objects
  }
  return []
}
