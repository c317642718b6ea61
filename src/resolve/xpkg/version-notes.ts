import major from 'semver/functions/major.js'
import valid from 'semver/functions/valid.js'
import type {Diagnostic} from '../../diagnostic.js'
import {grouped} from '../../grouped.js'
import {isDigest} from '../../reference/image-name.js'
import {listSome} from '../../text.js'
import {type ConstraintRules, coreRules} from '../../xpkg/constraints/constraint-rules.js'
import {readConstraint, satisfies} from '../../xpkg/constraints/constraint.js'
import {readVersion} from '../../xpkg/constraints/version.js'
import type {SelectedXpkg} from './resolve-xpkgs.js'
import type {XpkgRoot} from './xpkg-catalog.js'

/** Reports versions of a set that its constraints accept although they may not work together, now or later. */
export function versionNotes(
  packages: readonly SelectedXpkg[],
  roots: readonly XpkgRoot[],
  coreVersion = '',
): readonly Diagnostic[] {
  return [...nextCoreNotes(packages, roots, coreVersion), ...familyNotes(packages)]
}

/** The constraints of a set that hold for a version of Crossplane, and not for those from 2.3 on. */
function nextCoreNotes(
  packages: readonly SelectedXpkg[],
  roots: readonly XpkgRoot[],
  coreVersion: string,
): readonly Diagnostic[] {
  if (coreRules(coreVersion).includes('v3')) return []
  const versions = new Map(packages.map(({repository, version}) => [repository, version]))
  const note = (by: string, name: string, constraint: string, effect: string): Diagnostic[] => {
    const version = versions.get(name)
    if (version === undefined || accepts(constraint, version, 'v3')) return []
    const message = `${by} ${name} ${constraint}, which ${version} satisfies for Crossplane ${coreVersion}, but not for 2.3 and later: ${effect}`
    return [{severity: 'warning', rule: 'xpkg-constraint-meaning', message, subject: {package: name}}]
  }
  return [
    ...roots.flatMap(({repository, constraint}) =>
      constraint === undefined
        ? []
        : note('the request is', repository, constraint, 'for these, another version is selected'),
    ),
    ...packages.flatMap(({repository, dependencies}) =>
      dependencies.flatMap(({package: name, version}) =>
        note(`${repository} requires`, name, version, `upgrading Crossplane makes ${repository} unhealthy`),
      ),
    ),
  ]
}

function accepts(constraint: string, version: string, rules: ConstraintRules): boolean {
  // A digest, and a version by its digest, mean the same for every version of Crossplane.
  if (isDigest(constraint) || isDigest(version)) return true
  const [read, candidate] = [readConstraint(constraint, rules), readVersion(version, rules)]
  return read !== undefined && candidate !== undefined && satisfies(read, candidate)
}

/**
 * Notes the providers that are of another major version than the provider of their family, which is released together with them. Their
 * constraints do not exclude that: many accept any version.
 */
function familyNotes(packages: readonly SelectedXpkg[]): readonly Diagnostic[] {
  const byName = new Map(packages.map(selected => [selected.repository, selected]))
  const pairs = packages.flatMap(member =>
    member.dependencies.flatMap(({package: name}) => {
      const family = byName.get(name)
      return family !== undefined && isFamilyOf(family, member) && areApart(family, member)
        ? [{family, member}]
        : []
    }),
  )
  return [...grouped(pairs, ({family}) => family.repository).values()].flatMap(own => {
    const [first] = own
    if (first === undefined) return []
    const members = listSome(own.map(({member}) => nameOf(member)))
    const message = `${nameOf(first.family)} is the family of ${members}, and of another major version: their release notes say whether they work together`
    const {repository} = first.family
    return [{severity: 'note', rule: 'xpkg-family-version', message, subject: {package: repository}} as const]
  })
}

/** The core gives members and their family rights over the kinds of each other if registry and organization are the same. */
function isFamilyOf(family: SelectedXpkg, member: SelectedXpkg): boolean {
  const [place, theirs] = [family, member].map(({repository}) => repository.split('/').slice(0, -1).join('/'))
  return place === theirs && /\/provider-family-[^/]+$/.test(family.repository)
}

function areApart(family: SelectedXpkg, member: SelectedXpkg): boolean {
  const [one, other] = [valid(family.version), valid(member.version)]
  return one !== null && other !== null && major(one) !== major(other)
}

function nameOf({repository, version}: SelectedXpkg): string {
  return `${repository}:${version}`
}
