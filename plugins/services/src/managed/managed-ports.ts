import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import type {SecretPlace} from '../model/propagation.js'
import type {Store} from '../model/store.js'
import type {ServiceProvider} from '../services.js'
import type {Credentials} from './credentials.js'
import type {CallRunner} from './external-call.js'

/** The longest times between passes, in milliseconds. */
export interface Waits {
  /** After a change of the external system. */
  readonly short: number
  /** While nothing changes. */
  readonly long: number
}

/** What passes over managed resources of a kind work with. */
export interface ManagedPorts {
  readonly store: Store
  readonly provider: ServiceProvider
  readonly waits: Waits
  readonly call: CallRunner
  readonly credentials: Credentials
  /** At least 0, less than 1. */
  readonly random: () => number
  /** The UIDs of managed resources whose external resources are being deleted: each is deleted by one call. */
  readonly deleted: Set<string>
  /** Returns the secret of the claim that a managed resource is bound to. */
  readonly claimSecretOf: (managed: KubernetesObject) => SecretPlace | undefined
}
