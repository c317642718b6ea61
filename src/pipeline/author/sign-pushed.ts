import type {Image} from '../../fetch/image.js'
import type {Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import type {Cryptography} from '../../signatures/cryptography.js'
import {predicateKind} from '../../signatures/predicates.js'
import {keyHash, trustedKey} from '../../signatures/public-key.js'
import {keyHint, referrersIndex, signatureOf, type SigningKey} from '../../signatures/signed-bundle.js'
import type {SignerName} from '../../signatures/trusted-signer.js'
import {verifyImage} from '../../signatures/verify-image.js'

/** The key to sign with, and what verifies existing signatures. */
export interface PushSigning {
  readonly key: SigningKey
  readonly cryptography: () => Promise<Cryptography>
}

/** An image in a repository, to be signed. */
export interface SignedTarget {
  readonly at: Registry
  readonly repository: Repository
  readonly image: Image
  readonly report: ReportProgress | undefined
}

/**
 * Signs an image that was pushed, unless the key has signed it before. A registry without an API for referrers gets a tag that
 * lists them, as cosign writes it.
 */
export async function signPushed(
  target: SignedTarget,
  {key, cryptography}: PushSigning,
): Promise<SignerName> {
  const {at, repository, image, report} = target
  const {descriptor} = image
  const signer = {key: keyHash(key.publicKey)}
  const store = at.artifacts(repository)
  const trusted = [trustedKey(key.publicKey, 'the public key')]
  const {statements} = await verifyImage(descriptor.digest, store, trusted, await cryptography())
  if (statements.some(statement => predicateKind(statement) === 'signature')) return signer
  const signature = signatureOf(descriptor, key, keyHint(signer.key))
  const {digest} = signature.descriptor
  await at.push(repository, digest, signature, report, {before: {digest: undefined}})
  const listed = await store.referrers(descriptor.digest)
  if (listed.some(other => other.digest === digest)) return signer
  const tag = descriptor.digest.replace(':', '-')
  await at.push(repository, tag, referrersIndex(listed, signature), report)
  return signer
}
