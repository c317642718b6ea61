import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import type {InstallId} from '../../reference/install-id.js'
import type {JsonValue} from '../../yaml/json-value.js'
import type {FieldManager} from './field-managers.js'
import type {Place} from './place.js'

/** Where the objects of packages are: as the lock renders them, as a commit has them, and as they are. */
export const SIDES = ['lock', 'tree', 'cluster'] as const
export type Side = (typeof SIDES)[number]

/** One object on every side that is compared. */
export interface SidedObject {
  readonly name: ObjectName
  /** The install that it belongs to; absent for a shared object. */
  readonly install?: InstallId
  /** The object of each side; absent where a side lacks it. */
  readonly on: Partial<Readonly<Record<Side, KubernetesObject>>>
  /** The file of the tree, relative to the root of the repository. */
  readonly path?: string
  /** Whether it is created once and then left as it is, as Namespaces and the API of packages. */
  readonly isCreatedOnce: boolean
  /** Whether the user may not read it in the cluster. */
  readonly isDenied?: boolean
}

/** An object that differs. */
export interface ObjectDrift {
  readonly name: ObjectName
  readonly install?: InstallId
  readonly path?: string
  /** The sides that have it. */
  readonly presentOn: readonly Side[]
  readonly differences: readonly Difference[]
  /** The commands that bring back the sides that differ. */
  readonly remedies?: readonly Remedy[]
}

/** A command that makes a side the same as the others. */
export interface Remedy {
  readonly side: Side
  readonly command: string
}

/** A part of an object that is not the same on all sides. */
export interface Difference {
  /** The part; empty for the whole object. */
  readonly place: Place
  /** The side that differs from the two others; of two sides, and where all differ, all of them. */
  readonly differs: readonly Side[]
  /** The value of each side that has one; none for a whole object, and none of Secrets. */
  readonly values: Partial<Readonly<Record<Side, JsonValue>>>
  /** Who changed it in the cluster; empty if it cannot be known, as of what was removed. */
  readonly managers: readonly FieldManager[]
  /** The JSON pointer of what only the cluster has, which no apply removes. */
  readonly added?: string
  /** Since when the tree has its value. */
  readonly tree?: TreeChange
}

/** The commit since which a tree has a value. */
export interface TreeChange {
  readonly commit: {
    readonly id: string
    readonly time: string
    readonly author: string
    readonly subject: string
    readonly isMerge?: true
  }
  /** Whether it added the file, or is the earliest that was read. */
  readonly isFirst: boolean
}
