import type {Diagnostic} from '../../diagnostic.js'
import {isNear, listAll, listSome} from '../../text.js'
import {grouped} from '../../grouped.js'
import {crdName, formatSummary, type OwnedCrd, type PackageSummary} from '../../index/package-summary.js'
import {type FactOrigin, factsAbout, factTable} from '../facts.js'
import type {Demand} from '../solver/constraints.js'
import type {SolverModel} from '../solver/solver-model.js'
import {isIgnored, type SolverInput} from '../solver-input.js'
import {type CrdRequirement, inAnyVersion, isWildcard, matchingCrds, offerOf} from '../requirement.js'
import {requirementText} from './words.js'

/** Explains a requirement that no selection satisfies: `who` is the beginning of the sentence. */
export function explainImpossible(
  who: string,
  {requirement, outcome}: Demand,
  model: SolverModel,
  input: SolverInput,
): Diagnostic[] {
  if (requirement.form !== 'crd' || outcome.kind !== 'impossible') return []
  const {ownership} = outcome
  if (ownership.kind === 'distrusted') {
    const {rule, candidates} = ownership
    const message = `${who}, which ${listSome(candidates)} owns, but owners assigns ${rule.group} to ${rule.identity}`
    return [{severity: 'error', rule: 'distrusted-owner', message, subject: {candidates}}]
  }
  const closed = closedOwners(requirement, model, input)
  if (ownership.kind === 'orphaned') return [orphaned(who, requirement, ownership), ...closed]
  const first = missing(who, requirement, closed, input)
  if (first.rule === 'crossplane-version') return [first, ...closed]
  return [first, ...closed, ...unknowns(requirement, input)]
}

function orphaned(
  who: string,
  {group}: CrdRequirement,
  {former, candidates}: {readonly former: string; readonly candidates: readonly string[]},
): Diagnostic {
  const name = requirementText({text: group})
  const choice = candidates.length === 1 ? candidates[0] : 'PACKAGE'
  return {
    severity: 'error',
    rule: 'former-owner',
    message: `${who}, which ${former} owned so far, but no version of it that owns it can be selected; others that own it: ${listSome(candidates)}`,
    subject: {package: former, candidates: candidates.slice(0, MAX_FORMER)},
    suggestions: [
      `To trust ${choice ?? 'PACKAGE'} with ${name} from now on, pass --owner ${name}=${choice ?? 'PACKAGE'}, or add "${name}: ${choice ?? 'PACKAGE'}" to owners in the declaration.`,
    ],
  }
}

/** The maximum number of candidates in a diagnostic. */
const MAX_FORMER = 5

function missing(
  who: string,
  requirement: CrdRequirement,
  closed: readonly Diagnostic[],
  input: SolverInput,
): Diagnostic {
  const group = requirementText({text: requirement.group})
  if (input.emptyGroups.includes(requirement.group)) {
    const message = `${who}, but group ${group} never had a CRD in any release`
    return {severity: 'error', rule: 'never-existed-group', message}
  }
  const stale = staleFact(who, requirement, input)
  if (stale !== undefined) return stale
  const crossplane = missingCrossplane(who, requirement, input)
  if (crossplane !== undefined) return crossplane
  if (closed.length > 0) {
    const message = `${who}, but no version that owns it can be selected`
    return {severity: 'error', rule: 'no-version', message}
  }
  const owned = ownedCrds(input).filter(({crd}) => crd.group === requirement.group)
  if (owned.length > 0) {
    const names = [...new Set(owned.map(({crd}) => crd.plural))].sort()
    const owners = [...new Set(owned.map(({identity}) => identity))].sort()
    const message = `${who}, but no package provides it: the CRDs of group ${group} are ${listSome(names)} (${listSome(owners)})`
    return {severity: 'error', rule: 'missing-crd', message, subject: {candidates: owners}}
  }
  const near = nearest(requirement, input)
  const hint = near.length === 0 ? '' : `; similar: ${near.join(' or ')}`
  const message = `${who}, but no package provides a CRD of group ${group}${hint}`
  return {severity: 'error', rule: 'missing-group', message}
}

/** A CRD that exists without a package, in other versions. */
function staleFact(who: string, requirement: CrdRequirement, input: SolverInput): Diagnostic | undefined {
  const facts = factsAbout(requirement, factTable(input.facts))
  if (facts.length === 0) return undefined
  const served = [...new Set(facts.flatMap(fact => fact.served ?? []))].sort()
  const where = SERVED_BY.find(([origin]) => facts.some(fact => fact.origin === origin))?.[1]
  const message = `${who}, but ${where ?? 'it exists'} only as ${listAll(served)}`
  return {severity: 'error', rule: 'stale-version', message}
}

/** A CRD of Crossplane itself that does not exist: no package has to be found for it. */
function missingCrossplane(
  who: string,
  requirement: CrdRequirement,
  input: SolverInput,
): Diagnostic | undefined {
  const release = crossplaneRelease(requirement, input)
  if (release === undefined) return undefined
  const {version, target} = input.crossplane ?? {version: 'none'}
  const assumed =
    target !== undefined
      ? 'the cluster does not serve it'
      : version === 'none'
        ? 'no release of Crossplane is assumed'
        : `${version} does not`
  const message = `${who}, which Crossplane ${release} provides, but ${assumed}`
  return {
    severity: 'error',
    rule: 'crossplane-version',
    message,
    suggestions: [ADVICE[target ?? 'files'](release)],
  }
}

/** The suggestion for a missing CRD of Crossplane, by what the packages are resolved for. */
const ADVICE = {
  files: (release: string) =>
    `Pass --crossplane-version ${release} if the cluster runs a Crossplane that provides it.`,
  cluster: () =>
    'Pass --with-package-api to create these CRDs of Crossplane without validation; kinds that Crossplane reconciles itself (workload, apiextensions, core.oam.dev) have no controller until it runs.',
  'cluster-with-core': () => 'Install a package for a current Crossplane, or pass --v0.12-base.',
  'cluster-with-base': () =>
    'Install a Crossplane that provides it, or pass --assume with the CRD to install without it.',
} as const

/** The newest release of Crossplane that provides the CRD of a requirement, if the assumed release does not. */
function crossplaneRelease(requirement: CrdRequirement, {crossplane}: SolverInput): string | undefined {
  const {version} = requirement
  const crds = matchingCrds(requirement, crossplane?.provided ?? [])
  return crds.find(({served}) => version === undefined || served.includes(version))?.release
}

/** Facts about a CRD that exists in other versions, by origin. */
const SERVED_BY: readonly (readonly [FactOrigin, string])[] = [
  ['cluster', 'the cluster serves it'],
  ['assumed', '--assume declares it'],
  ['crossplane', 'Crossplane provides it'],
]

/** Returns diagnostics for versions that own the required CRD and cannot be selected, with the reason. */
function closedOwners(requirement: CrdRequirement, model: SolverModel, {roots}: SolverInput): Diagnostic[] {
  const owned = inAnyVersion(requirement)
  const owns = (summary: PackageSummary) => offerOf(owned, summary) !== 'nothing'
  return model.table.ownersOf(requirement.group).flatMap(identity => {
    const {versions, rejected} = model.table.versions(identity)
    const closed = rejected
      .filter(({summary}) => owns(summary))
      .map(({summary, reason, rule}) => closedDiagnostic(summary, rule, reason))
    const names = roots.flatMap(root =>
      root.requirement.form === 'package' && root.requirement.identity === identity
        ? [requirementText(root.requirement)]
        : [],
    )
    const left = versions
      .filter(({summary}) => owns(summary) && !model.table.isLeftByRoots(summary))
      .map(({summary}) => closedDiagnostic(summary, 'pinned-version', `${listAll(names)} was requested`))
    return [...closed, ...left]
  })
}

/**
 * Returns notes on candidates of which no selectable version owns the required CRD: for each, why its newest version
 * with the CRD cannot be selected.
 */
export function closedCandidates(
  requirement: CrdRequirement,
  candidates: readonly string[],
  model: SolverModel,
): Diagnostic[] {
  const owned = inAnyVersion(requirement)
  const owns = ({summary}: {readonly summary: PackageSummary}) => offerOf(owned, summary) !== 'nothing'
  return candidates.flatMap(identity => {
    const {versions, rejected} = model.table.versions(identity)
    const newest = versions.some(owns) ? undefined : rejected.filter(owns).at(-1)
    if (newest === undefined) return []
    return [{...closedDiagnostic(newest.summary, newest.rule, newest.reason), severity: 'note' as const}]
  })
}

function closedDiagnostic(summary: PackageSummary, rule: string, reason: string): Diagnostic {
  const message = `${formatSummary(summary)} owns it but cannot be selected: ${reason}`
  return {severity: 'error', rule, message, subject: {package: summary.identity, tag: summary.tag}}
}

/** The maximum number of suggested names for a requirement. */
const MAX_GUESSES = 3

/** The same CRD in another group, to which it may have moved, or else groups of a similar name; with their owners. */
function nearest(requirement: CrdRequirement, input: SolverInput): string[] {
  const owned = ownedCrds(input)
  const moved = isWildcard(requirement)
    ? []
    : owned.filter(({crd}) => matchingCrds({...requirement, group: crd.group}, [crd]).length > 0)
  const near = owned.filter(({crd}) => isNear(crd.group, requirement.group))
  const guesses =
    moved.length > 0
      ? moved.map(({identity, crd}) => `${crdName(crd)} of ${identity}`)
      : near.map(({identity, crd}) => `group ${crd.group} of ${identity}`)
  return [...new Set(guesses)].sort().slice(0, MAX_GUESSES)
}

interface Owned {
  readonly identity: string
  readonly crd: OwnedCrd
}

/** CRDs of all summaries except those that are known to be wrong. */
function ownedCrds({summaries, excluded}: SolverInput): Owned[] {
  const wrong = new Set(excluded.filter(isIgnored).map(formatSummary))
  return summaries
    .filter(summary => !wrong.has(formatSummary(summary)))
    .flatMap(({identity, crds}) => crds.map(crd => ({identity, crd})))
}

/** Packages that may own the CRD, but cannot be read or have a wrong index entry. */
function unknowns(requirement: CrdRequirement, {unreadable, excluded, summaries}: SolverInput): Diagnostic[] {
  const hidden = grouped(excluded, ({identity, tag}) => `${identity}:${tag}`)
  const wrong = summaries
    .filter(({crds}) => matchingCrds(requirement, crds).length > 0)
    .flatMap(summary => hidden.get(formatSummary(summary)) ?? [])
    .filter(isIgnored)
  const diagnostics: Diagnostic[] = [
    ...[...new Set(wrong)].map(version => ({
      severity: 'error' as const,
      rule: `${version.kind}-candidate`,
      message: `${formatSummary(version)} owns it according to an index, and was excluded: ${version.reason}`,
      subject: {package: version.identity, tag: version.tag},
    })),
    ...unreadable.map(unreadablePackage => ({
      severity: 'error' as const,
      rule: 'unreadable-candidate',
      message: `${formatSummary(unreadablePackage)} may own it but cannot be read: ${unreadablePackage.reason}`,
      subject: {package: unreadablePackage.identity, tag: unreadablePackage.tag},
    })),
  ]
  return diagnostics.sort((a, b) => (a.message < b.message ? -1 : 1))
}
