import type {PackageSummary} from '../index/package-summary.js'
import {isWildcard, meant} from './requirement.js'
import type {SatisfiedRequirement, Resolution} from './resolution.js'

/** The plurals of CRDs by what a package writes of them in `dependsOn`; those that nobody knows are left out. */
export type NeededPlurals = ReadonlyMap<string, string>

/** For each package of an answer the plurals of what it needs, by its identity. */
export function neededPlurals({packages}: Pick<Resolution, 'packages'>): ReadonlyMap<string, NeededPlurals> {
  const owners = new Map(packages.map(({summary}) => [summary.identity, summary]))
  return new Map(
    packages.map(({summary, needs}) => [
      summary.identity,
      new Map(needs.flatMap(need => pluralOf(need, owners).map(plural => [need.requirement.text, plural]))),
    ]),
  )
}

/** None of a wildcard, of a group that is there as a whole, and of a name that several kinds have. */
function pluralOf(
  {requirement, by}: SatisfiedRequirement,
  owners: ReadonlyMap<string, PackageSummary>,
): string[] {
  if (requirement.form === 'package' || isWildcard(requirement)) return []
  const known = by.kind === 'fact' ? [by.fact] : meant(requirement, owners.get(by.identity)?.crds ?? [])
  const [plural, ...others] = new Set(known.map(crd => crd.plural))
  return plural === undefined || plural === '*' || others.length > 0 ? [] : [plural]
}
