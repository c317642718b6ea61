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
  /** While an uninstall deletes instances: the uids of those that the user confirmed. */
  readonly deleting?: readonly string[]
}

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
