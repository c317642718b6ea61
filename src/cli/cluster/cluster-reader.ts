import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {ClusterFlags} from './cluster-connection.js'
import {openCluster} from './cluster-ports.js'
import type {Progress} from '../shell/progress/step-event.js'

/** Reads the objects of a cluster. Failures are `CrossplaneError`s; a missing permission is `cluster-denied`. */
export type ClusterReader = Pick<ClusterApi, 'version' | 'discover' | 'resource' | 'get' | 'list' | 'watch'>

/** A cluster that is only read. */
export interface ReadableCluster {
  /** The name of the context; empty within a cluster. */
  readonly context: string
  /** The namespace of the context; `default` if it has none. */
  readonly namespace: string
  readonly reader: ClusterReader
}

/** Connects to the cluster that `clusterFlags` select; sends nothing yet. `version` is that of the program. */
export async function connectReader(
  flags: ClusterFlags,
  version: string,
  progress: Progress = NO_PROGRESS,
): Promise<ReadableCluster> {
  const {connection, api} = await openCluster(flags, version, progress)
  return {context: connection.context, namespace: connection.namespace, reader: api}
}

const ignore = () => undefined

const NO_PROGRESS: Progress = {report: ignore, print: ignore, end: ignore, warn: ignore, pulled: ignore}
