import type {FirstOwner} from '../../../resolve/first-owners.js'
import type {OwnerChange} from '../../../resolve/resolution.js'
import type {SignerChange} from '../../../resolve/signer-changes.js'

/**
 * Returns the changed owners of groups as a field of a document, with those of a first use, and the changed signers as another;
 * no field without any.
 */
export function ownersInDocument(
  firstOwners: readonly FirstOwner[],
  changes: readonly OwnerChange[],
  signers: readonly SignerChange[],
): {
  readonly owners?: readonly Readonly<Partial<OwnerChange>>[]
  readonly signers?: readonly SignerChange[]
} {
  const first = firstOwners
    .filter(({before}) => before === undefined)
    .flatMap(({identity, groups}) => groups.map(group => ({group, after: identity, isAssigned: false})))
  const owners = [...changes, ...first]
  return {...(owners.length === 0 ? {} : {owners}), ...(signers.length === 0 ? {} : {signers})}
}
