import {type OwnedCrd, type PackageSummary} from '../index/package-summary.js'
import {crdRequirement} from '../unpack/crd-requirement.js'
import type {Dependency} from '../unpack/package.js'

/** What has to be there: some CRD, or a package. `text` is how its author wrote it. */
export type Requirement = CrdNeed | PackageNeed

/** One CRD, or with `*` for a resource any of the group; without a version in any. */
export interface CrdNeed {
  readonly form: 'crd'
  readonly text: string
  readonly resource: string
  readonly group: string
  readonly version?: string
}

/** A package; only who asks for the whole may pin it to a tag or digest. */
export interface PackageNeed {
  readonly form: 'package'
  readonly text: string
  readonly identity: string
  readonly tag?: string
  readonly digest?: string
}

/** A repository as its full name, docker.io's printed short. */
export type Identify = (repository: string) => string

export function requirementOf(dependency: Dependency, identify: Identify): Requirement {
  if ('crd' in dependency) return crdNeed(dependency.crd)
  return {form: 'package', text: dependency.package, identity: identify(dependency.package)}
}

/** `<resource>.<group>[/<version>]`. */
export function crdNeed(text: string): CrdNeed {
  return {form: 'crd', text, ...crdRequirement(text)}
}

export function isWildcard({resource}: CrdNeed): boolean {
  return resource === '*'
}

/** What can meet a need for a CRD: one that a package owns, or one that is there already. */
type Offered = Pick<OwnedCrd, 'group' | 'plural'> & Partial<Pick<OwnedCrd, 'singular' | 'kind'>>

/**
 * Those of a list that a need speaks of, whatever their versions: authors wrote plurals, singulars and lower-cased
 * kinds, and a name that is one CRD's plural is not taken for another's kind.
 */
export function meant<Crd extends Offered>(need: CrdNeed, crds: readonly Crd[]): Crd[] {
  const ofGroup = crds.filter(({group}) => group === need.group)
  if (isWildcard(need)) return ofGroup
  const readings = [
    (crd: Crd) => crd.plural === need.resource,
    (crd: Crd) => crd.singular === need.resource,
    (crd: Crd) => crd.kind?.toLowerCase() === need.resource,
  ]
  return readings.map(reading => ofGroup.filter(reading)).find(found => found.length > 0) ?? []
}

/** How far a version of a package meets a need of a CRD. */
export type Offer = 'serves' | 'owns' | 'nothing'

export function offerOf(need: CrdNeed, {crds}: Pick<PackageSummary, 'crds'>): Offer {
  const found = meant(need, crds)
  const {version} = need
  if (found.some(({served}) => version === undefined || served.includes(version))) return 'serves'
  return found.length > 0 ? 'owns' : 'nothing'
}

/** The same need, whatever version of it. */
export function inAnyVersion({version: _any, ...need}: CrdNeed): CrdNeed {
  return need
}
