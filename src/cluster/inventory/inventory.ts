import type {ObjectName} from '../../kubernetes/object-name.js'
import type {SetInstall} from '../../render/install-set.js'

/** The content of an install in a cluster: its package, the reason why it is installed, and all its objects. */
export interface Inventory {
  readonly install: InventoriedInstall
  /** `changing` from before the first change until everything is ready; then `complete`. */
  readonly phase: 'changing' | 'complete'
  /** The version of this program that wrote it. */
  readonly toolVersion: string
  /** In the order of the install set. While `changing`, the previous objects are among them. */
  readonly objects: readonly InventoryObject[]
  /** The CRDs that versions before created and that the install no longer uses; absent if there are none. */
  readonly left?: readonly LeftCrd[]
  /** While an uninstall deletes instances: the uids of those that the user confirmed. */
  readonly deleting?: readonly string[]
  /** The last states of the install, oldest first; the last one is the present state. Absent in older inventories. */
  readonly revisions?: readonly Revision[]
}

/** A CRD that an install no longer uses and that is still in the cluster: deleting it would delete its instances. */
export interface LeftCrd {
  readonly name: string
  readonly uid: string
}

/** A state of an install, to which a rollback can return. */
export interface Revision extends RevisionContent {
  /** The first one is 1. */
  readonly number: number
  /** When it was written, in RFC 3339; absent for the state of an inventory without revisions. */
  readonly time?: string
  /** Who wrote it: the name of the user on the server. Untrusted text. */
  readonly user?: string
  /** Whether it is too large to be kept, so that no rollback can return to it. */
  readonly isPartial?: true
}

/** The fields of an install that a rollback restores. */
export type RevisionContent = Pick<
  InventoriedInstall,
  'era' | 'scope' | 'package' | 'pin' | 'request' | 'settings'
>

/** The fields of an install that its objects do not show. */
export type InventoriedInstall = Omit<SetInstall, 'request'> & {
  readonly request?: InventoriedRequest
}

/** The parameters of a request, to render the install again. */
export type InventoriedRequest = Omit<
  NonNullable<SetInstall['request']>,
  'namespace' | 'name' | 'scope' | 'labels' | 'annotations'
>

/** An object of an install. Without `uid`, it was about to be created. */
export interface InventoryObject extends ObjectName {
  readonly uid?: string
  /** The SHA-256 of the applied object, and of the same fields as the server returned them. */
  readonly sent?: string
  readonly read?: string
  /**
   * Of a CRD, for which `read` is of its metadata only: the number that the server increases with each change of the
   * spec.
   */
  readonly generation?: number
  /** Whether this program created it, rather than take over an existing object. */
  readonly created?: boolean
}
