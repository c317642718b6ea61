import type {Diagnostic} from '../diagnostic.js'
import type {PackageSummary} from '../index/package-summary.js'
import type {Fact} from './facts.js'
import type {OwnerReason} from './solver/owners.js'
import type {Requirement} from './requirement.js'
import type {AcceptedRequirement} from './solver-input.js'

/** The packages to install so that the roots have all requirements satisfied, and why. */
export interface Resolution {
  /** Each package once, in the order in which they are required. */
  readonly packages: readonly SelectedPackage[]
  /** The satisfied roots, in their order. */
  readonly roots: readonly SatisfiedRequirement[]
  /** Dependencies first. */
  readonly installs: readonly PlannedInstall[]
  readonly notes: readonly Diagnostic[]
  /** The groups whose owners are others than those of the lock and the cluster. */
  readonly ownerChanges: readonly OwnerChange[]
}

/** A group of which a CRD has a different owner than before, or none any more. */
export interface OwnerChange {
  readonly group: string
  readonly before: string
  /** Absent if no selected package owns the CRD. */
  readonly after?: string
  /** Whether `owners:` assigns the group to the new owner. */
  readonly isAssigned: boolean
}

export interface SelectedPackage {
  readonly summary: PackageSummary
  /** Its satisfied requirements, in the order of its file. */
  readonly requirements: readonly SatisfiedRequirement[]
}

export interface SatisfiedRequirement {
  readonly requirement: Requirement
  readonly by: SatisfiedBy
}

type SatisfiedBy =
  | {readonly kind: 'fact'; readonly fact: Fact}
  | {
      readonly kind: 'package'
      readonly identity: string
      readonly because: OwnerReason
      /** Whether the required version is not served, which the user accepted. */
      readonly isMismatch: boolean
    }

/** A requirement that nothing satisfies, in a graph without a resolution. */
export interface UnsatisfiedRequirement {
  readonly requirement: Requirement
  readonly by: {readonly kind: 'unsatisfied'; readonly rule: string; readonly words: string}
}

/** Packages and their requirements, as far as they can be satisfied. */
export interface Graph {
  readonly packages: readonly {
    readonly summary: PackageSummary
    readonly requirements: readonly (SatisfiedRequirement | UnsatisfiedRequirement)[]
  }[]
  readonly roots: readonly (SatisfiedRequirement | UnsatisfiedRequirement)[]
}

/** One package under one namespace and name. */
export interface PlannedInstall {
  readonly summary: PackageSummary
  readonly namespace: string
  readonly name: string
  /** The positions of the roots that request it; none for a dependency. */
  readonly requestedBy: readonly number[]
  /** The installs that require it, with their requirements. */
  readonly for: readonly {readonly text: string; readonly by: string}[]
  /** Requirements of versions that the owner does not serve, which the user accepted; absent if there are none. */
  readonly accepted?: readonly AcceptedRequirement[]
}

/** A requirement that a rejection rests on. */
export interface CitedRequirement {
  readonly requirement: string
  /** The version that has it, as `identity:tag`; undefined for a root. */
  readonly requiredBy: string | undefined
}

/** The reason why there is no resolution. */
export interface Rejection {
  readonly kind: 'rejected'
  readonly code: 'unresolvable' | 'ambiguous-owner' | 'usage' | 'timeout'
  readonly message: string
  readonly diagnostics: readonly Diagnostic[]
  readonly suggestions: readonly string[]
  /**
   * The requirements of each rejection: together they have no resolution, whatever else is required, and without any
   * of them they have one.
   */
  readonly cited?: readonly (readonly CitedRequirement[])[]
  /** The compatible versions, if only owners or placements are undecided. */
  readonly selected?: readonly PackageSummary[]
}

/** The version of a package that its request names: a tag, a digest, or a semver range. */
export interface VersionPin {
  readonly tag?: string
  readonly digest?: string
  readonly range?: string
}

/** A CRD requirement, in the author's spelling, and the package that was accepted as the owner of the CRD. */
export interface AcceptedMismatch {
  readonly crd: string
  readonly owner: string
}
