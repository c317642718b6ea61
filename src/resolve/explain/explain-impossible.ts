import type {Diagnostic} from '../../diagnostic.js'
import {grouped} from '../../index/grouped.js'
import {crdName, formatSummary, type OwnedCrd} from '../../index/package-summary.js'
import {type FactOrigin, factsAbout, factTable} from '../facts.js'
import {isNear} from './near-text.js'
import type {Demand, SolverModel} from '../solver/solver-model.js'
import type {SolverInput} from '../solver-input.js'
import {type CrdRequirement, isWildcard, meant} from '../requirement.js'
import {requirementText, some} from './words.js'

/** A need that nothing meets, whatever is chosen: `who` says whose it is. */
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
    const message = `${who}, which ${some(candidates)} owns, and you trust only ${rule.identity} with ${rule.group}`
    return [{severity: 'error' as const, rule: 'distrusted-owner', message}]
  }
  return [missing(who, requirement, model, input), ...unknowns(requirement, input)]
}

function missing(
  who: string,
  requirement: CrdRequirement,
  model: SolverModel,
  input: SolverInput,
): Diagnostic {
  const group = requirementText({text: requirement.group})
  if (input.emptyGroups.includes(requirement.group)) {
    return {
      severity: 'error' as const,
      rule: 'never-existed-group',
      message: `${who}, and ${group} never had a kind in any release`,
    }
  }
  const facts = factsAbout(requirement, factTable(input.facts))
  if (facts.length > 0) {
    const served = [...new Set(facts.flatMap(fact => fact.served ?? []))].sort()
    const where = SERVED_WHERE.find(([origin]) => facts.some(fact => fact.origin === origin))?.[1]
    const message = `${who}, and ${where ?? 'it is there'} as ${served.join(', ')} only`
    return {severity: 'error' as const, rule: 'stale-version', message}
  }
  const owners = model.table.ownersOf(requirement.group)
  if (owners.length > 0) {
    const owned = ownedCrds(input).filter(({crd}) => crd.group === requirement.group)
    const names = [...new Set(owned.map(({crd}) => crd.plural))].sort()
    const message = `${who}, and nobody owns that kind: of ${group} there is only ${some(names)}, of ${some(owners)}`
    return {severity: 'error' as const, rule: 'missing-crd', message}
  }
  const near = nearest(requirement, input)
  const hint = near.length === 0 ? '' : `; perhaps it means ${near.join(' or ')}`
  return {
    severity: 'error' as const,
    rule: 'missing-group',
    message: `${who}, and nobody at hand owns a kind of ${group}${hint}`,
  }
}

/** Where a kind is that is there in other versions. */
const SERVED_WHERE: readonly (readonly [FactOrigin, string])[] = [
  ['cluster', 'the cluster serves it'],
  ['assumed', 'you said that it is there'],
  ['crossplane', 'Crossplane itself brings it'],
]

/** The most that a need is guessed to mean. */
const MAX_GUESSES = 3

/** The same kind in another group, which it may have moved to, or else groups that are spelled nearly alike; whose. */
function nearest(requirement: CrdRequirement, input: SolverInput): string[] {
  const owned = ownedCrds(input)
  const moved = isWildcard(requirement)
    ? []
    : owned.filter(({crd}) => meant({...requirement, group: crd.group}, [crd]).length > 0)
  const near = owned.filter(({crd}) => isNear(crd.group, requirement.group))
  const guesses =
    moved.length > 0
      ? moved.map(({identity, crd}) => `${crdName(crd)} of ${identity}`)
      : near.map(({identity, crd}) => `the group ${crd.group} of ${identity}`)
  return [...new Set(guesses)].sort().slice(0, MAX_GUESSES)
}

interface Owned {
  readonly identity: string
  readonly crd: OwnedCrd
}

/** What is owned as far as it is believed. */
function ownedCrds({summaries, excluded}: SolverInput): Owned[] {
  const liars = new Set(excluded.filter(({kind}) => kind === 'lying').map(formatSummary))
  return summaries
    .filter(summary => !liars.has(formatSummary(summary)))
    .flatMap(({identity, crds}) => crds.map(crd => ({identity, crd})))
}

/** What might own it, and cannot be looked into or is not believed. */
function unknowns(requirement: CrdRequirement, {unreadable, excluded, summaries}: SolverInput): Diagnostic[] {
  const hidden = grouped(excluded, ({identity, tag}) => `${identity}:${tag}`)
  const lies = summaries
    .filter(({crds}) => meant(requirement, crds).length > 0)
    .flatMap(summary => hidden.get(formatSummary(summary)) ?? [])
    .filter(({kind}) => kind === 'lying')
  const diagnostics = [
    ...lies.map(each => ({
      severity: 'error' as const,
      rule: 'lying-candidate',
      message: `${formatSummary(each)} is said to own it, and is left out: ${each.reason}`,
    })),
    ...unreadable.map(each => ({
      severity: 'error' as const,
      rule: 'unreadable-candidate',
      message: `${formatSummary(each)} may own it, and cannot be read: ${each.reason}`,
    })),
  ]
  return diagnostics.sort((a, b) => (a.message < b.message ? -1 : 1))
}
