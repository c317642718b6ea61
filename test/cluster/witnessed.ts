import type {ClusterApi} from '../../src/cluster/api/cluster-api.js'
import {CONTENT_MANAGER} from '../../src/cluster/claims.js'
import type {Inventory} from '../../src/cluster/inventory/inventory.js'
import {
  inventoryHash,
  WITNESS_MANAGER,
  witnessObject,
  witnessOf,
} from '../../src/cluster/inventory/witness.js'
import {ERAS} from '../../src/render/era.js'
import {recordLabels} from '../../src/render/labels.js'
import {asText} from '../../src/yaml/json-value.js'

/** Applies the system role of an install, with a witness of its inventory, as an install does. */
export async function witness(inventory: Inventory, api: ClusterApi): Promise<void> {
  const {install} = inventory
  const era = ERAS[install.era]
  const {namespace, name} = install
  const version = install.package?.version ?? 'v1'
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    name: `${era.personaRolePrefix}${namespace}:${name}:${version}:system`,
  }
  const metadata = {name: role.name, labels: recordLabels(era, install)}
  const {object} = await api.apply(
    {apiVersion: role.apiVersion, kind: role.kind, metadata},
    {manager: CONTENT_MANAGER},
  )
  const witnessed = witnessOf(inventory, [inventoryHash(inventory)])
  await api.apply(witnessObject(role, asText(object.metadata.uid), witnessed), {manager: WITNESS_MANAGER})
}
