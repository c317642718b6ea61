import {CrossplaneError} from '../errors.js'
import type {ArtifactStore} from '../fetch/artifact-store.js'
import type {Digest} from '../fetch/image.js'
import {outOfBounds} from './bundle-bounds.js'
import {collectDocuments} from './collect-documents.js'
import type {Cryptography, Trust, ValidDocument} from './cryptography.js'
import {matchesPattern} from './matches-pattern.js'
import {rejected, type RejectedDocument, type SignedDocument} from './signed-document.js'
import {type Statement, statementAbout} from './statement.js'
import {type SignerName, signerText, type TrustedSigner} from './trusted-signer.js'

/** A statement about an image by a trusted signer. */
export interface VerifiedStatement extends Statement {
  readonly signer: SignerName
  readonly place: string
}

/** What trusted signers state about an image, and the signatures that do not count. */
export interface Evidence {
  readonly statements: readonly VerifiedStatement[]
  readonly rejected: readonly RejectedDocument[]
}

/**
 * Verifies the signatures and attestations of exactly one digest. A signature that is not valid, not by a trusted signer or
 * not for this digest does not count. Throws `limit-exceeded`, and as the store does.
 */
export async function verifyImage(
  digest: Digest,
  store: ArtifactStore,
  signers: readonly TrustedSigner[],
  cryptography: Cryptography,
): Promise<Evidence> {
  const collected = await collectDocuments(store, digest)
  const judged = collected.documents.map(document => judge({digest, signers, cryptography}, document))
  return {
    statements: judged.filter(result => 'signer' in result),
    rejected: [...collected.rejected, ...judged.filter(result => 'reason' in result)],
  }
}

interface Judging {
  readonly digest: Digest
  readonly signers: readonly TrustedSigner[]
  readonly cryptography: Cryptography
}

function judge(judging: Judging, document: SignedDocument): VerifiedStatement | RejectedDocument {
  const {place, bundle} = document
  const bounds = outOfBounds(bundle)
  if (bounds !== undefined) return rejected(place, bounds)
  const reasons = new Set<string>()
  for (const signer of judging.signers) {
    const result = judging.cryptography.verify(document, trustOf(signer))
    const reason = 'reason' in result ? result.reason : whyNotTrusted(signer, result)
    if (reason === undefined && !('reason' in result)) return aboutImage(judging.digest, document, result)
    reasons.add(reason ?? '')
  }
  return rejected(place, [...reasons].join('; '))
}

function trustOf(signer: TrustedSigner): Trust {
  return signer.kind === 'key' ? signer : {kind: 'certificate', trustedRoot: signer.trustedRoot}
}

function whyNotTrusted(signer: TrustedSigner, {signer: actual}: ValidDocument): string | undefined {
  if (signer.kind === 'key') return undefined
  const isTrusted =
    'issuer' in actual &&
    matchesPattern(signer.issuer, actual.issuer) &&
    matchesPattern(signer.subject, actual.subject)
  return isTrusted ? undefined : `it is signed by ${signerText(actual)}`
}

function aboutImage(
  digest: Digest,
  {place}: SignedDocument,
  valid: ValidDocument,
): VerifiedStatement | RejectedDocument {
  try {
    return {...statementAbout(digest, valid), signer: valid.signer, place}
  } catch (error) {
    if (error instanceof CrossplaneError) return rejected(place, error.message)
    throw error
  }
}
