import type {InstallId} from '../../reference/install-id.js'
import type {SystemRole, SystemRoles} from './system-role.js'
import type {Witness} from './witness.js'

/**
 * Whether an inventory counts. `unverified`: the user may not read the roles. `unwitnessed`: no role proves who wrote it,
 * such as before its install has one. `forged`: it was changed without its witness. `missing`: there is a witness of it,
 * but no inventory.
 */
export type Standing = 'witnessed' | 'unverified' | 'unwitnessed' | 'forged' | 'missing'

/**
 * Decides whether an inventory counts. Everything that reads inventories uses this one decision. `hash` is that of the
 * inventory, `roles` those of its install; undefined if the user may not read them.
 */
export function inventoryStanding(
  hash: string,
  roles: readonly SystemRole[] | undefined,
): Exclude<Standing, 'missing'> {
  if (roles === undefined) return 'unverified'
  const witnesses = witnessesIn(roles)
  if (witnesses.length === 0) return 'unwitnessed'
  return witnesses.some(({inventories}) => inventories.includes(hash)) ? 'witnessed' : 'forged'
}

/** The witnesses in system roles that this program applied. */
export function witnessesIn(roles: readonly SystemRole[]): readonly Witness[] {
  return roles.flatMap(({isApplied, witness}) => (isApplied && witness ? [witness] : []))
}

/** The system roles of an install; undefined if the user may not read them. */
export function rolesOf(
  roles: SystemRoles | undefined,
  {namespace, name}: InstallId,
): readonly SystemRole[] | undefined {
  return roles && (roles.get(`${namespace}/${name}`) ?? [])
}
