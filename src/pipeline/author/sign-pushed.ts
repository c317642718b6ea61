import {isDeepStrictEqual} from 'node:util'
import type {Diagnostic} from '../../diagnostic.js'
import type {ArtifactStore} from '../../fetch/artifact-store.js'
import type {Descriptor, Digest, Image} from '../../fetch/image.js'
import type {Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import type {Cryptography} from '../../signatures/cryptography.js'
import {predicateKind} from '../../signatures/predicates.js'
import {signedStatement} from '../../signatures/signed-bundle.js'
import type {Signer} from '../../signatures/signer.js'
import type {Statement} from '../../signatures/statement.js'
import type {SignerName} from '../../signatures/trusted-signer.js'
import {verifyImage} from '../../signatures/verify-image.js'
import {listReferrers, pushReferrer, subjectWarnings} from '../signatures/list-referrers.js'
import {type AttestedImage, attestations, type AttestPorts, type AttestQuery} from './attestations.js'

/** Who signs, what besides the package is stated, and what verifies existing signatures. */
export interface PushSigning extends AttestQuery {
  readonly signer: Signer
  readonly cryptography: () => Promise<Cryptography>
}

/** Signatures that are made and not pushed yet. */
export interface SignedPush {
  readonly signed: {
    readonly signer: SignerName
    /** The types of the statements that are attached. */
    readonly attached: readonly string[]
    readonly warnings: readonly Diagnostic[]
  }
  /** Pushes them; returns warnings about how the registry stores them. */
  attach(): Promise<readonly Diagnostic[]>
}

/**
 * Signs what is to be stated about an image, which need not be pushed yet. Throws as the signer does, and `input-invalid` for
 * statements that would not be true.
 */
export async function preparedSignatures(
  attested: AttestedImage,
  signing: PushSigning,
  {at, report, ...ports}: AttestPorts & {readonly at: Registry; readonly report?: ReportProgress},
): Promise<SignedPush> {
  const target = {at, repository: attested.repository, image: attested.image.descriptor}
  const {statements, warnings} = await attestations(attested, signing, ports)
  const artifacts = await signedStatements(target, statements, signing)
  const attached = artifacts.map(({predicateType}) => predicateType)
  return {
    signed: {signer: await signing.signer.name(), attached, warnings},
    attach: async () => await pushSignatures(target, artifacts, report),
  }
}

/** An image in a repository, to be signed. */
interface SignedTarget {
  readonly at: Registry
  readonly repository: Repository
  readonly image: Descriptor
}

interface SignedArtifact extends Image {
  readonly predicateType: string
}

/** Leaves out those that the same key has signed before. */
async function signedStatements(
  {at, repository, image}: SignedTarget,
  statements: readonly Statement[],
  {signer, cryptography}: PushSigning,
): Promise<readonly SignedArtifact[]> {
  const existing = await earlierStatements(at.artifacts(repository), image.digest, signer, cryptography)
  const artifacts: SignedArtifact[] = []
  for (const statement of statements) {
    if (existing.some(other => isSame(statement, other))) continue
    const {predicateType} = statement
    artifacts.push({...(await signedStatement(image, statement, signer)), predicateType})
  }
  return artifacts
}

async function earlierStatements(
  store: ArtifactStore,
  digest: Digest,
  {trusted}: Signer,
  cryptography: PushSigning['cryptography'],
): Promise<readonly Statement[]> {
  if (trusted === undefined) return []
  return (await verifyImage(digest, store, [trusted], await cryptography())).statements
}

/** Programs write different predicates of a plain signature. */
function isSame(statement: Statement, other: Statement): boolean {
  if (predicateKind(statement) === 'signature') return predicateKind(other) === 'signature'
  const {predicateType, predicate} = other
  return statement.predicateType === predicateType && isDeepStrictEqual(statement.predicate, predicate)
}

/** Pushes signatures beside their image. */
async function pushSignatures(
  {at, repository, image}: SignedTarget,
  artifacts: readonly Image[],
  report: ReportProgress | undefined,
): Promise<readonly Diagnostic[]> {
  const stored: {readonly before: Image; readonly after: Image}[] = []
  for (const before of artifacts) {
    const options = {before: {digest: undefined}}
    const {artifact: after} = await pushReferrer({at, repository}, before, report, options)
    stored.push({before, after})
  }
  const pushed = stored.map(({after}) => after)
  await listReferrers({at, repository, subject: image.digest}, pushed, report)
  return subjectWarnings(repository, image.digest, stored)
}
