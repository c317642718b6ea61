import {CONTENT_MANAGER, isAppliedBy} from '../../cluster/claims.js'
import type {Inventory, LeftCrd} from '../../cluster/inventory/inventory.js'
import {CRD_KIND, isCrd} from '../../kubernetes/crd-kind.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {crdName} from '../../index/package-summary.js'
import {CORE_KINDS} from '../../render/core-kinds.js'
import {isClaim} from '../../render/labels.js'
import {count, shellWord} from '../../text.js'
import type {KeptObject} from '../plan.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import {otherUsers} from './crd-users.js'
import {isRemembered, uidOf} from './ownership.js'

/** A CRD that an install left behind, as it is now. */
export interface LeftBehind {
  readonly crd: string
  /** The number of its custom resources, which have no controller; absent if they cannot be counted. */
  readonly instances?: number
  /** The reason why they cannot be counted. */
  readonly reason?: string
}

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

/** States what is left of a CRD. */
export function leftText({crd, instances, reason}: LeftBehind): string {
  if (instances === undefined)
    return `${crd} is left behind; its custom resources cannot be counted: ${reason ?? ''}`
  if (instances === 0) return `${crd} is left behind and has no custom resources`
  const verb = instances === 1 ? 'has' : 'have'
  return `${crd} is left behind: ${count(instances, 'custom resource')} ${verb} no controller`
}

/** The command that shows the custom resources of a CRD or, where there are none, deletes it. */
export function leftCommand({crd, instances}: LeftBehind): string {
  return instances === 0
    ? `kubectl delete customresourcedefinition ${shellWord(crd)}`
    : `kubectl get ${shellWord(crd)} --all-namespaces`
}

/** The CRDs that stay although their install is removed. */
export function keptLeft(left: readonly LeftBehind[]): readonly KeptObject[] {
  return left.map(behind => ({
    object: {...CRD_KIND, name: behind.crd},
    reason: `${leftText(behind)}; ${leftCommand(behind)}`,
  }))
}
