import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import type {InstallId} from '../../reference/install-id.js'
import type {ClusterChange} from './cluster-change.js'

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

/**
 * What the packages of a format do in a cluster. Use cases call the formats that a cluster can have, and join what they return:
 * they ask no package which one it is of.
 */
export interface InstalledFormat {
  /** Plans the removal of what a query names; undefined if the format has nothing of it. Throws the errors of the API. */
  removal(query: RemovalQuery, api: ClusterApi): Promise<ClusterChange | undefined>
}
