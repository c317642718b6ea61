import {isInRange} from '../reference/version-range.js'
import {type OwnedCrd, type PackageSummary} from '../index/package-summary.js'
import {crdRequirement} from '../unpack/crd-requirement.js'
import type {Dependency} from '../unpack/package.js'

/** A requirement of a package or of the user: a CRD or a package. `text` is the spelling of its author. */
export type Requirement = CrdRequirement | PackageRequirement

/** One CRD, or any of the group if the resource is `*`; without a version, any version. */
export interface CrdRequirement {
  readonly form: 'crd'
  readonly text: string
  readonly resource: string
  readonly group: string
  readonly version?: string
}

/** A package; only a root can restrict it to a tag, a digest or a range. */
export interface PackageRequirement {
  readonly form: 'package'
  readonly text: string
  readonly identity: string
  readonly tag?: string
  readonly digest?: string
  /** A semver range such as `^0.10`: only stable versions within it can be selected. */
  readonly range?: string
}

/** Returns the identity of a repository: its full name, without docker.io. */
export type Identify = (repository: string) => string

export function requirementOf(dependency: Dependency, identify: Identify): Requirement {
  if ('crd' in dependency) return parseCrdRequirement(dependency.crd)
  return {form: 'package', text: dependency.package, identity: identify(dependency.package)}
}

/** Parses `<resource>.<group>[/<version>]`. */
export function parseCrdRequirement(text: string): CrdRequirement {
  return {form: 'crd', text, ...crdRequirement(text)}
}

export function isWildcard({resource}: CrdRequirement): boolean {
  return resource === '*'
}

/**
 * Reports whether a root's tag, digest and range accept a version of its package; a digest takes precedence over a
 * tag.
 */
export function isAllowedBy(
  {tag, digest, range}: PackageRequirement,
  version: Pick<PackageSummary, 'tag' | 'digest'>,
): boolean {
  if (digest !== undefined) return digest === version.digest
  if (tag !== undefined) return tag === version.tag
  return range === undefined || isInRange(version.tag, range)
}

/** A CRD that can satisfy a requirement: one that a package owns, or one that exists without a package. */
type Offered = Pick<OwnedCrd, 'group' | 'plural'> & Partial<Pick<OwnedCrd, 'singular' | 'kind'>>

/**
 * Returns the CRDs of a list that a requirement names, whatever their versions: authors wrote plurals, singulars and
 * lower-cased kinds, and a name that is one CRD's plural does not name another's kind.
 */
export function matchingCrds<Crd extends Offered>(requirement: CrdRequirement, crds: readonly Crd[]): Crd[] {
  const ofGroup = crds.filter(({group}) => group === requirement.group)
  if (isWildcard(requirement)) return ofGroup
  const readings = [
    (crd: Crd) => crd.plural === requirement.resource,
    (crd: Crd) => crd.singular === requirement.resource,
    (crd: Crd) => crd.kind?.toLowerCase() === requirement.resource,
  ]
  return readings.map(reading => ofGroup.filter(reading)).find(matching => matching.length > 0) ?? []
}

/** The degree to which a version of a package satisfies a requirement of a CRD. */
export type Offer = 'serves' | 'owns' | 'nothing'

export function offerOf(
  requirement: CrdRequirement,
  {crds}: {readonly crds: readonly (Offered & Pick<OwnedCrd, 'served'>)[]},
): Offer {
  const matching = matchingCrds(requirement, crds)
  const {version} = requirement
  if (matching.some(({served}) => version === undefined || served.includes(version))) return 'serves'
  return matching.length > 0 ? 'owns' : 'nothing'
}

/** Returns the same requirement without its version. */
export function inAnyVersion({version: _any, ...requirement}: CrdRequirement): CrdRequirement {
  return requirement
}
