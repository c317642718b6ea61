import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {type SystemRole, systemRoleIn, type SystemRoles} from '../../cluster/inventory/system-role.js'
import {ERAS} from '../../render/era.js'
import {recordSelector} from '../../render/labels.js'
import {RBAC_GROUP} from '../../render/rbac.js'

const CLUSTER_ROLE = {apiVersion: `${RBAC_GROUP}/v1`, kind: 'ClusterRole'}

/** Reads the system roles of all installs: only administrators can write them. Throws the errors of the API. */
export async function readSystemRoles(api: ClusterApi): Promise<SystemRoles> {
  const roles = new Map<string, SystemRole[]>()
  for (const era of Object.values(ERAS)) {
    const options = {labelSelector: recordSelector(era), metadataOnly: true, managersOnly: true}
    for await (const object of api.list(CLUSTER_ROLE, options)) {
      const role = systemRoleIn(object)
      if (role === undefined) continue
      const key = `${role.namespace}/${role.name}`
      roles.set(key, [...(roles.get(key) ?? []), role])
    }
  }
  return roles
}
