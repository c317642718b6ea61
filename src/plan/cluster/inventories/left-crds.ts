import {CONTENT_MANAGER, isAppliedBy} from '../../../cluster/claims.js'
import type {Inventory, LeftCrd} from '../../../cluster/inventory/inventory.js'
import {CRD_KIND, isCrd} from '../../../kubernetes/crd-kind.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {crdName} from '../../../index/package-summary.js'
import {CORE_KINDS} from '../../../render/core-kinds.js'
import {isClaim} from '../../../render/labels.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {otherUsers} from '../crds/crd-users.js'
import {isRemembered, uidOf} from '../state/ownership.js'

/** The objects of the CRDs that an inventory left behind. */
export function leftNames({left = []}: Pick<Inventory, 'left'>): readonly ObjectName[] {
  return left.map(({name}) => ({...CRD_KIND, name}))
}

/**
 * Returns the CRDs that an install leaves behind when its inventory changes: those that this program created for it, that
 * exist, and that neither the install nor another one uses any more.
 */
export function leftCrds(
  before: Inventory | undefined,
  after: Pick<Inventory, 'objects' | 'install'>,
  snapshot: Pick<ClusterSnapshot, 'live' | 'inventories' | 'recorded'>,
): readonly LeftCrd[] {
  if (before === undefined) return []
  const stays = new Set(after.objects.map(objectKey))
  const isLeft = (name: ObjectName, isOwn: (live: KubernetesObject) => boolean) => {
    const live = snapshot.live.get(objectKey(name))
    if (live === undefined || stays.has(objectKey(name)) || !isOwn(live)) return []
    const isUsed = otherUsers(live, name, [after.install], snapshot).length > 0
    return isUsed ? [] : [{name: name.name, uid: uidOf(live)}]
  }
  const earlier = (before.left ?? []).flatMap(({name, uid}) =>
    isLeft({...CRD_KIND, name}, live => uidOf(live) === uid),
  )
  const dropped = before.objects
    .filter(object => isCrd(object) && object.created === true)
    .flatMap(object =>
      isLeft({...CRD_KIND, name: object.name}, live => isRemembered(live, {inventory: before, object})),
    )
  const all = new Map([...earlier, ...dropped].map(crd => [crd.name, crd]))
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const CORE_CRDS = new Set(CORE_KINDS.map(crdName))

/**
 * Reports whether a CRD is one that this program created and that no install claims: neither by its labels nor by an
 * inventory. The CRDs of the base belong to no install.
 */
export function isUnclaimed(crd: KubernetesObject, inventoried: ReadonlySet<string>): boolean {
  const {name, labels = {}} = crd.metadata
  if (CORE_CRDS.has(name) || inventoried.has(name) || Object.keys(labels).some(isClaim)) return false
  return isAppliedBy(crd, CONTENT_MANAGER)
}
