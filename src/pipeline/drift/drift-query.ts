import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {RemedyParts} from '../../health/sides/remedies.js'
import type {HomePlace} from '../../plan/folder/home.js'
import type {HomePorts} from '../home/committed-home.js'
import type {LockPlace} from './lock-history.js'
import type {RequestPorts} from '../request/read-request.js'
import type {LockQuery, ResolutionSettings} from '../request/request-query.js'

/** The sides that are compared: two or three. */
export interface DriftQuery {
  readonly lock?: LockedSide
  /** The home whose tree is compared, in the repository of the ports. */
  readonly tree?: HomePlace
  /** The commands for whole sides. */
  readonly remedies: Pick<RemedyParts, 'install' | 'repository' | 'branch'> & {
    /** Returns the command that renders the lock to a folder of the repository. */
    readonly render?: (folder: string) => string
    /** The command that clones the repository of a URL to its folder, which the others need. */
    readonly clone?: string
  }
}

/** A declaration with its lock. */
export interface LockedSide {
  readonly declaration: string
  readonly lock: LockQuery
  /** The default settings of a resolution: those that decide are in the declaration. */
  readonly settings: ResolutionSettings
}

/** What the sides are read from; those of a side that is not compared are absent. */
export interface DriftPorts {
  readonly requests: RequestPorts
  readonly repository?: HomePorts
  readonly api?: ClusterApi
  /** Finds the lock in its repository, if it is in one. */
  readonly lockPlace?: () => Promise<LockPlace | undefined>
}
