import type {Diagnostic} from '../../diagnostic.js'
import type {Digest} from '../../fetch/image.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {carriedArtifacts} from '../../locate/with-trust.js'
import {present} from '../../present.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'
import type {Cryptography} from '../../signatures/cryptography.js'
import {type ImageVerdict, judgeImage} from '../../signatures/judge-image.js'
import {coveringRules} from '../../signatures/package-trust.js'
import {type PredicateKind, predicateKind} from '../../signatures/predicates.js'
import {recordedStatement, type RecordedStatement} from '../../signatures/recorded-statement.js'
import type {SignatureRule} from '../../signatures/signature-rule.js'
import type {RejectedDocument} from '../../signatures/signed-document.js'
import type {VerifiedStatement} from '../../signatures/verify-image.js'
import {withRunner} from './with-runner.js'

/** The ports for verifying signatures. */
export interface SignaturePorts extends PackagePorts {
  readonly cryptography: () => Promise<Cryptography>
}

/** A package or an image whose signatures are to be verified. */
export interface ImageToVerify {
  readonly name: ImageName
  /** Undefined for a package in a folder; asked only if a rule covers the repository. */
  readonly digest: () => Promise<Digest | undefined>
  /** The packages that run it. */
  readonly usedBy?: readonly string[]
}

/** Whether an image is signed as required; `warned` if its rules only warn. */
type SignatureStatus = 'verified' | 'rejected' | 'warned' | 'not-required'

/** The signatures of one package or image. */
export interface VerifiedImage {
  /** Pinned to the digest that was verified. */
  readonly reference: string
  readonly digest?: Digest
  readonly status: SignatureStatus
  readonly usedBy?: readonly string[]
  readonly statements: readonly ReportedStatement[]
  /** Signatures that are not valid, not by a trusted signer or for another image. */
  readonly rejected: readonly RejectedDocument[]
  readonly problems: readonly Diagnostic[]
}

/** What a trusted signer states. */
interface ReportedStatement extends RecordedStatement {
  readonly kind: PredicateKind
}

/** Verifies images by the rules that cover their repositories. Throws as reading signatures does. */
export async function verifyImages(
  images: readonly ImageToVerify[],
  rules: readonly SignatureRule[],
  ports: SignaturePorts,
): Promise<readonly VerifiedImage[]> {
  const verified: VerifiedImage[] = []
  for (const image of images) {
    const own = coveringRules(rules, identityOf(image.name))
    const [by] = image.usedBy ?? []
    verified.push(
      own.length === 0 ? notRequired(image) : await withRunner(by, () => verifyOne(image, own, ports)),
    )
  }
  return verified
}

function notRequired({name, usedBy}: ImageToVerify): VerifiedImage {
  const reference = formatImageName(name)
  return {reference, status: 'not-required', ...present({usedBy}), statements: [], rejected: [], problems: []}
}

async function verifyOne(
  {name, usedBy, ...image}: ImageToVerify,
  rules: readonly SignatureRule[],
  ports: SignaturePorts,
): Promise<VerifiedImage> {
  const digest = await image.digest()
  const reference = formatImageName({...name, ...present({digest})})
  const repository = identityOf(name)
  const remote = new RemoteRepository(name, ports.remote)
  const artifacts = () => carriedArtifacts(ports, {repository, digest}, () => remote.artifacts())
  const verdict = await judgeImage(
    rules,
    {name: reference, artifacts, ...present({digest})},
    await ports.cryptography(),
  )
  const {statements, rejected, problems} = verdict
  return {
    ...{reference, status: statusOf(verdict), rejected, problems},
    ...present({digest, usedBy}),
    statements: statements.map(reportedStatement),
  }
}

function statusOf({problems}: ImageVerdict): SignatureStatus {
  if (problems.length === 0) return 'verified'
  return problems.some(({severity}) => severity === 'error') ? 'rejected' : 'warned'
}

function reportedStatement(statement: VerifiedStatement): ReportedStatement {
  return {kind: predicateKind(statement), ...recordedStatement(statement)}
}
