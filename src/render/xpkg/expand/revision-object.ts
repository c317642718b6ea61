import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {present} from '../../../present.js'
import {asObject, type JsonObject} from '../../../yaml/json-value.js'
import {controllerReference, type ExpandedPackage, revisionOf} from './expanded-package.js'

/** Returns the revision that Crossplane makes of a request. */
export function revisionObject(one: ExpandedPackage): KubernetesObject {
  const {request, content} = one
  const {apiVersion, kind, metadata} = request
  const {labels, annotations} = content.metadata
  return {
    apiVersion,
    kind: `${kind}Revision`,
    metadata: {
      name: revisionOf(one),
      labels: {...labels, 'pkg.crossplane.io/package': metadata.name},
      ...(Object.keys(annotations).length === 0 ? {} : {annotations: {...annotations}}),
      finalizers: ['revision.pkg.crossplane.io'],
      ownerReferences: [controllerReference(apiVersion, kind, metadata.name)],
    },
    spec: revisionSpec(one),
  }
}

function revisionSpec({request, reference}: ExpandedPackage): JsonObject {
  const {
    packagePullPolicy,
    packagePullSecrets,
    skipDependencyResolution,
    revisionActivationPolicy,
    runtimeConfigRef,
  } = asObject(request.spec)
  const isActive = revisionActivationPolicy !== 'Manual'
  return {
    ...(isActive ? {desiredState: 'Active'} : {}),
    ignoreCrossplaneConstraints: false,
    image: reference,
    packagePullPolicy: packagePullPolicy ?? 'IfNotPresent',
    ...present({packagePullSecrets}),
    revision: 1,
    skipDependencyResolution: skipDependencyResolution ?? false,
    ...runtimeFields(request, asObject(runtimeConfigRef).name ?? 'default'),
  }
}

function runtimeFields({kind, metadata}: KubernetesObject, runtimeConfig: JsonObject[string]): JsonObject {
  if (kind === 'Configuration') return {}
  return {
    runtimeConfigRef: {
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'DeploymentRuntimeConfig',
      name: runtimeConfig ?? null,
    },
    ...(kind === 'Provider' ? {tlsClientSecretName: `${metadata.name}-tls-client`} : {}),
    tlsServerSecretName: `${metadata.name}-tls-server`,
  }
}
