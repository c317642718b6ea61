import type {LockedSignatures} from '../declaration/locked-signatures.js'
import type {Diagnostic} from '../diagnostic.js'
import {grouped} from '../grouped.js'
import type {RecordedStatement} from '../signatures/recorded-statement.js'
import {type SignerName, signerText} from '../signatures/trusted-signer.js'
import {escaped, listNames} from '../text.js'

/** A package or an image of which other signers state something than when it was locked. */
export interface SignerChange {
  readonly package: string
  /** An image that the package runs; absent for the package itself. */
  readonly image?: string
  readonly predicateType: string
  readonly before: readonly SignerName[]
  readonly after: readonly SignerName[]
  /** Whether the policy decides it: it does not trust the signers before any more. */
  readonly isAssigned: boolean
}

/** Reports whether a policy trusts a signer of a repository or an image. */
type Trusts = (name: string, signer: SignerName) => boolean

/** Compares the signers of a package and its images with those of a lock, by what they state. */
export function signerChanges(
  name: string,
  before: LockedSignatures,
  after: LockedSignatures,
  trusts: Trusts,
): readonly SignerChange[] {
  const own = changesOf(name, before.signatures ?? [], after.signatures ?? [], trusts)
  const images = (after.images ?? []).flatMap(({image, signatures}) => {
    const earlier = before.images?.find(other => other.image === image)?.signatures ?? []
    return changesOf(image, earlier, signatures, trusts).map(change => ({...change, image}))
  })
  return [...own, ...images].map(change => ({package: name, ...change}))
}

type Change = Omit<SignerChange, 'package' | 'image'>

/** What is stated for the first time, or not any more, is no change of a signer: the policy decides what is required. */
function changesOf(
  name: string,
  before: readonly RecordedStatement[],
  after: readonly RecordedStatement[],
  trusts: Trusts,
): readonly Change[] {
  const next = grouped(after, ({predicateType}) => predicateType)
  return [...grouped(before, ({predicateType}) => predicateType)].flatMap(([predicateType, statements]) => {
    const [old, current] = [signersIn(statements), signersIn(next.get(predicateType) ?? [])]
    const isSame = current.size === 0 || [...old.keys()].some(text => current.has(text))
    if (isSame) return []
    const isAssigned = ![...old.values()].some(signer => trusts(name, signer))
    return [{predicateType, before: [...old.values()], after: [...current.values()], isAssigned}]
  })
}

function signersIn(statements: readonly RecordedStatement[]): ReadonlyMap<string, SignerName> {
  return new Map(statements.map(({signer}) => [signerText(signer), signer]))
}

/** Returns a note for each change of a signer. */
export function signerChangeNotes(changes: readonly SignerChange[]): readonly Diagnostic[] {
  return changes.map(change => ({
    severity: 'note',
    rule: 'signer-changed',
    message: signerChangeText(change),
    subject: {package: change.package},
  }))
}

/** Describes a change of a signer. */
export function signerChangeText({package: name, image, before, after}: SignerChange): string {
  const what = image === undefined ? name : `the image ${image} of ${name}`
  return `the signer of ${escaped(what)} changes from ${signersText(before)} to ${signersText(after)}`
}

/** Formats signers as a list. */
export function signersText(signers: readonly SignerName[]): string {
  return listNames(signers.map(signerText))
}
