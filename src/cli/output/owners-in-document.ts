import type {FirstOwner} from '../../resolve/first-owners.js'
import type {OwnerChange} from '../../resolve/resolution.js'

/** Returns the changed owners of groups as a field of a document, with those of a first use; no field without any. */
export function ownersInDocument(
  firstOwners: readonly FirstOwner[],
  changes: readonly OwnerChange[],
): {readonly owners?: readonly Readonly<Partial<OwnerChange>>[]} {
  const first = firstOwners
    .filter(({before}) => before === undefined)
    .flatMap(({identity, groups}) => groups.map(group => ({group, after: identity, isAssigned: false})))
  const owners = [...changes, ...first]
  return owners.length === 0 ? {} : {owners}
}
