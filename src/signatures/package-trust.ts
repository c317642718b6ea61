import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import type {ArtifactStore} from '../fetch/artifact-store.js'
import type {Digest} from '../fetch/image.js'
import {isInSource} from '../reference/source-prefix.js'
import {escaped} from '../text.js'
import type {Cryptography} from './cryptography.js'
import {judgeRule} from './judge-rule.js'
import type {SignatureRule} from './signature-rule.js'
import {type Evidence, verifyImage} from './verify-image.js'

/** Which packages are trusted: those that are signed as a policy requires. */
export interface PackageTrust {
  /**
   * Verifies a package once, before anything of it is read. A package without a digest has no signatures. Throws
   * `signature-refused`.
   */
  expect(
    repository: string,
    digest: Digest | undefined,
    artifacts: () => Promise<ArtifactStore>,
  ): Promise<void>
}

/** The ports for verifying what a policy requires. */
export interface TrustPorts {
  readonly cryptography: () => Promise<Cryptography>
  /** Receives what a rule only warns of. */
  readonly warn: (diagnostic: Diagnostic) => void
}

/** Creates the trust of the rules of a policy. */
export function packageTrust(
  rules: readonly SignatureRule[],
  {cryptography, warn}: TrustPorts,
): PackageTrust {
  const verdicts = new Map<string, Promise<void>>()
  const judge = async (
    repository: string,
    digest: Digest | undefined,
    artifacts: () => Promise<ArtifactStore>,
  ) => {
    const covering = rules.filter(rule => covers(rule, repository))
    if (covering.length === 0) return
    const image = digest === undefined ? repository : `${repository}@${digest}`
    for (const rule of covering) {
      const evidence =
        digest === undefined
          ? UNSIGNED
          : await verifyImage(digest, await artifacts(), rule.signers, await cryptography())
      expectSigned(rule, image, evidence, warn)
    }
  }
  return {
    expect: async (repository, digest, artifacts) => {
      const key = `${repository}@${digest ?? ''}`
      const verdict = verdicts.get(key) ?? judge(repository, digest, artifacts)
      verdicts.set(key, verdict)
      await verdict
    },
  }
}

const UNSIGNED: Evidence = {
  statements: [],
  rejected: [],
}

function covers({repositories}: SignatureRule, repository: string): boolean {
  return repositories.some(source => source === '*' || isInSource(repository, source))
}

function expectSigned(
  rule: SignatureRule,
  image: string,
  evidence: Evidence,
  warn: TrustPorts['warn'],
): void {
  const problems = judgeRule(rule, image, evidence)
  if (rule.otherwise === 'warn') {
    problems.forEach(warn)
    return
  }
  if (problems.length === 0) return
  const {file, line} = rule.place ?? {}
  const place = file === undefined ? '' : ` by line ${line} of ${file}`
  throw new CrossplaneError(
    'signature-refused',
    `cannot use ${escaped(image)}: it is not signed as required${place}`,
    {
      diagnostics: problems,
      suggestions: [
        `Use a version that is signed, or add its signer to signatures in ${file ?? 'the policy'}.`,
      ],
    },
  )
}
