import type {PackageSummary} from '../index/package-summary.js'
import {isWildcard, matchingCrds} from './requirement.js'
import type {SatisfiedRequirement, Resolution} from './resolution.js'

/** The plurals of CRDs by their text in `dependsOn`, as far as they are known. */
export type RequiredPlurals = ReadonlyMap<string, string>

/** Returns the plurals of the CRDs that each package of a resolution requires, by identity. */
export function requiredPlurals({
  packages,
}: Pick<Resolution, 'packages'>): ReadonlyMap<string, RequiredPlurals> {
  const owners = new Map(packages.map(({summary}) => [summary.identity, summary]))
  return new Map(
    packages.map(({summary, requirements}) => [
      summary.identity,
      new Map(
        requirements.flatMap(requirement =>
          pluralOf(requirement, owners).map(plural => [requirement.requirement.text, plural]),
        ),
      ),
    ]),
  )
}

/** None for a wildcard, for a group that exists as a whole, and for a name that several CRDs have. */
function pluralOf(
  {requirement, by}: SatisfiedRequirement,
  owners: ReadonlyMap<string, PackageSummary>,
): string[] {
  if (requirement.form === 'package' || isWildcard(requirement)) return []
  const offered =
    by.kind === 'fact' ? [by.fact] : matchingCrds(requirement, owners.get(by.identity)?.crds ?? [])
  const [plural, ...others] = new Set(offered.map(crd => crd.plural))
  return plural === undefined || plural === '*' || others.length > 0 ? [] : [plural]
}
