import type {
  ApplicableChange,
  JsonObject,
  KubernetesObject,
  PackageInstaller,
  PlannedPackages,
} from 'kubectl-crossplane/plugin'
import type {ChangesSince, JointPorts} from './joint-state.js'
import type {ManagerPolicy} from './manager-policy.js'

/** What a pass over a request works with. */
export interface PassPorts extends JointPorts, ChangesSince {
  readonly installer: PackageInstaller
  readonly systemNamespace: string
  readonly policy: () => Promise<ManagerPolicy>
  readonly writes: RequestWrites
  /** Returns a request object as it is now. */
  readonly read: (object: KubernetesObject) => Promise<KubernetesObject | undefined>
  /** Returns all requests. */
  readonly requests: () => Promise<readonly KubernetesObject[]>
  /** Applies a plan that passes a gate. Changes are made one after another. Throws `Stopped` at a time limit. */
  readonly apply: (change: ApplicableChange, gate?: (packages: PlannedPackages) => void) => Promise<void>
  /** Another request has to be looked at, as the objects that it requests differ. */
  readonly wake: (key: string) => void
  /** A request is to be looked at again when one of these installs, as NAMESPACE/NAME, changes. */
  readonly waits: (request: KubernetesObject, installs: readonly string[]) => void
  /** Whether the process ends: then a failure is not one of a request. */
  readonly isStopping: () => boolean
  /** The hash of the last change of a status, by uid: a CRD may drop some of it, which is no reason to write it again. */
  readonly written: Map<string, string>
}

/** The changes of requests themselves. */
export interface RequestWrites {
  /** Changes the metadata of a request, if it is still as it was read. */
  patch(request: KubernetesObject, metadata: JsonObject): Promise<KubernetesObject>
  patchStatus(request: KubernetesObject, status: JsonObject): Promise<KubernetesObject>
  /** Creates a request, unless there is one of its name. */
  create(request: KubernetesObject): Promise<boolean>
  /** Deletes a request, if it is still this one. */
  remove(request: KubernetesObject): Promise<void>
  event(request: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void>
}
