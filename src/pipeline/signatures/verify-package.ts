import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {Digest} from '../../fetch/image.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {resolvedVersion} from '../../locate/pull-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {present} from '../../present.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {formatPackageReference, parsePackageReference} from '../../reference/package-reference.js'
import type {Cryptography} from '../../signatures/cryptography.js'
import {judgeRule} from '../../signatures/judge-rule.js'
import {buildFacts, type BuildFacts, type PredicateKind, predicateKind} from '../../signatures/predicates.js'
import type {SignatureRule} from '../../signatures/signature-rule.js'
import type {RejectedDocument} from '../../signatures/signed-document.js'
import type {SignerName} from '../../signatures/trusted-signer.js'
import {type Evidence, type VerifiedStatement, verifyImage} from '../../signatures/verify-image.js'

/** The ports for verifying signatures. */
export interface SignaturePorts extends Pick<PackagePorts, 'remote' | 'defaultSource'> {
  readonly cryptography: () => Promise<Cryptography>
}

/** The signatures of one package. */
export interface VerifiedPackage {
  /** Pinned to the digest that was verified. */
  readonly reference: string
  readonly digest: Digest
  readonly statements: readonly ReportedStatement[]
  /** Signatures that are not valid, not by a trusted signer or for another image. */
  readonly rejected: readonly RejectedDocument[]
}

/** What a trusted signer states. */
interface ReportedStatement extends BuildFacts {
  readonly kind: PredicateKind
  readonly predicateType: string
  readonly signer: SignerName
}

/** Verifies the signatures of packages by one rule. Throws `signature-refused` with everything that they lack. */
export async function verifyPackages(
  references: readonly string[],
  rule: SignatureRule,
  ports: SignaturePorts,
): Promise<readonly VerifiedPackage[]> {
  const cryptography = await ports.cryptography()
  const packages: VerifiedPackage[] = []
  const problems: Diagnostic[] = []
  for (const reference of references) {
    const name = imageOf(reference, ports)
    const repository = new RemoteRepository(name, ports.remote)
    const {tag, digest} = await resolvedVersion(name, repository)
    const evidence = await verifyImage(digest, await repository.artifacts(), rule.signers, cryptography)
    const pinned = formatImageName({...name, ...present({tag}), digest})
    packages.push(reported(pinned, digest, evidence))
    problems.push(...judgeRule(rule, pinned, evidence))
  }
  if (problems.length > 0) throw refused(packages, problems)
  return packages
}

function imageOf(text: string, {defaultSource}: SignaturePorts): ImageName {
  const reference = parsePackageReference(text)
  if (reference.kind !== 'image') {
    throw new CrossplaneError('usage', `${formatPackageReference(reference)} is not in a registry`)
  }
  return defaultSource === undefined ? reference.name : nameFromSource(reference.name, defaultSource)
}

function reported(reference: string, digest: Digest, {statements, rejected}: Evidence): VerifiedPackage {
  return {reference, digest, statements: statements.map(reportedStatement), rejected}
}

function reportedStatement(statement: VerifiedStatement): ReportedStatement {
  const {predicateType, signer} = statement
  const kind = predicateKind(statement)
  return {kind, predicateType, signer, ...(kind === 'provenance' ? buildFacts(statement) : {})}
}

function refused(packages: readonly VerifiedPackage[], diagnostics: readonly Diagnostic[]): CrossplaneError {
  const [first] = packages
  const what = packages.length === 1 ? (first?.reference ?? '') : `${packages.length} packages`
  return new CrossplaneError('signature-refused', `cannot verify ${what}: no trusted signature`, {
    diagnostics,
  })
}
