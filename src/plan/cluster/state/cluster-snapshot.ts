import type {FieldConflict} from '../../../cluster/api/cluster-failure.js'
import type {IgnoredInventory} from '../../../cluster/inventory/ignored-inventory.js'
import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import type {SystemRoles} from '../../../cluster/inventory/system-role.js'
import type {EraName} from '../../../reference/era-name.js'
import type {InstallId} from '../../../render/install-set.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {LostInstances} from '../../uninstall-impact.js'
import type {GitSource} from './git-sources.js'
import type {InstanceSurvey} from './instance-survey.js'
import type {LeftBehind} from './left-behind.js'

/** The state of a cluster for planning: plain data, read once. Maps are by `objectKey`. */
export interface ClusterSnapshot {
  /**
   * The objects of the install set, and those in the inventories of its installs, that exist. CRDs that are not read,
   * deleted or changed are here with their metadata only.
   */
  readonly live: ReadonlyMap<string, KubernetesObject>
  /** The server's answers to a dry-run apply of the objects that exist and are not as this program left them. */
  readonly dryRuns: ReadonlyMap<string, DryRun>
  /** What Flux and Argo CD do with the objects that they apply from Git. */
  readonly sources?: ReadonlyMap<string, GitSource>
  /** The dry runs of CRDs with the stored versions that their packages no longer have, if these are migrated. */
  readonly transitions?: ReadonlyMap<string, DryRun>
  /** The records in inventories of the desired objects that exist and need no change. */
  readonly states: ReadonlyMap<string, ObjectState>
  /** The inventories that count, and of the installs of a change those whose objects it takes over. */
  readonly inventories: readonly Inventory[]
  /** The inventories that do not count: nothing but their names is known for certain. */
  readonly ignored: readonly IgnoredInventory[]
  /** The namespace with whose ConfigMaps there were too many to read them all, if there were. */
  readonly floodedBy?: string
  /** The system roles of all installs, with the witnesses of inventories. */
  readonly roles: SystemRoles
  /** The inventories that cannot be read: the objects that their installs use are unknown. */
  readonly unreadable: readonly UnreadableInventory[]
  /** The kinds that the cluster serves, as `apiVersion kind`, as far as objects of the set have them. */
  readonly served: ReadonlySet<string>
  /** The current Crossplane that runs, in words; only read for a set with the base, or with kinds that are not served. */
  readonly core?: string
  /** The Deployments of original package managers that run, as NAMESPACE/NAME, by the era of the installs they manage. */
  readonly managers: ReadonlyMap<EraName, string>
  /** The Deployment of the package manager of this program that runs, as NAMESPACE/NAME. */
  readonly ownManager?: string
  /** The instances that lose their controller by an uninstall, by CRD. */
  readonly instances: ReadonlyMap<string, LostInstances>
  /** The instances of the CRDs that a package changes; absent where they cannot be listed. */
  readonly surveys: ReadonlyMap<string, InstanceSurvey>
  /** The installs that package records name, if a plan deletes or changes CRDs; of an uninstall, also those of requests. */
  readonly recorded: readonly RecordedKinds[]
  /** Of an uninstall, the CRDs that the installs left behind before. */
  readonly left?: readonly LeftBehind[]
}

/** The ConfigMap of an inventory that cannot be read, and the reason. */
export interface UnreadableInventory {
  readonly namespace: string
  readonly configMap: string
  /** The message of a coded error. */
  readonly message: string
  readonly suggestions: readonly string[]
}

/** An object as it was applied and as the server returned it. */
export type ObjectState = Pick<InventoryObject, 'uid' | 'sent' | 'read' | 'generation'>

/** The kinds of CRDs, as `group kind`, that a package record names; a request names none. */
export interface RecordedKinds extends InstallId {
  readonly kinds: readonly string[]
  /** The CRDs that the package requires, as its author wrote them. */
  readonly requires?: readonly string[]
}

/** The server's answer to a server-side apply with `dryRun=All`. */
export type DryRun =
  | {readonly kind: 'applied'; readonly object: KubernetesObject}
  | {readonly kind: 'conflict'; readonly fields: readonly FieldConflict[]}
  /** The API server or an admission webhook rejects the object, such as for an immutable field. */
  | {readonly kind: 'rejected'; readonly message: string; readonly isImmutable: boolean}
