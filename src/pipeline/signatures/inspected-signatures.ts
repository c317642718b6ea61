import {CrossplaneError} from '../../errors.js'
import type {ArtifactStore} from '../../fetch/artifact-store.js'
import type {Digest} from '../../fetch/image.js'
import type {PackageSignatures} from '../../inspect/package-signatures.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {type ImageName, isDigest} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'
import {readClaims} from '../../signatures/claims.js'
import type {ReadCertificate} from '../../signatures/keyless/fulcio.js'
import {predicateKind} from '../../signatures/predicates.js'

/** The ports for reading who has signed a package. */
export interface ClaimPorts extends PackagePorts {
  readonly readCertificate: () => Promise<ReadCertificate>
}

/**
 * Returns what is stated about a package in a registry or a bundle: verified if a policy covers its repository, otherwise as the
 * signatures claim it. Undefined for a package that has no signatures because of its source.
 */
export async function inspectedSignatures(
  {reference, digest, readFrom}: LocatedPackage,
  ports: ClaimPorts,
): Promise<PackageSignatures | undefined> {
  if (reference === undefined || digest === undefined || !isDigest(digest)) return undefined
  const remote = new RemoteRepository(reference, ports.remote)
  const isPulled = readFrom === remote.pinned({...reference, digest})
  return (
    (await verified(reference, digest, ports)) ??
    (await claimed(digest, ports, async () => {
      const carried = await ports.folder?.artifacts?.(identityOf(reference), digest)
      return carried ?? (isPulled ? await remote.artifacts() : undefined)
    }))
  )
}

/** The package was verified before it was read, so this asks no registry again. */
async function verified(
  reference: ImageName,
  digest: Digest,
  {remote}: ClaimPorts,
): Promise<PackageSignatures | undefined> {
  const statements = await new RemoteRepository(reference, remote).expectTrusted(digest)
  if (statements === undefined) return undefined
  const isEnough = remote.trust?.accepts(identityOf(reference), statements) === true
  return {
    status: isEnough ? 'verified' : 'warned',
    statements: statements.map(statement => ({kind: predicateKind(statement), ...statement})),
    rejected: [],
  }
}

/** Claims are for information only: a registry that does not show them is no reason to fail. */
async function claimed(
  digest: Digest,
  {readCertificate}: ClaimPorts,
  artifacts: () => Promise<ArtifactStore | undefined>,
): Promise<PackageSignatures | undefined> {
  try {
    const store = await artifacts()
    if (store === undefined) return undefined
    return {status: 'unverified', ...(await readClaims(digest, store, readCertificate))}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {status: 'unread', statements: [], rejected: [], reason: error.message}
  }
}
