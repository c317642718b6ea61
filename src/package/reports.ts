import type {Lock} from '../declaration/lock.js'
import type {LockChanges} from '../declaration/lock-changes.js'
import type {Diagnostic} from '../diagnostic.js'
import type {CrossplaneError} from '../errors.js'
import type {InspectReport} from '../inspect/inspect-report.js'
import type {JudgedCrdChange} from '../inspect/policy/judged-plan.js'
import type {XpkgReport} from '../inspect/inspect-xpkg.js'
import type {GivenPackage} from '../locate/locate-package.js'
import type {TemplateStack} from '../locate/template-stack.js'
import type {EraName} from '../reference/era-name.js'
import type {RequestParameters} from '../render/resolve-install.js'
import type {TreeNode} from '../resolve/dependency-tree.js'
import type {FirstOwner} from '../resolve/first-owners.js'
import type {Step} from '../resolve/install-reasons.js'
import type {OwnerChange, PlannedInstall} from '../resolve/resolution.js'
import type {SignerChange} from '../resolve/signer-changes.js'
import type {ChangedXpkgSet} from './xpkg/changed-set.js'

/** A query about one package, and about the install that a request for it would create. */
export interface InspectQuery extends GivenPackage {
  readonly api: EraName
  readonly parameters: RequestParameters
  /** The names of the flags of a command line: those that the package does not have are rejected. */
  readonly flagNames?: ReadonlySet<string>
}

/** A report for the review of a package, by the kind of its document, and the images that the package runs by default. */
export type Inspection = {readonly images: readonly string[]} & (
  | {readonly kind: 'InspectReport'; readonly report: InspectReport}
  | {readonly kind: 'XpkgReport'; readonly report: XpkgReport}
)

/** A tree to show, by the kind of its document. */
export type ShownTree =
  | ({readonly kind: 'DependencyTree'} & TreeReport)
  | ({readonly kind: 'XpkgTree'; readonly rejection?: undefined} & XpkgTree)

/** The dependencies of a request, and the reason if they cannot be resolved. */
export interface TreeReport {
  readonly isComplete: boolean
  readonly roots: readonly TreeNode[]
  readonly installs: readonly TreeInstall[]
  readonly notes: readonly Diagnostic[]
  /** The template stacks among the packages, in their order; absent if there are none. */
  readonly templates?: readonly PackageTemplates[]
  readonly rejection?: CrossplaneError
}

/** A package with templates. */
export interface PackageTemplates extends TemplateStack {
  readonly package: string
  readonly tag: string
}

interface TreeInstall extends Pick<PlannedInstall, 'namespace' | 'name' | 'for'> {
  readonly package: string
  readonly tag: string
  readonly isRequested: boolean
}

/** All packages for a current Crossplane that a request leads to. */
export interface XpkgTree {
  /** The requested repositories; the path of a local package. */
  readonly roots: readonly string[]
  /** Breadth-first from the roots. */
  readonly packages: readonly XpkgTreePackage[]
  readonly notes: readonly Diagnostic[]
}

export interface XpkgTreePackage {
  readonly package: string
  /** The tag or digest; empty for a local package. */
  readonly version: string
  readonly digest?: string
  readonly kind: string
  /** The name of its request. */
  readonly installsAs: string
  readonly requires: readonly {
    readonly package: string
    readonly kind: string
    readonly constraint: string
  }[]
}

/** A path whose steps name the kinds that templates create. */
export interface TemplateReason {
  readonly steps: readonly TemplateStep[]
}

/** A step, and the templates that it is for. */
export interface TemplateStep extends Step {
  /** The templates that the requirement is for; absent if none of the package before it need it. */
  readonly templates?: Pick<TemplateStack, 'engine' | 'for'> & {readonly creates: readonly NamedKind[]}
}

interface NamedKind {
  readonly apiVersion: string
  readonly kind: string
}

/** The reasons why a package would be installed. */
export interface WhyReport {
  readonly package: string
  readonly tag: string
  /** Its installs, as namespace and name. */
  readonly installs: readonly string[]
  /** False for a request of a cluster that Crossplane has not installed yet. */
  readonly isInstalled?: false
  /** Paths from the request to it, the shortest first. */
  readonly reasons: readonly TemplateReason[]
  /** Its templates, if it is a template stack. */
  readonly templates?: TemplateStack
  /** Notes on its selection; with a lock, also on differences between the resolution and the lock. */
  readonly notes: readonly string[]
}

/** The packages of a lock or a cluster, compared with the available ones. */
export interface OutdatedReport {
  /** Packages that are not at their newest version, or that were yanked, by identity. */
  readonly packages: readonly OutdatedPackage[]
  /** The number of packages that are up to date. */
  readonly current: number
  readonly notes: readonly Diagnostic[]
}

/** One package that is not at its newest version. */
export interface OutdatedPackage {
  readonly package: string
  readonly locked: string
  /** The version that `package lock --upgrade` of all packages selects; absent if the package is no longer needed. */
  readonly fits?: string
  /** The newest stable version that is not yanked; absent if none is known. */
  readonly newest?: string
  readonly status: OutdatedStatus
  /** The reason why the newest version is not selected, or why the locked one was yanked. */
  readonly reason?: string
  /** The first requirement that the newest version does not satisfy; absent if there is none. */
  readonly heldBackBy?: HoldingRequirement
}

/** A requirement that accepts only older versions of a package. */
interface HoldingRequirement {
  /** The dependent with its version; absent for what the user requested. */
  readonly requiredBy?: string
  readonly requirement: string
}

type OutdatedStatus =
  | 'outdated' // another version is selected, or other bytes under the same tag
  | 'held-back' // a newer version does not fit the other packages
  | 'pinned' // a newer version is outside of the requested ones
  | 'yanked' // the locked version was yanked, and nothing else fits

/** A new lock, and its differences from the previous one. */
export interface LockReport {
  readonly lock: Lock
  readonly changes: LockChanges
  readonly notes: readonly Diagnostic[]
  /** Owners that the previous lock does not have, and nothing else names. */
  readonly firstOwners: readonly FirstOwner[]
  /** The groups whose owners are others than those of the previous lock. */
  readonly ownerChanges: readonly OwnerChange[]
  /** The packages and images whose signers are others than those of the previous lock. */
  readonly signerChanges: readonly SignerChange[]
  /** How the packages for a current Crossplane change, if the previous lock has any. */
  readonly xpkgs?: ChangedXpkgSet
  /** Return what the new versions of packages take away; for them, the versions before are read. */
  readonly releases: readonly (() => Promise<Release>)[]
}

/** What new versions of locked packages take away. */
export interface Release {
  readonly warnings: readonly Diagnostic[]
  /** As a policy judges it. */
  readonly crds: readonly JudgedCrdChange[]
}
