import {claimManager, isAppliedBy} from '../../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {objectKey, objectText} from '../../../kubernetes/object-key.js'
import {ERAS} from '../../../render/era.js'
import {claimLabels} from '../../../render/labels.js'
import {escaped, listNames} from '../../../text.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {otherUsers} from '../crds/crd-users.js'
import {servingInstalls} from '../crds/lost-instances.js'
import {crdsOf, whyKept} from '../state/ownership.js'

/**
 * Rejects the deletion of instances that may not be those of the removed installs: another user of the CRD can serve
 * them, of which no inventory tells the namespaces, or the CRD does not show that any of the installs uses it. Anyone
 * who may edit ConfigMaps can name a CRD in an inventory.
 */
export function sharedInstances(
  removed: readonly Inventory[],
  snapshot: ClusterSnapshot,
): readonly Diagnostic[] {
  return [...crdsOf(removed)].flatMap(([key, crd]) => {
    const live = snapshot.live.get(key)
    const {listed = []} = snapshot.instances.get(key) ?? {}
    const why =
      live === undefined || listed.length === 0 ? undefined : whyShared(crd, live, removed, snapshot)
    return why === undefined ? [] : [rejection(crd, why)]
  })
}

function whyShared(
  crd: InventoryObject,
  live: KubernetesObject,
  removed: readonly Inventory[],
  snapshot: ClusterSnapshot,
): string | undefined {
  const key = objectKey(crd)
  const serving = new Set(
    servingInstalls(live, key, removed, snapshot).map(({namespace, name}) => `${namespace}/${name}`),
  )
  const installs = removed.map(({install}) => install)
  const others = otherUsers(live, crd, installs, snapshot).filter(otherUser => !serving.has(otherUser))
  if (others.length > 0) return `${listNames(others.map(escaped))} can also serve them`
  const isOwn = removed.some(inventory =>
    inventory.objects.some(object => objectKey(object) === key && isUsedBy(live, {inventory, object})),
  )
  return isOwn ? undefined : 'the CRD has no claim of the install'
}

/** Reports whether a CRD shows that an install created or claims it. */
function isUsedBy(
  live: KubernetesObject,
  {inventory, object}: {readonly inventory: Inventory; readonly object: InventoryObject},
): boolean {
  const {install} = inventory
  if (isAppliedBy(live, claimManager(install))) return true
  const labels = Object.keys(claimLabels(ERAS[install.era], install))
  if (labels.every(label => live.metadata.labels?.[label] !== undefined)) return true
  return whyKept(live, {inventory, object}) === undefined
}

function rejection(crd: InventoryObject, why: string): Diagnostic {
  return {
    severity: 'error',
    rule: 'instances-shared',
    message: `custom resources of ${escaped(crd.name)} are not deleted: ${why}`,
    subject: {object: objectText(crd)},
    suggestions: ['Delete the custom resources by name, or pass --custom-resources=keep.'],
  }
}
