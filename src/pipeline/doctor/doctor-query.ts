import type {FoundDeclaration} from './declared-sources.js'

/** A query for the checks of `doctor`. */
export interface DoctorQuery {
  /** Whether flags select a cluster, so that a missing one is an error. */
  readonly isClusterSelected: boolean
  /** The namespace of installs; that of the context if undefined. */
  readonly namespace: string | undefined
  /** The registries that other commands contact. */
  readonly registries: readonly string[]
  /** Whether neither a flag nor a declaration names the registry of references without one. */
  readonly isDefaultSource: boolean
  /** The declaration of the working folder, if there is one. */
  readonly declaration: FoundDeclaration | undefined
  readonly isOffline: boolean
  /** The commands of this program, such as `package install`. */
  readonly commands: readonly string[]
  readonly node: {readonly version: string; readonly minimum: string}
}
