import {buildFacts, type BuildFacts, predicateKind} from './predicates.js'
import {matchesPattern} from './matches-pattern.js'
import {keyHash} from './public-key.js'
import type {Statement} from './statement.js'
import type {SignerName, TrustedSigner} from './trusted-signer.js'

/** What a trusted signer states about an image, as far as a policy decides by it: this is what a lock keeps. */
export interface RecordedStatement extends BuildFacts {
  readonly predicateType: string
  readonly signer: SignerName
}

/** Reduces a statement to what is recorded of it: builder and source only of provenance. */
export function recordedStatement(statement: Statement & {readonly signer: SignerName}): RecordedStatement {
  const {predicateType, signer} = statement
  return {predicateType, signer, ...statedFacts(statement)}
}

/** Returns the builder and source that a statement is about: only provenance is. */
export function statedFacts(statement: Statement): BuildFacts {
  return predicateKind(statement) === 'provenance' ? buildFacts(statement) : {}
}

/** Reports whether a signer is one of those that are trusted; of a key, its hash decides. */
export function isTrustedSigner(signer: SignerName, trusted: readonly TrustedSigner[]): boolean {
  return trusted.some(one => {
    if ('key' in signer) return one.kind === 'key' && keyHash(one.pem) === signer.key
    return (
      one.kind === 'identity' &&
      matchesPattern(one.issuer, signer.issuer) &&
      matchesPattern(one.subject, signer.subject)
    )
  })
}
