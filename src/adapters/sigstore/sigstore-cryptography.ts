import {bundleFromJSON, type Bundle} from '@sigstore/bundle'
import {X509Certificate as SigstoreCertificate} from '@sigstore/core'
import {TrustedRoot} from '@sigstore/protobuf-specs'
import {toSignedEntity, toTrustMaterial, type TrustMaterial, Verifier} from '@sigstore/verify'
import {createHash, createPublicKey, type KeyObject, X509Certificate} from 'node:crypto'
import type {Cryptography, Trust, ValidDocument} from '../../signatures/cryptography.js'
import type {SignedDocument} from '../../signatures/signed-document.js'
import type {SignerName} from '../../signatures/trusted-signer.js'
import type {JsonObject} from '../../yaml/json-value.js'

/** Verifies by @sigstore/verify; keys and roots are read once. */
export function sigstoreCryptography(): Cryptography {
  const materials = new WeakMap<object, TrustMaterial>()
  const rootOf = (root: JsonObject | undefined) => {
    const key = root ?? EMPTY_ROOT
    const material = materials.get(key) ?? toTrustMaterial(TrustedRoot.fromJSON(key))
    materials.set(key, material)
    return material
  }
  return {
    verify: (document, trust) => {
      try {
        return verified(document, trust, rootOf(trust.trustedRoot))
      } catch (error) {
        // Whatever a library throws about a signature, the signature is not valid.
        return {reason: reasonOf(error)}
      }
    },
  }
}

const EMPTY_ROOT: JsonObject = {
  mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
  ...{tlogs: [], certificateAuthorities: [], ctlogs: [], timestampAuthorities: []},
}

function verified(document: SignedDocument, trust: Trust, material: TrustMaterial): ValidDocument {
  const bundle = bundleFromJSON(document.bundle)
  const {signer, ...content} =
    trust.kind === 'key'
      ? {signer: byKey(document, bundle, trust, material), ...contentOf(document, bundle)}
      : {signer: byCertificate(document, bundle, material), ...contentOf(document, bundle)}
  return {signer, ...content}
}

/** Without a root, a log entry cannot be verified and adds nothing to a key. */
function byKey(
  document: SignedDocument,
  bundle: Bundle,
  {pem, trustedRoot}: Extract<Trust, {kind: 'key'}>,
  material: TrustMaterial,
): SignerName {
  if (bundle.verificationMaterial.content.$case !== 'publicKey')
    throw new Error('it is signed with a certificate')
  const key = createPublicKey(pem)
  const trusted = {...material, publicKey: () => ({publicKey: key, validFor: () => true})}
  const isLogged = trustedRoot !== undefined
  const threshold = isLogged ? 1 : 0
  const options = {ctlogThreshold: 0, tlogThreshold: threshold, timestampThreshold: 0}
  const entity = toSignedEntity(isLogged ? bundle : withoutLog(bundle), artifactOf(document))
  new Verifier(trusted, options).verify(entity)
  return {key: fingerprint(key)}
}

function withoutLog(bundle: Bundle): Bundle {
  const verificationMaterial = {
    ...bundle.verificationMaterial,
    tlogEntries: [],
    timestampVerificationData: undefined,
  }
  return {...bundle, verificationMaterial}
}

/** Certificates live for minutes: a log or an authority has to state when they were used. */
function byCertificate(document: SignedDocument, bundle: Bundle, material: TrustMaterial): SignerName {
  expectSigningCertificate(new X509Certificate(certificateOf(bundle)))
  const entity = toSignedEntity(bundle, artifactOf(document))
  const thresholds = {ctlogThreshold: 1, tlogThreshold: 1, timestampThreshold: 1}
  const {identity = {}} = new Verifier(material, thresholds).verify(entity)
  const {subjectAlternativeName: subject = '', extensions} = identity
  const issuer = extensions?.issuer ?? ''
  if (subject === '' || issuer === '') throw new Error('its certificate has no identity')
  return {issuer, subject}
}

function certificateOf({verificationMaterial: {content}}: Bundle): Buffer {
  if (content.$case === 'publicKey') throw new Error('it is signed with a key')
  if (content.$case === 'certificate') return content.certificate.rawBytes
  const [first] = content.x509CertificateChain.certificates
  if (first === undefined) throw new Error('it has no certificate')
  return first.rawBytes
}

/** https://www.rfc-editor.org/rfc/rfc5280#section-4.2.1.12 */
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'

function expectSigningCertificate({ca, keyUsage, raw}: X509Certificate): void {
  // A certificate that does not limit its usage has none, whatever the types say.
  const usages = new Set(keyUsage)
  if (ca || !usages.has(CODE_SIGNING)) throw new Error('its certificate is not for signing')
  expectSameAlgorithm(raw)
}

/** Nothing signs the algorithm beside the signature. https://www.rfc-editor.org/rfc/rfc5280#section-4.1.1.2 */
function expectSameAlgorithm(raw: Buffer): void {
  const [content, algorithm] = SigstoreCertificate.parse(Buffer.from(raw)).root.subs
  const signed = content?.subs[2]
  const isSame = signed !== undefined && algorithm?.toDER().equals(signed.toDER()) === true
  if (!isSame) throw new Error('its certificate names two algorithms')
}

function artifactOf({payload}: SignedDocument): Buffer | undefined {
  return payload === undefined ? undefined : Buffer.from(payload)
}

function contentOf(
  document: SignedDocument,
  {content}: Bundle,
): Pick<ValidDocument, 'payload' | 'payloadType'> {
  if (content.$case === 'dsseEnvelope') {
    const {payload, payloadType} = content.dsseEnvelope
    return {payload, payloadType}
  }
  if (document.payload === undefined) throw new Error('it has no signed content')
  return {payload: document.payload}
}

/** The hash of the key in DER, as `openssl pkey -pubin -outform der | sha256sum` prints it. */
function fingerprint(key: KeyObject): string {
  const der = key.export({type: 'spki', format: 'der'})
  return `sha256:${createHash('sha256').update(der).digest('hex')}`
}

function reasonOf(error: unknown): string {
  const {message, cause} = error as {
    readonly message?: unknown
    readonly cause?: {readonly message?: unknown}
  }
  const texts = [message, cause?.message].filter(text => typeof text === 'string')
  return texts.length === 0 ? 'it is not valid' : texts.join(': ')
}
