import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, type JsonObject} from '../../../yaml/json-value.js'
import {
  CORE_NAMESPACE,
  type ExpandedPackage,
  podLabels,
  revisionOf,
  revisionReference,
  UNKNOWN,
} from './expanded-package.js'
import {runtimeDeployment} from './runtime-deployment.js'

/** Returns what runs the program of a Provider or Function: a Service, its certificates, a ServiceAccount and a Deployment. */
export function runtimeObjects(one: ExpandedPackage): readonly KubernetesObject[] {
  const {request, runtimeConfig} = one
  if (request.kind === 'Configuration') return []
  const templates = asObject(runtimeConfig?.spec)
  const account = inCore(
    'v1',
    'ServiceAccount',
    accountName(one, templates),
    one,
    templates.serviceAccountTemplate,
  )
  const {packagePullSecrets} = asObject(request.spec)
  const secrets = asObjects(packagePullSecrets)
  return [
    service(one, templates),
    ...(request.kind === 'Provider' ? [certificates(one, 'client')] : []),
    certificates(one, 'server'),
    secrets.length === 0 ? account : {...account, imagePullSecrets: secrets},
    runtimeDeployment(one, account.metadata.name),
  ]
}

function accountName(one: ExpandedPackage, {serviceAccountTemplate}: JsonObject): string {
  const {name} = asObject(asObject(serviceAccountTemplate).metadata)
  return typeof name === 'string' ? name : revisionOf(one)
}

function inCore(
  apiVersion: string,
  kind: string,
  name: string,
  one: ExpandedPackage,
  template?: JsonObject[string],
): KubernetesObject {
  const own = asObject(asObject(template).metadata)
  return {
    apiVersion,
    kind,
    metadata: {...own, name, namespace: CORE_NAMESPACE, ownerReferences: [revisionReference(one)]},
  }
}

function service(one: ExpandedPackage, {serviceTemplate}: JsonObject): KubernetesObject {
  const {kind, metadata} = one.request
  const isProvider = kind === 'Provider'
  const port = isProvider ? 'webhook' : 'grpc'
  return {
    ...inCore('v1', 'Service', metadata.name, one, serviceTemplate),
    spec: {
      ...(isProvider ? {} : {clusterIP: 'None'}),
      ports: [
        {
          name: port,
          port: 9443,
          protocol: 'TCP',
          targetPort: port,
          ...(isProvider ? {} : {appProtocol: 'tls'}),
        },
      ],
      selector: podLabels(one),
    },
  }
}

function certificates(one: ExpandedPackage, side: 'client' | 'server'): KubernetesObject {
  return {
    ...inCore('v1', 'Secret', `${one.request.metadata.name}-tls-${side}`, one),
    type: 'Opaque',
    data: {'ca.crt': UNKNOWN, 'tls.crt': UNKNOWN, 'tls.key': UNKNOWN},
  }
}
