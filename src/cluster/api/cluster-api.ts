import type {ObjectName} from '../../kubernetes/object-name.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {AccessAnswer, AccessReview, ServiceAccountName} from './access-reviews.js'
import type {ApiResource, Discovery} from './discovery.js'

/**
 * One API server. Failures are `CrossplaneError`s: `cluster-unreachable`, or one of the codes of `statusError` with a
 * `ClusterFailure` as its cause. Requests are repeated after 429, 5xx and lost connections, writes too. A namespaced
 * object without a namespace is in that of the connection; the namespace of any other is ignored.
 */
export interface ClusterApi {
  version(): Promise<ServerVersion>
  /** Reads the served kinds, once for the life of the client; again with `refresh`, such as after applying CRDs. */
  discover(refresh?: boolean): Promise<Discovery>
  /** Returns the resource of a kind, if it is served; reads it again for an unknown kind, and with `fresh`. */
  resource(kind: ResourceKind, fresh?: boolean): Promise<ApiResource | undefined>
  /** Undefined if the object does not exist or its kind is not served. */
  get(object: ObjectName, options?: GetOptions): Promise<KubernetesObject | undefined>
  /**
   * Lists objects: none of a kind that is not served; of all namespaces unless one is named. Each object once, in
   * pages of 500 unless the options say otherwise.
   */
  list(kind: ResourceKind, options?: ListOptions): AsyncIterable<KubernetesObject>
  /**
   * Reports existing objects as `ADDED`, then every change, until `signal` is aborted. After a gap in the events,
   * objects that changed in it are `ADDED` again.
   */
  watch(kind: ResourceKind, options: WatchOptions): AsyncIterable<WatchEvent>
  /** Server-side apply. Fails with `conflict-with-manager` where others own fields with other values. */
  apply(object: KubernetesObject, options: ApplyOptions): Promise<Written>
  /** `exists`: there is an object of this name, which an earlier attempt whose response was lost may have created. */
  create(object: KubernetesObject, options: WriteOptions): Promise<Written | 'exists'>
  /**
   * Replaces an object; with `metadata.resourceVersion` only if it is still that one, else 409 `Conflict`: also after
   * an earlier attempt whose response was lost.
   */
  update(object: KubernetesObject, options: WriteOptions): Promise<Written>
  /** Applies a JSON merge patch to an object that exists, or to its status. */
  mergePatch(object: ObjectName, patch: JsonObject, options: PatchOptions): Promise<Written>
  /**
   * Fails with 409 `Conflict` if a precondition does not hold. The object can continue to exist, with its finalizers.
   */
  delete(object: ObjectName, options?: DeleteOptions): Promise<'deleted' | 'absent'>
  /** Reads the end of the log of a container, up to 4 KiB. Fails at once, without another attempt. */
  log(pod: ObjectName, options: LogOptions): Promise<string>
  /** Reviews actions; returns the reviews in their order. */
  allowed(reviews: readonly AccessReview[]): Promise<readonly AccessAnswer[]>
  /** Reports whether a service account may do something. */
  isAccountAllowed(account: ServiceAccountName, review: AccessReview): Promise<boolean>
  /** Returns the name of the user, untrusted text; undefined from a server before Kubernetes 1.28. */
  user(): Promise<string | undefined>
  /** Milliseconds since the epoch by the clock of the server; by the local one before its first response. */
  now(): number
}

export interface ResourceKind {
  readonly apiVersion: string
  readonly kind: string
}

export interface ServerVersion {
  /** Such as `v1.36.3`. */
  readonly gitVersion: string
  readonly major: number
  readonly minor: number
}

export interface GetOptions {
  /** Leaves out all but `apiVersion`, `kind` and `metadata`. */
  readonly metadataOnly?: boolean
}

export interface ListOptions extends GetOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** The number of objects of a request, for a list that is not read to its end. */
  readonly pageSize?: number
  /** Reads the rest of a list in smaller pages after one of too many bytes, as anyone can make its objects large. */
  readonly ifLarge?: {readonly pageBytes: number; readonly pageSize: number}
  /** Leaves out which fields each manager has: those of many objects are most of their metadata. */
  readonly managersOnly?: boolean
  /** Fails with `not-found` for a kind that is not served: whether it has objects is unknown. */
  readonly mustBeServed?: boolean
}

export interface LogOptions {
  readonly container: string
  /** The container before the last restart. */
  readonly previous: boolean
  readonly lines: number
}

export interface WatchOptions extends ListOptions {
  readonly signal: AbortSignal
  /** Is called after each list: then every object that exists was reported. */
  readonly listed?: () => void
  /**
   * Returns what a watch remembers and reports of an object, with the name and the version of it; all of it by default. It
   * remembers all objects: those that are gone by the next list are reported too.
   */
  readonly kept?: (object: KubernetesObject) => KubernetesObject
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: KubernetesObject
}

interface WriteOptions {
  /** The field manager. */
  readonly manager: string
  /** Changes nothing and returns the result of the change. */
  readonly dryRun?: boolean
}

interface PatchOptions extends WriteOptions {
  readonly subresource?: 'status'
}

interface ApplyOptions extends WriteOptions {
  /** Takes over fields that others own. */
  readonly force?: boolean
  /** Leaves all but `apiVersion`, `kind` and `metadata` out of the response. */
  readonly metadataOnly?: boolean
}

/** An object as the server returned it. */
export interface Written {
  readonly object: KubernetesObject
  /** Whether this request created the object: status 201. */
  readonly created: boolean
  /** The warnings of the server; untrusted text. */
  readonly warnings: readonly string[]
}

export interface DeleteOptions {
  /** Preconditions. */
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  readonly dryRun?: boolean
}
