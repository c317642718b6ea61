import {CrossplaneError, type ErrorCode} from '../../errors.js'
import type {FirstOwner} from '../../resolve/first-owners.js'
import {type SignerChange, signerChangeText} from '../../resolve/signer-changes.js'
import {escaped, listSome} from '../../text.js'

/** What a new owner or signer would be confirmed by. */
interface Confirmation {
  readonly code: ErrorCode
  /** Such as `apply the plan`. */
  readonly action: string
  /** The way in which signers are confirmed, and several owners of one group, which no setting can name. */
  readonly review: string
}

/**
 * Throws the given code for new owners without a prompt: write access to an index must not become access to a cluster, so
 * that an owner is confirmed, or named beforehand.
 */
export function expectKnownOwners(owners: readonly FirstOwner[], {code, action, review}: Confirmation): void {
  const rules = owners.flatMap(({identity, groups, before}) =>
    groups.map(group => ({
      ...{group: escaped(group), identity: escaped(identity)},
      was: before === undefined ? '' : `, which ${escaped(before)} owned`,
    })),
  )
  if (rules.length === 0) return
  const named = listSome(rules.map(({group, identity, was}) => `${identity} of ${group}${was}`))
  throw new CrossplaneError(
    code,
    `cannot ${action} without a prompt: new owners of API groups have to be confirmed: ${named}`,
    {
      // An owner is named for a whole group, so that two of one group can only be confirmed.
      suggestions: rules.some((rule, at) => rules.findIndex(({group}) => group === rule.group) !== at)
        ? [review]
        : rules.map(
            ({group, identity}) =>
              `Pass --owner ${group}=${identity}, or add "${group}: ${identity}" to owners in the declaration.`,
          ),
    },
  )
}

/**
 * Throws the given code for other signers than in the lock without a prompt: a policy can trust several, of which another one
 * is confirmed, as a new owner is, or locked beforehand.
 */
export function expectKnownSigners(
  changes: readonly SignerChange[],
  {code, action, review}: Confirmation,
): void {
  const open = changes.filter(({isAssigned}) => !isAssigned)
  if (open.length === 0) return
  throw new CrossplaneError(
    code,
    `cannot ${action} without a prompt: ${open.map(signerChangeText).join('; ')}`,
    {
      suggestions: [
        'Record the signer in the lock file with kubectl crossplane package lock, review the change, and run the command again.',
        review,
      ],
    },
  )
}
