import {isReservedGroup} from '../../../kubernetes/api-groups.js'
import {CORE_KINDS, EMPTY_CORE_GROUP} from '../../../render/core-kinds.js'

/** The groups of the claims that Crossplane itself included. */
const CORE_CLAIMS = [
  'cache.crossplane.io',
  'compute.crossplane.io',
  'database.crossplane.io',
  'storage.crossplane.io',
]

/**
 * Reports whether a group can have claims: Crossplane's own do, and any group whose kinds are unknown can. `owned` are
 * the groups of the package.
 */
export function canHaveClaims(group: string, owned: ReadonlySet<string>): boolean {
  if (CORE_CLAIMS.includes(group)) return true
  const isOther = CORE_KINDS.some(kind => kind.group === group) || group === EMPTY_CORE_GROUP
  return !isOther && !group.includes('*') && !isReservedGroup(group) && !owned.has(group)
}
