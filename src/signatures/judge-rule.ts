import type {Diagnostic} from '../diagnostic.js'
import {present} from '../present.js'
import {escaped, listNames} from '../text.js'
import {matchesPattern} from './matches-pattern.js'
import {type BuildFacts, predicateKind, type Requirement} from './predicates.js'
import type {RecordedStatement} from './recorded-statement.js'
import type {SignatureRule} from './signature-rule.js'
import type {RejectedDocument} from './signed-document.js'

/** What trusted signers state about an image, and the signatures that do not count. */
interface JudgedEvidence {
  readonly statements: readonly RecordedStatement[]
  readonly rejected: readonly RejectedDocument[]
}

/** Returns what an image lacks by a rule: errors, or warnings if the rule only warns. */
export function judgeRule(
  rule: SignatureRule,
  image: string,
  evidence: JudgedEvidence,
): readonly Diagnostic[] {
  return rule.require.flatMap(requirement => {
    const stated = evidence.statements.filter(statement => predicateKind(statement) === requirement)
    const [first] = stated
    if (first === undefined) return [missing(rule, image, requirement, evidence)]
    if (requirement !== 'provenance' || stated.some(statement => isBuiltAs(rule, statement))) return []
    return [otherBuild(rule, image, first)]
  })
}

function isBuiltAs({builder, source}: SignatureRule, facts: BuildFacts): boolean {
  return (
    (builder === undefined || matchesPattern(builder, facts.builder ?? '')) &&
    (source === undefined || matchesPattern(source, facts.source ?? ''))
  )
}

const NOUNS: Readonly<Record<Requirement, string>> = {
  signature: 'signature',
  provenance: 'provenance',
  sbom: 'SBOM',
}

function missing(
  rule: SignatureRule,
  image: string,
  requirement: Requirement,
  {rejected}: JudgedEvidence,
): Diagnostic {
  const reasons = listNames(rejected.map(({reason}) => reason))
  const others = rejected.length === 0 ? '' : `; what it has does not count: ${reasons}`
  return problem(rule, {
    rule: `${requirement}-missing`,
    message: `${image} has no ${NOUNS[requirement]} of a trusted signer${others}`,
  })
}

function otherBuild(rule: SignatureRule, image: string, {builder, source}: BuildFacts): Diagnostic {
  const built = `built by ${escaped(builder ?? 'an unknown builder')} from ${escaped(source ?? 'an unknown source')}`
  const required = [
    ...(rule.builder === undefined ? [] : [`the builder ${escaped(rule.builder)}`]),
    ...(rule.source === undefined ? [] : [`the source ${escaped(rule.source)}`]),
  ]
  const message = `${image} is ${built}; required: ${required.join(' and ')}`
  return problem(rule, {rule: 'provenance-other', message})
}

function problem({place, otherwise}: SignatureRule, draft: Pick<Diagnostic, 'rule' | 'message'>): Diagnostic {
  return {severity: otherwise === 'warn' ? 'warning' : 'error', ...draft, ...present({...place})}
}
