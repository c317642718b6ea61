import {CONTENT_MANAGER} from '../../../cluster/claims.js'
import type {Inventory} from '../../../cluster/inventory/inventory.js'
import {type Era, ERAS} from '../../../render/era.js'
import type {InstallId} from '../../../reference/install-id.js'
import {claimant, claimantOf, claimLabels, MANAGED_BY_LABEL, namespaceLabel} from '../../../render/labels.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'

type Install = Pick<Inventory['install'], 'namespace' | 'name' | 'era'>
type Known = Pick<ClusterSnapshot, 'inventories' | 'recorded'>

/**
 * Returns the labels by which an install claims a CRD and that remain when its own field manager gives them up: those that
 * the original package manager wrote. The label of the namespace stays while another install of it can have a claim.
 */
export function leftoverClaims(live: KubernetesObject, install: Install, installs: Known): readonly string[] {
  const labels = Object.keys(claimLabels(ERAS[install.era], install)).filter(
    label => live.metadata.labels?.[label] !== undefined && isWritten(live, label),
  )
  if (!hasOtherClaims(live, install, installs)) return labels
  return labels.filter(label => namespaceLabel(install.namespace)[label] === undefined)
}

/**
 * Returns the label that marks a CRD as managed by an original package manager. Such a manager deletes every CRD that has the
 * label and no claim, with all instances, when it removes any install: a CRD that stays without a claim must not have it.
 */
export function managedLabel(live: KubernetesObject): readonly string[] {
  return eraManaging(live) === undefined || appliers(live, MANAGED_BY_LABEL).length > 0
    ? []
    : [MANAGED_BY_LABEL]
}

/** Returns the era whose package manager a CRD is marked as managed by. */
export function eraManaging({metadata}: KubernetesObject): Era | undefined {
  const marked = metadata.labels?.[MANAGED_BY_LABEL]
  return Object.values(ERAS).find(({managedBy}) => managedBy === marked)
}

/** Returns the other field managers that own a label by server-side apply: they would set it again. */
export function appliers(live: KubernetesObject, label: string): readonly string[] {
  return otherOwners(live, label)
    .filter(({operation}) => operation === 'Apply')
    .map(({manager}) => asText(manager))
}

/** Reports whether a manager owns a label by an update. Without managed fields, no apply removes it either. */
function isWritten(live: KubernetesObject, label: string): boolean {
  const others = otherOwners(live, label)
  if (ownersOf(live, label).length === 0) return true
  return others.length > 0 && others.every(({operation}) => operation === 'Update')
}

/** The owners of a label, except for what this program applied. */
function otherOwners(live: KubernetesObject, label: string): readonly JsonObject[] {
  const isOurs = (manager: string) => manager === CONTENT_MANAGER || manager.startsWith(`${CONTENT_MANAGER}:`)
  return ownersOf(live, label).filter(
    ({manager, operation}) => operation !== 'Apply' || !isOurs(asText(manager)),
  )
}

function ownersOf({metadata}: KubernetesObject, label: string): readonly JsonObject[] {
  return asObjects(metadata.managedFields).filter(({fieldsV1}) => {
    const fields = asObject(asObject(fieldsV1)['f:metadata'])
    return asObject(fields['f:labels'])[`f:${label}`] !== undefined
  })
}

/**
 * Reports whether another claim can be of the same namespace. `a-b-c` can be of `a` or `a-b`: unless it is the claim of an
 * install that is known to be in another namespace, it counts.
 */
function hasOtherClaims(live: KubernetesObject, install: Install, {inventories, recorded}: Known): boolean {
  const installs: readonly InstallId[] = [...inventories.map(inventory => inventory.install), ...recorded]
  const elsewhere = new Set(installs.filter(({namespace}) => namespace !== install.namespace).map(claimantOf))
  const own = claimantOf(install)
  const prefix = claimantOf({...install, name: ''})
  return Object.keys(live.metadata.labels ?? {})
    .flatMap(claimant)
    .some(claim => claim !== own && claim.startsWith(prefix) && !elsewhere.has(claim))
}
