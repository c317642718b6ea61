import type {Runtime} from '../declaration/runtime/runtime.js'
import {present} from '../present.js'
import type {PullPolicy} from '../reference/pull-policy.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {PermissionScope} from '../unpack/package.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {Era} from './era.js'
import type {InstallId} from '../reference/install-id.js'
import type {Parent} from './labels.js'

/** The request of a user: a package by reference or by CRD, its namespace and its parameters. */
export interface InstallRequest extends InstallId {
  readonly scope: PermissionScope
  /** The package as the request spells it; images without a registry are looked up in `source`. */
  readonly package?: string
  readonly crd?: string
  readonly source?: string
  readonly imagePullPolicy?: PullPolicy
  readonly imagePullSecrets: readonly string[]
  readonly serviceAccountAnnotations: Readonly<Record<string, string>>
  /** How the controller runs. The object of a request has no field for it. */
  readonly runtime?: Runtime
  /** The labels of the request object itself. */
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** Returns the request as the object that a running package manager would act on. */
export function requestObject(era: Era, request: InstallRequest): KubernetesObject {
  const {namespace, name, labels, annotations} = request
  return {
    apiVersion: era.apiVersion,
    kind: requestKind(era, request.scope),
    metadata: {
      name,
      ...(namespace === '' ? {} : {namespace}),
      ...present({labels, annotations}),
    },
    spec: requestSpec(request),
  }
}

function requestSpec(request: InstallRequest): JsonObject {
  const {crd, source, imagePullPolicy, imagePullSecrets, serviceAccountAnnotations: annotations} = request
  return {
    ...present({package: request.package, crd, source, imagePullPolicy}),
    ...(imagePullSecrets.length === 0 ? {} : {imagePullSecrets: imagePullSecrets.map(name => ({name}))}),
    ...(Object.keys(annotations).length === 0 ? {} : {serviceAccount: {annotations}}),
  }
}

/** Returns the request as the parent in the labels of its record. */
export function requestParent(era: Era, {scope, namespace, name}: InstallRequest): Parent {
  return {group: era.group, version: era.version, kind: requestKind(era, scope), namespace, name}
}

export function requestKind(era: Era, scope: PermissionScope): string {
  return scope === 'Cluster' ? era.kinds.clusterRequest : era.kinds.namespacedRequest
}
