import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError, type ErrorCode} from '../errors.js'
import type {ArtifactStore} from '../fetch/artifact-store.js'
import type {Digest} from '../fetch/image.js'
import {parseImageName} from '../reference/image-name.js'
import {isInSource} from '../reference/source-prefix.js'
import {escaped} from '../text.js'
import type {Cryptography} from './cryptography.js'
import {judgeRule} from './judge-rule.js'
import {isTrustedSigner, recordedStatement, type RecordedStatement} from './recorded-statement.js'
import type {SignatureRule} from './signature-rule.js'
import type {RejectedDocument} from './signed-document.js'
import type {SignerName} from './trusted-signer.js'
import {verifyImage} from './verify-image.js'

/** Which packages and images are trusted: those that are signed as a policy requires. */
export interface PackageTrust {
  /**
   * Verifies a package or an image once, before anything of it is read; one without a digest has no signatures. Returns what
   * trusted signers state; undefined if no rule covers the repository. Throws `signature-refused`.
   */
  expect(
    repository: string,
    digest: Digest | undefined,
    artifacts: () => Promise<ArtifactStore>,
  ): Promise<readonly RecordedStatement[] | undefined>
  /** Reports whether a rule covers a repository. */
  covers(repository: string): boolean
  /** Reports whether statements that were verified before satisfy every rule that covers a repository. */
  accepts(repository: string, statements: readonly RecordedStatement[]): boolean
  /** Reports whether a rule that covers a repository trusts a signer. */
  trusts(repository: string, signer: SignerName): boolean
}

/** The ports for verifying what a policy requires. */
export interface TrustPorts {
  readonly cryptography: () => Promise<Cryptography>
  /** Receives what a rule only warns of. */
  readonly warn: (diagnostic: Diagnostic) => void
}

/** Creates the trust of the rules of a policy. */
export function packageTrust(rules: readonly SignatureRule[], ports: TrustPorts): PackageTrust {
  const verdicts = new Map<string, Promise<readonly RecordedStatement[] | undefined>>()
  const covering = (repository: string) => coveringRules(rules, repository)
  return {
    expect: async (repository, digest, artifacts) => {
      const key = `${repository}@${digest ?? ''}`
      const own = covering(repository)
      const verdict = verdicts.get(key) ?? judged(own, {repository, digest, artifacts}, ports)
      verdicts.set(key, verdict)
      return await verdict
    },
    covers: repository => covering(repository).length > 0,
    accepts: (repository, statements) =>
      covering(repository).every(rule => {
        const own = statements.filter(({signer}) => isTrustedSigner(signer, rule.signers))
        return judgeRule(rule, repository, {statements: own, rejected: []}).length === 0
      }),
    trusts: (repository, signer) => covering(repository).some(rule => isTrustedSigner(signer, rule.signers)),
  }
}

/** What a lock says of signatures, and what that is worth. */
interface RecordedTrust {
  readonly of: (repository: string, digest: Digest) => readonly RecordedStatement[] | undefined
  /** Whether it counts without a signature (`--trust-lock`). */
  readonly isTrusted: boolean
}

/**
 * Returns trust under a lock that decides alone. Its records count only with `--trust-lock`: anyone who can change the lock can
 * write them. Signatures that cannot be read are `signature-refused`, so that no network decides what is accepted.
 */
export function withRecorded(trust: PackageTrust, recorded: RecordedTrust): PackageTrust {
  return {
    ...trust,
    expect: async (repository, digest, artifacts) => {
      const statements = digest === undefined ? undefined : recorded.of(repository, digest)
      const isRecorded = statements !== undefined && trust.accepts(repository, statements)
      if (isRecorded && recorded.isTrusted) return statements
      try {
        return await trust.expect(repository, digest, artifacts)
      } catch (error) {
        throw isUnread(error) ? unreadError(`${repository}@${digest ?? ''}`, error, isRecorded) : error
      }
    },
  }
}

const UNREAD_CODES: readonly ErrorCode[] = [
  ...(['offline', 'not-found', 'read-failed', 'timeout', 'tls-refused'] as const),
  ...(['registry-unreachable', 'registry-failed', 'access-denied', 'credentials-failed'] as const),
]

function isUnread(error: unknown): error is CrossplaneError {
  return error instanceof CrossplaneError && UNREAD_CODES.includes(error.code)
}

function unreadError(image: string, cause: CrossplaneError, isRecorded: boolean): CrossplaneError {
  const state = isRecorded
    ? 'the lock records its signatures, but they cannot be read'
    : 'its signatures cannot be read, and the lock records none of this digest by a trusted signer'
  const message = `cannot verify ${escaped(image)}: ${state}: ${cause.message}`
  const trusting = 'To use what the lock records without reading signatures, pass --trust-lock.'
  return new CrossplaneError('signature-refused', message, {
    cause,
    suggestions: [...cause.suggestions, ...(isRecorded ? [trusting] : [])],
  })
}

/** An image whose signatures a policy requires. */
interface RequiredImage {
  readonly repository: string
  readonly digest: Digest | undefined
  readonly artifacts: () => Promise<ArtifactStore>
}

async function judged(
  rules: readonly SignatureRule[],
  required: RequiredImage,
  ports: TrustPorts,
): Promise<readonly RecordedStatement[] | undefined> {
  if (rules.length === 0) return undefined
  const {repository, digest} = required
  const image = digest === undefined ? repository : `${repository}@${digest}`
  const all = new Map<string, RecordedStatement>()
  for (const rule of rules) {
    const evidence = await evidenceFor(rule, required, ports)
    expectSigned(rule, image, evidence, ports.warn)
    for (const statement of evidence.statements) all.set(JSON.stringify(statement), statement)
  }
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, statement]) => statement)
}

/** What is stated of an image, and why the rest does not count. */
interface RuleEvidence {
  readonly statements: readonly RecordedStatement[]
  readonly rejected: readonly RejectedDocument[]
}

const UNSIGNED: RuleEvidence = {statements: [], rejected: []}

async function evidenceFor(
  rule: SignatureRule,
  {digest, artifacts}: RequiredImage,
  {cryptography}: TrustPorts,
): Promise<RuleEvidence> {
  if (digest === undefined) return UNSIGNED
  try {
    const {statements, rejected} = await verifyImage(
      digest,
      await artifacts(),
      rule.signers,
      await cryptography(),
    )
    return {statements: statements.map(recordedStatement), rejected}
  } catch (error) {
    const isOffline = error instanceof CrossplaneError && error.code === 'offline'
    if (!isOffline || rule.otherwise !== 'warn') throw error
    return {statements: [], rejected: [{place: '', reason: error.message}]}
  }
}

/** Returns the rules that cover a repository. A folder whose name no repository can have is covered as other folders are. */
export function coveringRules(rules: readonly SignatureRule[], repository: string): readonly SignatureRule[] {
  const name = parseImageName(repository) === undefined ? 'local/folder' : repository
  return rules.filter(({repositories}) =>
    repositories.some(source => source === '*' || isInSource(name, source)),
  )
}

function expectSigned(
  rule: SignatureRule,
  image: string,
  evidence: RuleEvidence,
  warn: TrustPorts['warn'],
): void {
  const problems = judgeRule(rule, image, evidence)
  if (rule.otherwise === 'warn') {
    problems.forEach(warn)
    return
  }
  if (problems.length === 0) return
  const {file, line, owner} = rule.place ?? {}
  const add = owner === undefined ? 'add' : `ask ${owner} to add`
  const place = file === undefined ? '' : ` by line ${line} of ${file}`
  throw new CrossplaneError(
    'signature-refused',
    `cannot use ${escaped(image)}: it is not signed as required${place}`,
    {
      diagnostics: problems,
      suggestions: [
        `Use a version that is signed, or ${add} its signer to signatures in ${file ?? 'the policy'}.`,
      ],
    },
  )
}
