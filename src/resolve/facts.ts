import {type CrdRequirement, isWildcard, meant} from './requirement.js'

/** Why a kind is taken to be there. */
export type FactOrigin =
  | 'assumed' // the reader said so
  | 'cluster' // it serves it
  | 'crossplane' // a release of Crossplane brought it
  | 'kubernetes' // every cluster has the group
  | 'never-existed' // nothing is missing without it

/** A kind that is there without any package. */
export interface Fact {
  readonly origin: FactOrigin
  readonly group: string
  /** `*` stands for all that a group has. */
  readonly plural: string
  readonly singular?: string
  readonly kind?: string
  /** Undefined where every version is meant. */
  readonly served?: readonly string[]
}

/** Facts by group, so that a need is held against few of them. */
export type FactTable = ReadonlyMap<string, readonly Fact[]>

/** Facts in an order of their own, whatever order they came in. */
export function factTable(facts: readonly Fact[]): FactTable {
  const table = new Map<string, Fact[]>()
  for (const fact of [...facts].sort(byText)) {
    const known = table.get(fact.group)
    if (known === undefined) table.set(fact.group, [fact])
    else known.push(fact)
  }
  return table
}

const ORIGINS: readonly FactOrigin[] = ['cluster', 'assumed', 'crossplane', 'kubernetes', 'never-existed']

function byText(a: Fact, b: Fact): number {
  const [first, second] = [a, b].map(fact => `${ORIGINS.indexOf(fact.origin)} ${JSON.stringify(fact)}`)
  return (first ?? '') < (second ?? '') ? -1 : 1
}

/** The fact that meets a need, if one does. */
export function factFor(requirement: CrdRequirement, facts: FactTable): Fact | undefined {
  const {version} = requirement
  return factsAbout(requirement, facts).find(
    ({served}) => version === undefined || served === undefined || served.includes(version),
  )
}

/** Facts of the resource that a need names, in whatever versions. */
export function factsAbout(requirement: CrdRequirement, facts: FactTable): Fact[] {
  const ofGroup = facts.get(requirement.group) ?? []
  const whole = ofGroup.filter(({plural, origin}) => plural === '*' && !isEmptyGroup(origin, requirement))
  return [
    ...meant(
      requirement,
      ofGroup.filter(({plural}) => plural !== '*'),
    ),
    ...whole,
  ]
}

/** A group that never had a kind has every one of its kinds, and no single one. */
function isEmptyGroup(origin: FactOrigin, requirement: CrdRequirement): boolean {
  return origin === 'never-existed' && !isWildcard(requirement)
}
