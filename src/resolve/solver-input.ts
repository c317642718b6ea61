import type {OwnedCrd, PackageSummary} from '../index/package-summary.js'
import type {UnreadablePackage} from '../index/summaries.js'
import type {Fact} from './facts.js'
import type {CrdRequirement, Identify, PackageRequirement} from './requirement.js'

/** Everything that decides what to install. The order of `roots` is part of the question, that of the rest is not. */
export interface SolverInput {
  readonly roots: readonly Root[]
  readonly summaries: readonly PackageSummary[]
  /** What was looked at and is no candidate, with the reason. */
  readonly unreadable: readonly UnreadablePackage[]
  /** Versions that may not be chosen, with the reason: one that is yanked, is private, or is not what its entry says. */
  readonly excluded: readonly ExcludedVersion[]
  readonly facts: readonly Fact[]
  readonly owners: readonly OwnerRule[]
  readonly preferences: readonly Preference[]
  /** Groups that are known never to have had a kind. */
  readonly emptyGroups: readonly string[]
  readonly identify: Identify
  /** The release of Crossplane whose CRDs are among the facts, and the CRDs of all releases: for advice. */
  readonly crossplane?: CrossplaneReleases
  /** Where Namespaced packages go that a Cluster one needs; without it none may. */
  readonly dependencyNamespace?: string
}

/** What releases of Crossplane provide. */
export interface CrossplaneReleases {
  /** The release that is assumed; `none` if none is. */
  readonly version: string
  /** Each CRD with the newest release that provides it. */
  readonly provided: readonly (Pick<OwnedCrd, 'group' | 'plural' | 'served'> &
    Partial<Pick<OwnedCrd, 'singular' | 'kind'>> & {readonly release: string})[]
}

/** What the user requests. */
export interface Root {
  readonly requirement: CrdRequirement | PackageRequirement
  readonly namespace?: string
  readonly name?: string
}

/** Whom the reader trusts with a group: `group` is one, or `*.` and what groups end in. */
export interface OwnerRule {
  readonly group: string
  readonly identity: string
}

/** A version that was chosen before. */
export interface Preference {
  readonly identity: string
  readonly tag: string
  /** Which of several packages of this tag it was. */
  readonly digest?: string
  readonly because: 'locked' | 'installed'
  /** Whether it is being unlocked: then it decides on owners only where nothing else does. */
  readonly isUpgraded?: boolean
  /** Requirements that it satisfied, as their authors wrote them. */
  readonly satisfies?: readonly string[]
  /** Needs of this package that its reader accepted though their owner does not serve their versions. */
  readonly accepted?: readonly AcceptedRequirement[]
}

/** `text` is how the author of the need wrote it. */
interface AcceptedRequirement {
  readonly text: string
  readonly owner: string
}

export interface ExcludedVersion {
  readonly identity: string
  readonly tag: string
  readonly digest?: string
  readonly kind: Exclusion
  /** One sentence, without a full stop. */
  readonly reason: string
}

/** A yanked version may still be used where it is locked; the others may not be used at all. */
type Exclusion = 'yanked' | 'private' | 'vanished' | 'lying'
