import type {IgnoredInventory} from '../cluster/inventory/ignored-inventory.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import type {LockedInstance} from '../declaration/lock.js'
import type {EraName} from '../reference/era-name.js'
import type {InstallId} from '../reference/install-id.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {ObservedObject} from './observed-object.js'

/** The input for judging the health of one install: plain data, read once. Maps of objects are by `objectKey`. */
export interface HealthSnapshot {
  readonly install: InstallId
  readonly era: EraName
  readonly inventory?: Inventory
  /** The reason why the inventory cannot be read. */
  readonly unreadable?: {readonly configMap: string; readonly message: string}
  /** An inventory that does not count: nothing that it says is used. */
  readonly ignored?: Pick<IgnoredInventory, 'standing' | 'configMap'>
  /** Whether a run of this program holds the Lease of the namespace. */
  readonly isBeingChanged: boolean
  readonly namespace?: KubernetesObject
  readonly request?: KubernetesObject
  readonly record?: KubernetesObject
  /** The label of a CRD, if nothing but claims on CRDs is left of the install. */
  readonly claim?: string
  /** Whether the cluster serves the kind of the record. */
  readonly servesRecords: boolean
  /** Whether the cluster serves the packages of a current Crossplane. */
  readonly servesCore?: boolean
  /** Whether an original package manager of the era runs; undefined if it could not be read. */
  readonly isManaged: boolean | undefined
  /** That package manager, as NAMESPACE/NAME. */
  readonly manager?: string
  /** The Job with which an original package manager unpacks the package. */
  readonly job?: KubernetesObject
  /** The CRDs of the inventory and of the kinds that the record names, as far as they exist. */
  readonly crds: readonly ObservedObject[]
  /** The other objects of the inventory and of the record, as far as they exist. */
  readonly live: ReadonlyMap<string, ObservedObject>
  /** The objects that Deployments own, by the key of the Deployment. */
  readonly parts: ReadonlyMap<string, ControllerParts>
  /** Missing permissions to read, by the key of the object, or a name such as `crds`. */
  readonly denials: ReadonlyMap<string, Denial>
  /** What a lock has, to compare with. */
  readonly lock?: readonly LockedInstance[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The objects that a Deployment owns, with their events. */
export interface ControllerParts {
  readonly replicaSets: readonly KubernetesObject[]
  readonly pods: readonly KubernetesObject[]
  /** The events of its Pods that wait. */
  readonly events: readonly KubernetesObject[]
  /** The reason why the events could not be read. */
  readonly eventsDenied?: string
  /** The end of the log of the container that crashed. */
  readonly lastOutput?: string
}

/** A permission that the user lacks. */
export interface Denial {
  /** Names the permission. */
  readonly message: string
  readonly suggestions: readonly string[]
}
