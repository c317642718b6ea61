import type {JsonObject, KubernetesObject, ObjectName, ResourceKind} from 'kubectl-crossplane/plugin'
import type {ConnectionDetails} from './model/details.js'

/** The limits of a call to an external system. */
export interface ExternalCall {
  /** Is aborted at the deadline, and when the runner stops. */
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. A call that is not complete by then counts as failed. */
  readonly deadline: number
}

/** The limits of a call for one managed resource, and what it has published. */
export interface ManagedCall extends ExternalCall {
  /** Reads the connection secret of the managed resource; empty if it has none. */
  stored(): Promise<Readonly<Record<string, string>>>
}

/** The limits of the resolution of references, and the objects that they are to. */
export interface ReferenceCall extends ExternalCall {
  /** Reads an object; undefined if it does not exist. The provider needs the right to get its kind. */
  readonly get: (object: ObjectName) => Promise<KubernetesObject | undefined>
}

/** What an external system reports about a resource. */
export interface Observation {
  readonly exists: boolean
  /** Whether the external resource is as `spec.forProvider` requests it. Absent: it is. */
  readonly isUpToDate?: boolean
  /** Absent: the external resource is available. */
  readonly state?: 'Available' | 'Unavailable' | 'Creating' | 'Deleting'
  /** Output-only fields of the status, besides `conditions` and `bindingPhase`. */
  readonly status?: JsonObject
  /** The credentials that the external system returns. */
  readonly details?: ConnectionDetails
  /**
   * Values that the external system selected for fields of `spec.forProvider`: those of them that the user left out are
   * stored, also in nested objects.
   */
  readonly lateInitialized?: JsonObject
}

/**
 * Port: one external system, with the credentials of one provider. The external name is the annotation
 * `crossplane.io/external-name` of the managed resource. Errors become conditions and Events; the values of the
 * credentials and of connection details are removed from them.
 */
export interface ExternalClient<Managed extends KubernetesObject = KubernetesObject> {
  observe(managed: Managed, call: ManagedCall): Promise<Observation>
  /** `generated` is what `Service.generate` returned, which is in the connection secret already. */
  create(
    managed: Managed,
    generated: Readonly<Record<string, string>>,
    call: ExternalCall,
  ): Promise<ConnectionDetails>
  /** What it returns replaces the values in the connection secret; `stored` reads those before. */
  update(managed: Managed, call: ManagedCall): Promise<ConnectionDetails>
  /** Begins the deletion. Must succeed if the resource does not exist. */
  delete(managed: Managed, call: ExternalCall): Promise<void>
}

/** The provider of a managed resource and its credentials. */
export interface ConnectInput {
  readonly provider: KubernetesObject
  /** The value of the key that `spec.credentialsSecretRef` names. */
  readonly credentials: Uint8Array
}

/** The code of a provider for one kind of managed resources. */
export interface ServiceProvider<Managed extends KubernetesObject = KubernetesObject> {
  /** The kind that `spec.providerRef` names. */
  readonly kind: ResourceKind
  connect(managed: Managed, input: ConnectInput, call: ExternalCall): Promise<ExternalClient<Managed>>
  /** Returns credentials to create the external resource with. They are stored before it is created. */
  generate?(managed: Managed): Readonly<Record<string, string>>
  /**
   * Resolves references to other objects; returns fields of `spec.forProvider`, which are stored before anything is created or
   * updated. An error is reported, and the pass is repeated.
   */
  resolveReferences?(managed: Managed, call: ReferenceCall): Promise<JsonObject | undefined>
}

/** One kind of managed resources: how claims get it, and the provider that serves it. */
export interface Service<Managed extends KubernetesObject = KubernetesObject> {
  readonly managed: ResourceKind
  /** The kind of its classes; absent: claims can only name existing managed resources. */
  readonly class?: ResourceKind
  /** The kinds of claims that can be bound to it. */
  readonly claims?: readonly ResourceKind[]
  /** Absent: another program serves the managed resources. */
  readonly provider?: ServiceProvider<Managed>
  /**
   * Completes a managed resource with the parameters of a claim, before it is created. Absent: a field of the claim becomes the
   * field of the same name in `spec.forProvider`. An error rejects the claim.
   */
  configure?(input: ConfigureInput<Managed>): Managed
}

/** A claim, its class, and the managed resource that the class describes. */
export interface ConfigureInput<Managed extends KubernetesObject = KubernetesObject> {
  readonly claim: KubernetesObject
  readonly class: KubernetesObject
  readonly managed: Managed
}
