import {type CrdRequirement, isWildcard, matchingCrds} from './requirement.js'

/** The reason why a CRD is assumed to exist. */
export type FactOrigin =
  | 'assumed' // --assume
  | 'cluster' // an installed CRD
  | 'crossplane' // a release of Crossplane included it
  | 'kubernetes' // every cluster has the group
  | 'never-existed' // no CRD is missing without it

/** A CRD that exists without a package. */
export interface Fact {
  readonly origin: FactOrigin
  readonly group: string
  /** `*` stands for all CRDs of the group. */
  readonly plural: string
  readonly singular?: string
  readonly kind?: string
  /** Undefined for every version. */
  readonly served?: readonly string[]
}

/** Facts by group, so that a requirement is compared with few of them. */
export type FactTable = ReadonlyMap<string, readonly Fact[]>

/** Sorts facts, so that their order in the input does not matter. */
export function factTable(facts: readonly Fact[]): FactTable {
  const table = new Map<string, Fact[]>()
  for (const fact of [...facts].sort(byText)) {
    const existing = table.get(fact.group)
    if (existing === undefined) table.set(fact.group, [fact])
    else existing.push(fact)
  }
  return table
}

const ORIGINS: readonly FactOrigin[] = ['cluster', 'assumed', 'crossplane', 'kubernetes', 'never-existed']

function byText(a: Fact, b: Fact): number {
  const [first, second] = [a, b].map(fact => `${ORIGINS.indexOf(fact.origin)} ${JSON.stringify(fact)}`)
  return (first ?? '') < (second ?? '') ? -1 : 1
}

/** Returns the fact that satisfies a requirement. */
export function factFor(requirement: CrdRequirement, facts: FactTable): Fact | undefined {
  const {version} = requirement
  return factsAbout(requirement, facts).find(
    ({served}) => version === undefined || served === undefined || served.includes(version),
  )
}

/** Returns the facts of the resource that a requirement names, in all versions. */
export function factsAbout(requirement: CrdRequirement, facts: FactTable): Fact[] {
  const ofGroup = facts.get(requirement.group) ?? []
  const whole = ofGroup.filter(({plural, origin}) => plural === '*' && !isEmptyGroup(origin, requirement))
  return [
    ...matchingCrds(
      requirement,
      ofGroup.filter(({plural}) => plural !== '*'),
    ),
    ...whole,
  ]
}

/** A group that never had a CRD satisfies a wildcard, and no single CRD. */
function isEmptyGroup(origin: FactOrigin, requirement: CrdRequirement): boolean {
  return origin === 'never-existed' && !isWildcard(requirement)
}
