import type {DeclaredSettings} from '../../declaration/add-settings.js'
import type {DeclaredPackage} from '../../declaration/declaration.js'
import type {SettingFlags} from '../render/expect-same-settings.js'
import type {ResolutionSettings} from '../request/request-query.js'
import type {FormerPackage} from '../home/locked-history.js'
import type {PromotionSource} from '../../plan/declaration/promoted.js'
import type {MovedRequest} from '../../plan/declaration/moved-requests.js'
import type {HomePlace} from '../../plan/folder/home.js'
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
  /** Whether the lock accepts what the change does to the objects of users. */
  readonly acceptsImpact?: boolean
  /** Whether the commit is reviewed before it is deployed: effects on objects of users are in its message and do not stop it. */
  readonly isReviewed?: boolean
  /** What `package impact` needs to read the same packages; absent where the repository has no folder. */
  readonly impactWords?: string
  /** The commands that go on with a move by commits of the same home, or back. */
  readonly moveWays?: readonly string[]
  /** The subject of the commit; by default, it says what the request is. */
  readonly subject?: string
}

/** A request that can be applied to any version of a declaration. */
type GitRequest = GitInstall | GitUpgrade | GitUninstall | GitRollback | GitPromotion | GitMove

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
  /** Whether only files move, to the folders of new trees. */
  readonly movesFiles?: boolean
}

/** Reports whether a request only moves files. */
export function movesFiles({request}: Pick<GitQuery, 'request'>): boolean {
  return request.kind === 'upgrade' && request.movesFiles === true
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

/** Takes the locked versions of another home for the packages that both have. */
interface GitPromotion {
  readonly kind: 'promote'
  /** The packages to take, by repository; none for all. */
  readonly only: readonly string[]
  /** The other home, in the same repository; its lock is the one of the same commit. */
  readonly from?: HomePlace
  /** What its lock was, where it was read or decided before. */
  readonly source?: PromotionSource
}

/** Begins a move of packages with requests beside the former ones, or ends it: the tree has no former ones any more. */
interface GitMove {
  readonly kind: 'move'
  readonly stage: 'begin' | 'end'
  /** Of the beginning. */
  readonly moves: readonly MovedRequest[]
}
