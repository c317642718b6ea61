import type {Inventory} from '../../../cluster/inventory/inventory.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {ERAS} from '../../../render/era.js'
import {claimLabels, isClaim} from '../../../render/labels.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {isSameInstall} from '../state/ownership.js'

type Install = Pick<Inventory['install'], 'namespace' | 'name' | 'era'>

/**
 * The installs besides the given ones that an inventory, a claim or a package record names as users of a CRD: as
 * NAMESPACE/NAME, or as the label of a claim whose install is unknown. Sorted.
 */
export function otherUsers(
  live: KubernetesObject,
  name: ObjectName,
  own: readonly Install[],
  {inventories, recorded}: Pick<ClusterSnapshot, 'inventories' | 'recorded'>,
): readonly string[] {
  const key = objectKey(name)
  const isOther = (install: Omit<Install, 'era'>) =>
    !own.some(ownInstall => isSameInstall(ownInstall, install))
  const others = inventories
    .filter(({install, objects}) => isOther(install) && objects.some(object => objectKey(object) === key))
    .map(({install}) => install)
  const knownClaims = new Set(
    [...own, ...others].flatMap(install => Object.keys(claimLabels(ERAS[install.era], install))),
  )
  const claims = Object.keys(live.metadata.labels ?? {}).filter(
    label => isClaim(label) && !knownClaims.has(label),
  )
  const spec = asObject(live.spec)
  const kind = `${asText(spec.group)} ${asText(asObject(spec.names).kind)}`
  const records = recorded.filter(record => record.kinds.includes(kind) && isOther(record))
  const installs = [...others, ...records].map(install => `${install.namespace}/${install.name}`)
  return [...new Set([...installs, ...claims])].sort()
}
