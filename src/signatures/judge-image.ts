import type {Diagnostic} from '../diagnostic.js'
import type {ArtifactStore} from '../fetch/artifact-store.js'
import type {Digest} from '../fetch/image.js'
import type {Cryptography} from './cryptography.js'
import {judgeRule} from './judge-rule.js'
import {recordedStatement} from './recorded-statement.js'
import type {SignatureRule} from './signature-rule.js'
import {type Evidence, verifyImage} from './verify-image.js'

/** An image, by the digest that its signatures have to be about; one without a digest has none. */
export interface JudgedImage {
  /** Its name in messages. */
  readonly name: string
  readonly digest?: Digest
  readonly artifacts: () => Promise<ArtifactStore>
}

/** What is stated of an image, and what it lacks. */
export interface ImageVerdict extends Evidence {
  readonly problems: readonly Diagnostic[]
}

/** Judges an image by every rule, and reports all problems instead of the first one. Throws as reading its signatures does. */
export async function judgeImage(
  rules: readonly SignatureRule[],
  {name, digest, artifacts}: JudgedImage,
  cryptography: Cryptography,
): Promise<ImageVerdict> {
  const problems: Diagnostic[] = []
  const all: Evidence[] = []
  for (const rule of rules) {
    const evidence =
      digest === undefined
        ? UNSIGNED
        : await verifyImage(digest, await artifacts(), rule.signers, cryptography)
    const statements = evidence.statements.map(recordedStatement)
    all.push(evidence)
    problems.push(...judgeRule(rule, name, {statements, rejected: evidence.rejected}))
  }
  return {...joined(all), problems}
}

const UNSIGNED: Evidence = {statements: [], rejected: []}

/** A signature that counts for one rule is not rejected because another rule trusts others. */
function joined(all: readonly Evidence[]): Evidence {
  const statements = new Map(all.flatMap(own => own.statements).map(one => [one.place, one]))
  const others = all.flatMap(own => own.rejected).filter(({place}) => !statements.has(place))
  const rejected = new Map(others.map(one => [`${one.place} ${one.reason}`, one]))
  return {statements: [...statements.values()], rejected: [...rejected.values()]}
}
