import {expect} from '@jest/globals'
import type {Diagnostic} from '../../src/diagnostic.js'
import {formatSummary} from '../../src/index/package-summary.js'
import type {Rejection} from '../../src/resolve/resolution.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'

/** Where a requirement leads; the cause of a refusal is something else. */
const PATH = 'requirement-path'

/**
 * Expects a refusal to name what causes it: requirements that the user or the bytes of a package have, and the packages
 * that stand against them. Nothing that an entry of an index invented is a cause.
 */
export function expectCause(
  {message, diagnostics}: Pick<Rejection, 'message' | 'diagnostics'>,
  {roots, summaries, facts}: Pick<SolverInput, 'roots' | 'summaries' | 'facts'>,
): void {
  const requested = roots.map(({requirement}) => requirement.text)
  const required = summaries.flatMap(summary =>
    summary.dependsOn.map(dependency => `${formatSummary(summary)} requires ${textOf(dependency)}`),
  )
  const known = new Set([...requested.map(text => ` requires ${text}`), ...required])
  const identities = new Set(summaries.map(({identity}) => identity))
  const cited = diagnostics.flatMap(({subject: {requirement, requiredBy = ''} = {}}) =>
    requirement === undefined ? [] : [`${requiredBy} requires ${requirement}`],
  )
  const causes = diagnostics.filter(({rule}) => rule !== PATH)
  expect({
    message,
    diagnostics,
    // An install that stands against the request has none of its own: the message has the request.
    isRequirementNamed: cited.length > 0 || requested.some(text => message.includes(text)),
    invented: cited.filter(text => !known.has(text)),
    hasCause: causes.length > 0,
    unnamed: causes.filter(
      cause => !isWithoutPackage(cause, facts) && !namesOf(cause).some(name => identities.has(name)),
    ),
    unknown: diagnostics.flatMap(namesOf).filter(name => !identities.has(name)),
  }).toMatchObject({isRequirementNamed: true, invented: [], hasCause: true, unnamed: [], unknown: []})
}

/** Reports whether the user requested what no package provides, or in a version that an assumed CRD does not serve. */
function isWithoutPackage(
  {rule, subject: {requirement, requiredBy} = {}}: Diagnostic,
  facts: SolverInput['facts'],
): boolean {
  if (requirement === undefined || requiredBy !== undefined) return false
  return (
    rule === 'missing-group' || facts.some(({plural, group}) => requirement.startsWith(`${plural}.${group}/`))
  )
}

/** The packages that a diagnostic names; without any, those whose requirement it is about. */
function namesOf({
  subject: {package: name, candidates = [], requiredBy} = {},
}: Diagnostic): readonly string[] {
  const named = name === undefined ? candidates.map(identityOf) : [name]
  return named.length === 0 && requiredBy !== undefined ? [identityOf(requiredBy)] : named
}

/** The identity in `identity:tag`, `identity (tag, tag)` or `identity`. */
function identityOf(text: string): string {
  return /^[^: ]*/.exec(text)?.[0] ?? ''
}

function textOf(dependency: SolverInput['summaries'][number]['dependsOn'][number]): string {
  return 'crd' in dependency ? dependency.crd : dependency.package
}
