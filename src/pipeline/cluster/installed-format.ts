import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {Denial} from '../../health/health-snapshot.js'
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import type {InstallId} from '../../reference/install-id.js'
import type {ClusterChange} from './cluster-change.js'
import type {ListedPackage, PackageListQuery, PackageStatusQuery} from './core/list-packages.js'
import type {InstallStatus, StatusQuery} from './install-status.js'
import type {InstallListQuery, ListedInstall} from './list-installs.js'

/** What a user wants to remove. */
export interface RemovalQuery {
  /** The install that the text names; absent where it can only name a package in no namespace. */
  readonly install?: InstallId
  /** The text; absent where it can only name an install of a namespace. */
  readonly text?: string
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
  /** Absent where a text can only name a package in no namespace. */
  readonly installs?: StatusQuery
}

/** The health of what a format has. */
export interface StatusPart {
  readonly statuses?: readonly InstallStatus[]
  readonly packages?: readonly ListedPackage[]
  readonly warnings: readonly Diagnostic[]
  /** Missing permissions without which it is unknown whether there is more. */
  readonly denials: readonly Denial[]
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
  /** Plans the removal of what a query names; undefined if the format has nothing of it. Throws the errors of the API. */
  removal(query: RemovalQuery, api: ClusterApi): Promise<ClusterChange | undefined>
}
