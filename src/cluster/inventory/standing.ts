import type {InstallId} from '../../reference/install-id.js'
import type {SystemRole, SystemRoles} from './system-role.js'

/**
 * Whether an inventory counts. `unverified`: the user may not read the roles. `unwitnessed`: no role proves who wrote it,
 * such as before its install has one. `forged`: it was changed without its witness.
 */
export type Standing = 'witnessed' | 'unverified' | 'unwitnessed' | 'forged'

/**
 * Decides whether an inventory counts. Everything that reads inventories uses this one decision. `hash` is that of the
 * inventory, `roles` those of its install; undefined if the user may not read them.
 */
export function inventoryStanding(hash: string, roles: readonly SystemRole[] | undefined): Standing {
  if (roles === undefined) return 'unverified'
  const witnesses = roles.flatMap(({isApplied, witness}) => (isApplied && witness ? [witness] : []))
  if (witnesses.length === 0) return 'unwitnessed'
  return witnesses.some(({inventories}) => inventories.includes(hash)) ? 'witnessed' : 'forged'
}

/** The system roles of an install; undefined if the user may not read them. */
export function rolesOf(
  roles: SystemRoles | undefined,
  {namespace, name}: InstallId,
): readonly SystemRole[] | undefined {
  return roles && (roles.get(`${namespace}/${name}`) ?? [])
}
