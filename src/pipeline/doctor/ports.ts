import type {CacheStore} from '../../cache/cache-store.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Connection} from '../../cluster/connection.js'
import type {KubectlOutput, ProgramFile} from '../../doctor/check-programs.js'
import type {PackageIndex} from '../../index/package-index.js'

/** Port: programs that the user can run. */
export interface Programs {
  /** Lists the executable files in the folders of PATH whose names begin with a prefix, in the order of PATH. */
  find(prefix: string): Promise<readonly ProgramFile[]>
  /** Runs `kubectl version --client --output=json`. */
  kubectl(): Promise<KubectlOutput>
}

/** Port: registries, with the credentials of the user. */
export interface RegistryRequests {
  hasCredentials(registry: string): Promise<boolean>
  /** Sends one request to the root of a registry's API. Throws the errors of `Registry`. */
  request(registry: string): Promise<void>
}

/** An index by the name that the user gave it. */
export interface NamedIndex {
  readonly name: string
  /** Opens it, without the cache. Throws `reference-invalid`, and for a file `not-found` and `index-invalid`. */
  readonly open: () => Promise<PackageIndex>
}

/** The ports through which `doctor` observes; each part is opened when it is checked. */
export interface DoctorPorts {
  readonly programs: Programs
  /** Throws the errors of connecting to a cluster. */
  readonly cluster: () => Promise<{readonly connection: Connection; readonly api: ClusterApi}>
  readonly registries: RegistryRequests
  readonly indexes: readonly NamedIndex[]
  /** Undefined for a user without a home. Throws `cache-failed`. */
  readonly cache: () => Promise<CacheStore | undefined>
}
