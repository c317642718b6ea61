import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Revision} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {CrossplaneError} from '../../errors.js'
import type {Denial} from '../../health/health-snapshot.js'
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import type {RecognizedRequest} from '../../package/format.js'
import type {GivenXpkgSettings, ResolvedQuery} from '../../package/rendered-sets.js'
import type {InstallId} from '../../reference/install-id.js'
import type {LockReport, OutdatedReport, ShownTree, WhyReport} from '../../package/reports.js'
import type {Nameable, NameText} from '../../reference/named.js'
import type {ResolutionSettings} from '../request/request-query.js'
import type {InstallOptions} from '../../plan/cluster/plan-install.js'
import type {ClusterChange} from './cluster-change.js'
import type {ListedPackage, PackageListQuery, PackageStatusQuery} from './core/list-packages.js'
import type {InstallPorts, InstallQuery, RequestedInstalls} from './install.js'
import type {InstallStatus, StatusQuery} from './install-status.js'
import type {PackagesChange} from './joined-changes.js'
import type {InstallListQuery, ListedInstall} from './list-installs.js'
import type {RequestPlaces} from './own-requests.js'

/** What a user names. */
export interface NamedQuery {
  /** The install that the text names; absent where it can only name a package in no namespace. */
  readonly install?: InstallId
  readonly text: string
  /** The only namespace that an install may be in. */
  readonly namespace?: string
  /** Whether it can name a package, which has no namespace. */
  readonly selectsPackages: boolean
}

/** What a format has of a name; otherwise the error for a user who meant one of its packages. */
export type NamedPart<Part> = {readonly part: Part} | {readonly absent?: CrossplaneError}

/** What a user wants to remove. */
export interface RemovalQuery extends NamedQuery {
  readonly options: UninstallOptions
  /** Whether it is no error that it does not exist. */
  readonly ignoresNotFound: boolean
  /** The plan that is applied. */
  readonly saved?: SavedClusterPlan
}

/** What is listed of a cluster. */
export type ListQuery = InstallListQuery & PackageListQuery

/** What a format lists; absent for a format without such. */
export interface ListedPart {
  readonly installs?: readonly ListedInstall[]
  readonly packages?: readonly ListedPackage[]
  readonly warnings: readonly Diagnostic[]
}

/** What the status of a cluster is read of. */
export interface ClusterStatusQuery extends PackageStatusQuery {
  /** Absent for a text that cannot be the name of an install. */
  readonly installs?: StatusQuery
  /** The lock to compare installs with. */
  readonly lock?: StatusQuery['lock']
}

/** The health of what a format has. */
export interface StatusPart {
  readonly statuses?: readonly InstallStatus[]
  readonly packages?: readonly ListedPackage[]
  readonly warnings: readonly Diagnostic[]
  /** Missing permissions without which it is unknown whether there is more. */
  readonly denials: readonly Denial[]
}

/** A query for the installs of packages of any format. */
export interface RequestedQuery extends InstallQuery {
  /** Reads the settings for packages for a current Crossplane. */
  readonly xpkgs: () => Promise<GivenXpkgSettings>
}

/** A query for an upgrade of installed packages. */
export interface InstalledUpgrade extends Omit<InstallQuery, 'render'> {
  /** Packages by repository, with a tag to move the pin; none for all that are not pinned. */
  readonly names: readonly string[]
  readonly settings: ResolutionSettings
  /** Settings for packages for a current Crossplane. */
  readonly xpkgs: GivenXpkgSettings
}

/** An upgrade of the packages of a declaration, with its file and lock as they will be. */
export interface DeclaredUpgrade extends Omit<InstalledUpgrade, 'names' | 'settings'> {
  readonly request: RecognizedRequest
  /** How the request is read again. */
  readonly query: ResolvedQuery
  /** Where its own request objects can be. */
  readonly places: RequestPlaces
  /** The identities of packages that no format before has; an empty list upgrades none. */
  readonly named: readonly string[] | 'all'
  /** The declaration. */
  readonly file: string
  /** The identities of its packages. */
  readonly declared: ReadonlySet<string>
  /** The new lock, which decides about versions if there is one. */
  readonly lock?: LockReport
}

/** What a format has of a declaration. */
export interface DeclaredPart {
  /** The names that are not of the format. */
  readonly others: DeclaredUpgrade['named']
  /** The identities of what it has. */
  readonly own: ReadonlySet<string>
  /** Plans the upgrade. Throws the errors of resolution and the API. */
  readonly change: () => Promise<PackagesChange>
}

/** The revisions of an install, oldest first. */
interface InstallHistory extends InstallId {
  readonly revisions: readonly Revision[]
}

/** The revisions that a core keeps of a Provider, Function or Configuration, with untrusted texts. */
interface PackageHistory {
  readonly kind: string
  readonly name: string
  readonly repository: string
  /** Oldest first, by the number that the core gives a revision when it activates it. */
  readonly revisions: readonly PackageRevision[]
}

/** A revision of a package for a current Crossplane. */
export interface PackageRevision {
  readonly number: number
  readonly name: string
  /** The reference that was requested. */
  readonly package: string
  /** The digest that it was resolved to; absent where the core read a tag. */
  readonly digest?: string
  readonly state: 'Active' | 'Inactive'
  readonly healthy: 'True' | 'False' | 'Unknown'
  /** In RFC 3339. */
  readonly created?: string
}

/** The revisions of what a name names, oldest first. */
export type NamedHistory =
  | {readonly kind: 'install'; readonly install: InstallHistory}
  | {readonly kind: 'package'; readonly package: PackageHistory}

/** A query for the return of an install or a package to a revision. */
export interface RollbackQuery extends NamedQuery {
  /** The number of the revision; without it, the one before the present one. */
  readonly revision?: number
  readonly settings: ResolutionSettings
  readonly options: InstallOptions
}

/** What is drawn of the packages of a cluster. */
export interface InstalledTreeQuery {
  /** Only what was requested in it. */
  readonly namespace?: string
  readonly depth?: number
  /** What is drawn instead of all that was requested. */
  readonly named?: NameText
}

/** What is compared with newer versions. */
export interface OutdatedQuery {
  readonly settings: ResolutionSettings
  /** What is shown instead of all; all is compared, since packages hold each other back. */
  readonly named?: NameText
}

/** Where the things are that a text could name. */
export interface NamesQuery {
  /** All namespaces if undefined. */
  readonly namespace?: string
}

/** The upgrade of what a format has. */
export interface UpgradedPart {
  /** The names that are not of the format. */
  readonly others: readonly string[]
  /** Absent if it has none of the packages. */
  readonly change?: PackagesChange
  /** Why it is unknown which packages it has. */
  readonly denied?: CrossplaneError
}

/**
 * What the packages of a format do in a cluster. Use cases call the formats that a cluster can have, and join what they return:
 * they ask no package which one it is of.
 */
export interface InstalledFormat {
  /** Lists what is selected. Throws the errors of the API. */
  list(query: ListQuery, api: ClusterApi): Promise<ListedPart>
  /** Judges the health of what is selected. Can throw `not-found` for a text that names nothing, and throws the errors of the API. */
  status(query: ClusterStatusQuery, api: ClusterApi): Promise<StatusPart>
  /** Plans the installs of what a query requests of the format. Throws the errors of resolution and the API. */
  install(installs: RequestedInstalls, query: RequestedQuery, ports: InstallPorts): Promise<PackagesChange>
  /** Plans the upgrade of what it has of some names, or of all packages. Throws the errors of resolution and the API. */
  upgrade(query: InstalledUpgrade, ports: InstallPorts): Promise<UpgradedPart>
  /** Prepares the upgrade of what a declaration requests of the format. Throws the errors of the API. */
  upgradeDeclared(query: DeclaredUpgrade, ports: InstallPorts): Promise<DeclaredPart>
  /** Reads the revisions of what a query names. Throws the errors of the API. */
  history(query: NamedQuery, api: ClusterApi): Promise<NamedPart<NamedHistory>>
  /** Plans the return of what a query names to a revision. Throws `not-found`, and the errors of resolution and the API. */
  rollback(query: RollbackQuery, ports: InstallPorts): Promise<NamedPart<PackagesChange>>
  /** Lists what a NAME can mean, as far as the user may read it. Throws the errors of the API. */
  names(query: NamesQuery, api: ClusterApi): Promise<readonly Nameable[]>
  /** Reads the tree of what is installed, or of what a text names; undefined if that is nothing. Throws the errors of the API. */
  tree(query: InstalledTreeQuery, api: ClusterApi): Promise<ShownTree | undefined>
  /** Explains why what a text names is installed; undefined if it is not. Throws the errors of the API. */
  why(query: NameText, api: ClusterApi): Promise<WhyReport | undefined>
  /** Compares what is installed, or what a text names, with what an upgrade would select; undefined for nothing. Throws the errors of resolution and the API. */
  outdated(query: OutdatedQuery, ports: InstallPorts): Promise<OutdatedReport | undefined>
  /** Plans the removal of what a query names; undefined if the format has nothing of it. Throws the errors of the API. */
  removal(query: RemovalQuery, api: ClusterApi): Promise<ClusterChange | undefined>
}
