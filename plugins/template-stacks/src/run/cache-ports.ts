import type {ClusterApi, ControllerProcess} from 'kubectl-crossplane/plugin'

/** The ports of a cache of watched objects. */
export interface CachePorts extends Pick<ControllerProcess, 'clock' | 'log'> {
  readonly api: Pick<ClusterApi, 'watch'>
}
