import type {ClusterApi, ListOptions} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {isEstablished} from '../../health/readiness/readiness.js'
import {CrossplaneError} from '../../errors.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {
  type CrdUses,
  isLost,
  lostInstance,
  type LostOptions,
  type LostScope,
  lostScope,
} from '../../plan/cluster/crds/lost-instances.js'
import {crdsOf, uidOf} from '../../plan/cluster/state/ownership.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import {kubectlGet} from '../../plan/cluster/objects/object-reasons.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {ListedInstance, LostInstance, LostInstances} from '../../plan/uninstall-impact.js'
import {escaped} from '../../text.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {CONCURRENCY} from '../objects/read-live.js'

/** The maximum number of instances of a CRD to describe. */
const SHOWN = 20

/**
 * Lists the instances of a scope, page by page: whole, or their metadata only. Throws the errors of the API, and
 * `cluster-refused` for a kind that is no longer served: such a kind can have instances.
 */
export async function* lostInstances(
  scope: LostScope,
  api: ClusterApi,
  options: Pick<ListOptions, 'metadataOnly' | 'pageSize'>,
): AsyncIterable<KubernetesObject> {
  const namespace = onlyOf(scope.within)
  try {
    for await (const object of api.list(scope.kind, {namespace, ...options, mustBeServed: true})) {
      if (isLost(object, scope)) yield object
    }
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'not-found') throw error
    if (await canHaveInstances(scope.crd, api)) throw notListed(scope.crd)
  }
}

/** Reports whether a CRD whose kind is not served can have instances: it exists, and was established. */
async function canHaveInstances(crd: ObjectName, api: ClusterApi): Promise<boolean> {
  const live = await api.get(crd)
  return live !== undefined && isEstablished(live)
}

function notListed(crd: ObjectName): CrossplaneError {
  const message = `cannot list the custom resources of ${escaped(crd.name)}: their kind is no longer served`
  return new CrossplaneError('cluster-refused', message, {
    suggestions: [kubectlGet(crd)],
  })
}

/** Counts the instances that lose their controller, by the `objectKey` of their CRDs. Throws the errors of the API. */
export async function countLostInstances(
  removed: readonly Inventory[],
  uses: CrdUses,
  {customResources, isManaged}: Pick<UninstallOptions, 'customResources'> & Pick<LostOptions, 'isManaged'>,
  api: ClusterApi,
): Promise<ReadonlyMap<string, LostInstances>> {
  const counts = new Map<string, LostInstances>()
  await mapConcurrent([...crdsOf(removed)], CONCURRENCY, async ([key, crd]) => {
    const scope = lostScope(crd, removed, uses, {keepsCrds: customResources === 'keep', isManaged})
    if (scope !== undefined) counts.set(key, await countIn(scope, api, customResources === 'delete'))
  })
  return counts
}

/** Counts the instances of scopes, by the `objectKey` of their CRDs. Throws as `lostInstances` does. */
export async function countLost(
  scopes: ReadonlyMap<string, LostScope>,
  api: ClusterApi,
): Promise<ReadonlyMap<string, LostInstances>> {
  const counts = new Map<string, LostInstances>()
  await mapConcurrent([...scopes], CONCURRENCY, async ([key, scope]) => {
    counts.set(key, await countIn(scope, api))
  })
  return counts
}

/** Counts the instances of a scope, and describes the first. Throws as `lostInstances` does. */
export async function countIn(scope: LostScope, api: ClusterApi, isListed = false): Promise<LostInstances> {
  const first: KubernetesObject[] = []
  const listed: ListedInstance[] = []
  let total = 0
  for await (const object of lostInstances(scope, api, {metadataOnly: true})) {
    total++
    if (first.length < SHOWN) first.push(object)
    if (isListed) listed.push({object: {...nameOf(object), ...scope.kind}, uid: uidOf(object)})
  }
  return {total, first: await described(first, scope, api), ...(isListed ? {listed} : {})}
}

/**
 * Adds the facts that only whole objects have. Most instances are on the first page of their scope; the others, such as
 * among many that keep their controller, are read by name.
 */
async function described(
  instances: readonly KubernetesObject[],
  {kind, within}: LostScope,
  api: ClusterApi,
): Promise<readonly LostInstance[]> {
  if (instances.length === 0) return []
  const whole = new Map<string, KubernetesObject>()
  const read = async (options: ListOptions) => {
    let count = 0
    for await (const object of api.list(kind, {...options, pageSize: SHOWN})) {
      whole.set(uidOf(object), object)
      if (++count === SHOWN) break
    }
  }
  await read({namespace: onlyOf(within)})
  const others = instances.filter(object => !whole.has(uidOf(object)))
  await mapConcurrent(others, CONCURRENCY, async ({metadata: {namespace, name}}) => {
    // A list requires no permission besides that which counting the instances has used.
    await read({namespace, fieldSelector: `metadata.name=${name}`})
  })
  return instances.map(object => lostInstance(whole.get(uidOf(object)) ?? object))
}

/** The namespace of a scope that has only one. */
function onlyOf(within: LostScope['within']): string | undefined {
  const [first, ...others] = within ?? []
  return others.length === 0 ? first : undefined
}
