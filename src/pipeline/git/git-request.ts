import type {DeclaredSettings} from '../../declaration/add-settings.js'
import type {DeclaredPackage} from '../../declaration/declaration.js'
import type {SettingFlags} from '../render/tree-settings.js'
import type {ResolutionSettings} from '../request/request-query.js'
import type {LockedPackage, LockedXpkg} from '../../declaration/lock.js'
import type {RemovalStage} from '../../plan/declaration/removal-step.js'

/** A change of a declaration, its lock and the rendered tree, as data. */
export interface GitQuery {
  readonly request: GitRequest
  /** The settings that the declaration gets. */
  readonly declared: DeclaredSettings
  /** Settings that no declaration has. */
  readonly settings: ResolutionSettings
  /** Whether no cluster has instances of CRDs that are removed, or change in a way that instances prevent. */
  readonly assumeNoInstances: boolean
  /** Whether instances whose CRD leaves the tree are kept without a controller. */
  readonly keepsInstances: boolean
  /** Whether versions that CRDs lose are kept until their custom resources are migrated. */
  readonly migratesVersions: boolean
  /** Whether the tree can bring the base to a cluster with a current Crossplane. */
  readonly baseBesideCore?: boolean
  /** Which settings of the tree the commit can change. */
  readonly settingFlags: SettingFlags
  /** The subject of the commit; by default, it says what the request is. */
  readonly subject?: string
}

/** A request that can be applied to any version of a declaration. */
type GitRequest = GitInstall | GitUpgrade | GitUninstall | GitRollback

/** Adds an install, or moves its pin. */
interface GitInstall {
  readonly kind: 'install'
  readonly entry: DeclaredPackage
}

/** Applies the next step of an uninstall, of NAME or NAMESPACE/NAME. */
interface GitUninstall {
  readonly kind: 'uninstall'
  readonly name: string
  /** The last stage to reach, where an earlier commit decided it. */
  readonly stage?: RemovalStage
}

/** Upgrades packages: by repository, with a tag to move the pin; none for all that are not pinned. */
interface GitUpgrade {
  readonly kind: 'upgrade'
  readonly names: readonly string[]
  /** Whether only settings change: no version does. */
  readonly keepsVersions?: boolean
}

/** Returns a package to the version that the lock had in a commit; the one before, if no commit is named. */
interface GitRollback {
  readonly kind: 'rollback'
  /** As for an uninstall, or the repository. */
  readonly name: string
  /** A revision of git. */
  readonly to?: string
  /** What that was resolved to, where it was decided for an earlier commit. */
  readonly former?: FormerPackage
}

/** The package that a rollback returns to. */
export interface FormerPackage {
  /** The hash of the commit. */
  readonly commit: string
  readonly repository: string
  /** What the lock of the commit has of it, in one of the formats. */
  readonly stack?: LockedPackage
  readonly xpkg?: LockedXpkg
}
