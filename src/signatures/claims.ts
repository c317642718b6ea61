import {CrossplaneError} from '../errors.js'
import type {ArtifactStore} from '../fetch/artifact-store.js'
import type {Digest} from '../fetch/image.js'
import {present} from '../present.js'
import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import {outOfBounds} from './bundle-bounds.js'
import {collectDocuments} from './collect-documents.js'
import type {ReadCertificate} from './keyless/fulcio.js'
import {type BuildFacts, type PredicateKind, predicateKind} from './predicates.js'
import {statedFacts} from './recorded-statement.js'
import {rejected, type RejectedDocument, type SignedDocument} from './signed-document.js'
import {statementAbout} from './statement.js'
import type {SignerName} from './trusted-signer.js'

/** What a signature or an attestation says of an image. Anyone who can push to its repository can write it. */
export interface Claim extends BuildFacts {
  readonly kind: PredicateKind
  readonly predicateType: string
  /** Absent if it does not name its key. */
  readonly signer?: SignerName
}

/** The claims about an image, and the documents that are none. */
interface Claims {
  readonly statements: readonly Claim[]
  readonly rejected: readonly RejectedDocument[]
}

/** Reads what the signatures of an image claim, and verifies nothing. Throws `limit-exceeded`, and as the store does. */
export async function readClaims(
  digest: Digest,
  store: ArtifactStore,
  readCertificate: () => Promise<ReadCertificate>,
): Promise<Claims> {
  const collected = await collectDocuments(store, digest)
  if (collected.documents.length === 0) return {statements: [], rejected: collected.rejected}
  const read = await readCertificate()
  const claims = collected.documents.map(document => claimIn(document, digest, read))
  return {
    statements: claims.filter(claim => 'kind' in claim),
    rejected: [...collected.rejected, ...claims.filter(claim => 'reason' in claim)],
  }
}

function claimIn(document: SignedDocument, digest: Digest, read: ReadCertificate): Claim | RejectedDocument {
  const {place, bundle} = document
  const bounds = outOfBounds(bundle)
  if (bounds !== undefined) return rejected(place, bounds)
  try {
    const statement = statementAbout(digest, contentOf(document))
    const {predicateType} = statement
    const signer = claimedSigner(asObject(bundle['verificationMaterial']), read)
    return {kind: predicateKind(statement), predicateType, ...present({signer}), ...statedFacts(statement)}
  } catch (error) {
    if (error instanceof CrossplaneError) return rejected(place, error.message)
    throw error
  }
}

function contentOf({bundle, payload}: SignedDocument): Parameters<typeof statementAbout>[1] {
  if (payload !== undefined) return {payload}
  const envelope = asObject(bundle['dsseEnvelope'])
  return {
    payload: Buffer.from(asText(envelope['payload']), 'base64'),
    payloadType: asText(envelope['payloadType']),
  }
}

function claimedSigner(material: JsonObject, read: ReadCertificate): SignerName | undefined {
  const [first] = asObjects(asObject(material['x509CertificateChain'])['certificates'])
  const certificate = asText((first ?? asObject(material['certificate']))['rawBytes'])
  if (certificate === '') return keyOf(asText(asObject(material['publicKey'])['hint']))
  try {
    return read(Buffer.from(certificate, 'base64')).signer
  } catch {
    throw new CrossplaneError('source-invalid', 'its certificate cannot be read')
  }
}

/** cosign names a key by its hash in base64. */
function keyOf(hint: string): SignerName | undefined {
  const hash = Buffer.from(hint, 'base64')
  return hash.length === 32 ? {key: `sha256:${hash.toString('hex')}`} : undefined
}
