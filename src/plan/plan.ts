import type {Diagnostic} from '../diagnostic.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import type {Phase} from '../render/install-set.js'
import type {Sha256} from './sha256.js'
import type {UninstallImpact} from './uninstall-impact.js'

/** The actions of operations on files and objects. A target implements those that apply to it. */
export const ACTIONS = [
  'apply', // creates or changes an object by server-side apply
  'create-only', // creates a file or an object that does not exist
  'replace', // puts new content in place of the existing one
  'claim', // marks an object as used by an install
  'unclaim', // removes that mark
  'delete',
  'wait', // waits until an object is ready
  'migrate', // writes the custom resources of a CRD once, so that they are stored in another version
  'backup', // saves an object before it is changed
] as const
type Action = (typeof ACTIONS)[number]

/**
 * The condition right before an operation: its target does not exist, or no object with a uid does; it has exactly the
 * state that the decision was based on; or it is the same object, regardless of its state. A wait for the Lock of a core is over
 * when that has an entry of a revision, or has none any more.
 */
export type Precondition =
  | {readonly absent: true; readonly uid?: string}
  | {readonly revision: string; readonly locked: boolean}
  | {readonly sha256: Sha256; readonly uid?: string}
  | {readonly uid: string}

/** One change. At least one of `path` and `object` is present. */
export interface Operation {
  readonly action: Action
  /** The kind of target that executes it, such as `folder`. */
  readonly target: string
  /** A file, relative to the target, with `/` between segments. */
  readonly path?: string
  /** The object that is changed, or that the file holds. */
  readonly object?: ObjectName
  /** The phase of the install set that it belongs to. */
  readonly phase?: Phase
  /** The field manager of a server-side apply. */
  readonly manager?: string
  /** Takes fields over from other field managers. */
  readonly force?: boolean
  /** Of an unclaim: the labels with other owners, or of the content, that are removed as well. */
  readonly labels?: readonly string[]
  /** Of a deletion: the finalizers of an original package manager whose work is done, and that are removed. */
  readonly finalizers?: readonly string[]
  /** The reason for the operation. */
  readonly reason: string
  /** The risks of the change, one warning each. */
  readonly risks?: readonly Diagnostic[]
  readonly precondition?: Precondition
  /** The whole new content of the file. */
  readonly content?: string
}

/**
 * Every change that brings a target to the desired state, in order, as plain data: the same inputs give the same plan.
 * Executing it decides nothing. A plan with rejections is shown and never executed.
 */
export interface Plan {
  readonly operations: readonly Operation[]
  /** The number of files or objects that already have the desired state. */
  readonly unchanged: number
  readonly rejections: readonly Diagnostic[]
  /** Its origin; only in a saved plan for a cluster, which is made again before it is executed. */
  readonly origin?: PlanOrigin
  /** Objects of removed installs that stay; a target without such objects leaves it out. */
  readonly kept?: readonly KeptObject[]
  /** The impact of an uninstall on users and other installs; absent if there is none. */
  readonly impact?: UninstallImpact
}

/** The origin of a plan for a cluster, besides the cluster's state and the packages. */
export interface PlanOrigin {
  /** The command, such as `package install`. */
  readonly command: string
  /** Its arguments and those of its flags that decide what is planned. */
  readonly arguments: readonly string[]
  /** The context of the kubeconfig; empty within a pod. */
  readonly context: string
  /** The URL of the API server. */
  readonly server: string
  /** The version of this program. */
  readonly toolVersion: string
}

/** An object that stays, and the reason: a fact such as `it was taken over with --adopt`. */
export interface KeptObject {
  readonly object: ObjectName
  readonly reason: string
}

/** The warnings of all operations, in their order. */
export function risksOf({operations}: Plan): readonly Diagnostic[] {
  return operations.flatMap(({risks}) => risks ?? [])
}
