/** A query for the checks of `doctor`. */
export interface DoctorQuery {
  /** Whether flags select a cluster, so that a missing one is an error. */
  readonly isClusterSelected: boolean
  /** The namespace of installs; that of the context if undefined. */
  readonly namespace: string | undefined
  /** The registry of references without one. */
  readonly registry: string
  readonly isOffline: boolean
  /** The commands of this program, such as `package install`. */
  readonly commands: readonly string[]
  readonly node: {readonly version: string; readonly minimum: string}
}
