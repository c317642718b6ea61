import type {RenderingSettings} from '../declaration/render-settings.js'
import type {Diagnostic} from '../diagnostic.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {PermissionScope} from '../unpack/package.js'
import type {EraName} from '../reference/era-name.js'
import type {InstallId} from '../reference/install-id.js'
import type {AcceptedMismatch, VersionPin} from '../resolve/resolution.js'
import type {InstallRequest} from './request.js'

export type {InstallId, KubernetesObject}

/** The order in which a cluster needs the objects of an install. */
export const PHASES = ['namespaces', 'crds', 'identity', 'records', 'controllers'] as const
export type Phase = (typeof PHASES)[number]

/**
 * The reason why several installs can have the same object: their packages own the CRD, or the set includes it once for
 * all.
 */
type SharedBy = 'crd' | 'base' | 'namespace' | 'namespace-role'

/** One object of the set. Without `install` it is shared. */
export interface SetObject {
  readonly phase: Phase
  readonly install?: InstallId
  /** The kind of a shared object: a package's CRD, part of the base, a Namespace, or a role of a namespace. */
  readonly shared?: SharedBy
  /** The installs that claim a shared CRD. Their labels are truncated, so that they cannot be read back from it. */
  readonly claims?: readonly InstallId[]
  /** The installs whose packages own a CRD; also those that are being uninstalled, which no longer claim it. */
  readonly ownedBy?: readonly InstallId[]
  /**
   * Version-free stem for a file that holds this object, such as `clusterrole-admin`: for objects whose own name holds
   * a version. Unique within the install; without it files are named after kind and name.
   */
  readonly fileName?: string
  readonly object: KubernetesObject
}

/** The package of an install, in the terms of the lock file. */
export interface SetPackage {
  /** The full repository; of a local package without `--as-package` the path that stands for it. */
  readonly identity: string
  readonly tag: string
  readonly version: string
  /** Absent for a package in a folder. */
  readonly digest?: string
  readonly summaryHash: string
  /** The hash of all files of a package without a digest; absent in older inventories. */
  readonly filesHash?: string
}

/** One install of the set, and its origin. */
export interface SetInstall extends InstallId {
  readonly era: EraName
  readonly scope: PermissionScope
  /** Absent for a package record in a file. */
  readonly package?: SetPackage
  /** The request with its parameters; absent for a package record in a file. */
  readonly request?: InstallRequest
  /** Whether the user requested it, or only packages require it. */
  readonly mode: 'requested' | 'auto'
  /** The version restriction of its request; absent if any version is accepted. */
  readonly pin?: VersionPin
  /** Requirements that it satisfies, by the dependent install as NAMESPACE/NAME; sorted. */
  readonly for: Readonly<Record<string, readonly string[]>>
  /** Requirements of versions that the owner does not serve, which the user accepted; absent if there are none. */
  readonly acceptedMismatches?: readonly AcceptedMismatch[]
  /** The settings that it was rendered with; absent if all are the defaults. */
  readonly settings?: RenderingSettings
}

/**
 * All objects for a list of install requests, offline: in the order of their phases, dependencies first. The same
 * inputs give the same set on every machine.
 */
export interface InstallSet {
  readonly installs: readonly SetInstall[]
  readonly objects: readonly SetObject[]
  readonly warnings: readonly Diagnostic[]
}
