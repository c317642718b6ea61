import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {inventoryIn} from './named-inventories.js'
import type {ObservedPackages} from './observe-packages.js'

/** Inventories that are read: more than one set has installs. */
const MAX_READ = 200

/**
 * Leaves out the CRDs of first installs that were interrupted before they had a witness: otherwise a dependency whose CRDs
 * were applied would count as present, and the same command would not complete it. Such inventories decide only in the
 * namespaces that a command is about. Throws the errors of the API.
 */
export async function withoutInterrupted(
  observed: ObservedPackages,
  places: ReadonlySet<string>,
  api: ClusterApi,
): Promise<ObservedPackages> {
  const {ignored, served} = observed
  const own = ignored.filter(
    inventory => places.has(inventory.namespace) && inventory.standing === 'unwitnessed',
  )
  const crds = new Set<string>()
  for (const install of own.slice(0, MAX_READ)) {
    const inventory = await inventoryIn(install, api)
    if (inventory === undefined || 'message' in inventory || inventory.phase === 'complete') continue
    for (const {name} of inventory.objects.filter(isCrd)) crds.add(name)
  }
  if (crds.size === 0) return observed
  return {...observed, served: served.filter(({plural, group}) => !crds.has(`${plural}.${group}`))}
}
