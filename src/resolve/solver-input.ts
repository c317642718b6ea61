import type {Acknowledged} from '../declaration/acknowledged.js'
import type {OwnedCrd, PackageSummary} from '../index/package-summary.js'
import type {UnreadablePackage} from '../index/summaries.js'
import type {Fact} from './facts.js'
import type {CrdRequirement, Identify, PackageRequirement} from './requirement.js'

/** Everything that decides what to install. The order of `roots` matters, all other order does not. */
export interface SolverInput {
  readonly roots: readonly Root[]
  readonly summaries: readonly PackageSummary[]
  /** Locked versions that cannot be selected any more: what they own shows which groups get another owner. */
  readonly former?: readonly PackageSummary[]
  /** Packages that cannot be read, with the reason. */
  readonly unreadable: readonly UnreadablePackage[]
  /** Versions that cannot be selected, with the reason: yanked, private, or different from their index entry. */
  readonly excluded: readonly ExcludedVersion[]
  readonly facts: readonly Fact[]
  readonly owners: readonly OwnerRule[]
  readonly preferences: readonly Preference[]
  /** Installed packages that no source has, with the CRDs that their inventories list as PLURAL.GROUP. */
  readonly unavailable?: readonly UnavailablePackage[]
  /** Groups that never had a CRD in any release. */
  readonly emptyGroups: readonly string[]
  readonly identify: Identify
  /** The release of Crossplane whose CRDs are among the facts, and the CRDs of all releases: for advice. */
  readonly crossplane?: CrossplaneReleases
  /** The notes that are left out. */
  readonly acknowledged?: Acknowledged
  /** Namespace of Namespaced packages that Cluster packages require; without it they cannot be installed. */
  readonly dependencyNamespace?: string
}

/** The CRDs that releases of Crossplane provide. */
export interface CrossplaneReleases {
  /** The release that is assumed; `none` if none is. */
  readonly version: string
  /**
   * Present for a cluster, whose CRDs take the place of those of a release; `--with-package-api` creates missing ones, but not where a
   * current Crossplane runs.
   */
  readonly target?: 'cluster' | 'cluster-with-base' | 'cluster-with-core'
  /** Each CRD with the newest release that provides it. */
  readonly provided: readonly (Pick<OwnedCrd, 'group' | 'plural' | 'served'> &
    Partial<Pick<OwnedCrd, 'singular' | 'kind'>> & {readonly release: string})[]
}

/** A requirement of the user. */
export interface Root {
  readonly requirement: CrdRequirement | PackageRequirement
  readonly namespace?: string
  readonly name?: string
}

/** Assigns a group to a package: `group` is a group, or `*.` and a suffix of groups. */
export interface OwnerRule {
  readonly group: string
  readonly identity: string
}

/** A version that was selected before. */
export interface Preference {
  readonly identity: string
  readonly tag: string
  /** Distinguishes several packages of this tag. */
  readonly digest?: string
  readonly because: 'locked' | 'installed'
  /** Whether it is being unlocked: then it decides on owners only where nothing else does. */
  readonly isUpgraded?: boolean
  /** Requirements that it satisfied, in the spelling of their authors. */
  readonly satisfies?: readonly string[]
  /** Requirements of this version that need not be satisfied, because they are not satisfied now. */
  readonly waived?: readonly string[]
  /** Requirements of this package that the user accepted though their owner does not serve the version. */
  readonly accepted?: readonly AcceptedRequirement[]
}

/** `text` is the requirement in the spelling of its author. */
export interface AcceptedRequirement {
  readonly text: string
  readonly owner: string
}

/** A package that is installed and cannot be read. */
export interface UnavailablePackage {
  readonly identity: string
  readonly crds: readonly string[]
}

export interface ExcludedVersion {
  readonly identity: string
  readonly tag: string
  readonly digest?: string
  readonly kind: Exclusion
  readonly reason: string
}

/**
 * A yanked version can be selected where it is locked; the others cannot be selected. `foreign` versions come from sources
 * that a policy does not allow.
 */
type Exclusion = 'yanked' | 'private' | 'vanished' | 'lying' | 'foreign'

/** Reports whether the content of a version decides nothing, not even whether its package is a candidate owner. */
export function isIgnored({kind}: Pick<ExcludedVersion, 'kind'>): boolean {
  return kind === 'lying' || kind === 'foreign'
}
