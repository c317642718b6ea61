import type {LintDiagnostic} from '../author/lint/lint-diagnostic.js'
import type {Lock, LockedInstance} from '../declaration/lock.js'
import type {Diagnostic} from '../diagnostic.js'
import type {CrossplaneError} from '../errors.js'
import type {FormatName} from '../locate/expect-format.js'
import type {JudgedPackage} from '../inspect/policy/judged-package.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import type {OutputFile} from '../plan/folder/file-tree.js'
import type {WholeTreeOptions} from '../plan/layout/layout.js'
import type {ReadRequest, RequestPorts} from '../pipeline/request/read-request.js'
import type {RequestedInstall} from '../render/requested-install.js'
import type {HeldLock} from '../resolve/lock/held-lock.js'
import type {PackageSurface, SurfaceCache, SurfaceOptions} from '../usage/package-surface.js'
import type {BuildPorts, BuildQuery, BuildSource, BuiltImage} from './build.js'
import type {Description} from './description.js'
import type {GivenChoices} from './given-choices.js'
import type {LintOptions, LintPorts} from './lint.js'
import type {GivenXpkgSettings, PackageQuery, RenderedSets} from './rendered-sets.js'
import type {Inspection, InspectQuery, LockReport, OutdatedReport, ShownTree, WhyReport} from './reports.js'

/** A requested install whose package was recognized. */
export interface RecognizedInstall {
  readonly requested: RequestedInstall
  /** A package that was read for it, because no lock, folder or index names its format. */
  readonly located?: LocatedPackage
  /** The repository of the package that defines a requested CRD. */
  readonly owner?: string
}

/** A request whose packages were recognized, before anything else was read of them. */
export interface RecognizedRequest extends ReadRequest {
  readonly parts: Readonly<Record<FormatName, readonly RecognizedInstall[]>>
  /** The settings of the declaration that have no effect without what is removed. */
  readonly unused: readonly string[]
}

/** How the packages of a request are rendered. */
export interface FormatChoices {
  readonly choices: GivenChoices
  readonly settings: GivenXpkgSettings
}

/** Rendered packages of one format, and the repositories of all of them. */
export interface RenderedPart {
  readonly sets: RenderedSets
  readonly identities: readonly string[]
}

/** One version of a package; local ones have no digest. */
export interface PinnedVersion {
  readonly identity: string
  readonly tag?: string
  readonly digest?: string
}

/** What packages of one format add to a lock. */
export interface LockedPart extends Pick<
  LockReport,
  'firstOwners' | 'ownerChanges' | 'signerChanges' | 'xpkgs' | 'releases'
> {
  readonly entries: Partial<Lock>
  readonly notes: readonly Diagnostic[]
  /** Adds to the whole lock what is kept of the one before. */
  readonly remembering?: (lock: Lock) => Lock
}

/**
 * What the packages of a format do at each stage. Use cases call it for the formats that a request has, and ask no package
 * which one it is of; a format that a request does not have is not even loaded.
 */
export interface PackageFormat {
  /** Resolves the packages of a request, and returns their tree; if that fails, the part of it that is known. */
  tree(request: RecognizedRequest, depth: number | undefined): Promise<ShownTree>
  /** Explains a package, or the one that provides a CRD. Returns the error to throw if it has no such package. */
  why(what: string, request: RecognizedRequest): Promise<WhyReport | CrossplaneError>
  /** Returns the versions that a request resolves to. */
  selected(request: RecognizedRequest): Promise<readonly PinnedVersion[]>
  /** Resolves the packages of a request for a lock. @param heldLock - its locked versions are kept. */
  lock(request: RecognizedRequest, heldLock: HeldLock | undefined): Promise<LockedPart>
  /** Returns what a cluster has of a lock, so that both can be compared. */
  instances(lock: Lock): readonly LockedInstance[]
  /** Compares locked packages with what would be selected without the lock. */
  outdated(request: RecognizedRequest, lock: HeldLock): Promise<OutdatedReport>
  /** Renders the packages of a request, with all that they require. */
  render(request: RecognizedRequest, choices: FormatChoices): Promise<RenderedPart>
  /** Returns the files of what this format rendered, as a tree of its own. */
  layOut(sets: RenderedSets, tree: WholeTreeOptions): Promise<readonly OutputFile[]>
  /** Renders one package that was read; of a format that cannot do without, with what it requires. */
  renderPackage(
    located: LocatedPackage,
    query: PackageQuery,
    choices: FormatChoices,
    ports: RequestPorts,
  ): Promise<RenderedSets>
  /** Reports on a package that was read, for a review. */
  inspect(located: LocatedPackage, query: InspectQuery, ports: PackagePorts): Promise<Inspection>
  /** Returns what rules of a policy see of a package that was read, without what it requires. */
  judged(located: LocatedPackage, ports: PackagePorts): Promise<JudgedPackage>
  /** Returns what users of a package that was read depend on. */
  surface(located: LocatedPackage, options?: Partial<SurfaceOptions>): Promise<PackageSurface>
  /** Describes a package that was read, for users who look for one. @param cache - of surfaces that were read before. */
  describe(
    located: LocatedPackage,
    ports: PackagePorts,
    cache: SurfaceCache | undefined,
  ): Promise<Description>
  /** Lints a package that was read. */
  lint(located: LocatedPackage, options: LintOptions, ports: LintPorts): Promise<readonly LintDiagnostic[]>
  /** Lints the package of a folder, and builds its image. */
  build(query: BuildQuery, source: BuildSource, ports: BuildPorts): Promise<BuiltImage>
}
