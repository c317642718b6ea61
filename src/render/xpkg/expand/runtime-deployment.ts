import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import {
  CORE_NAMESPACE,
  type ExpandedPackage,
  podLabels,
  revisionOf,
  revisionReference,
  UNKNOWN,
} from './expanded-package.js'

const CONTAINER = 'package-runtime'
const USER = {runAsGroup: 2000, runAsNonRoot: true, runAsUser: 2000}
const RESTRICTED = {...USER, allowPrivilegeEscalation: false, privileged: false}
const SCRAPE = {
  'prometheus.io/path': '/metrics',
  'prometheus.io/port': '8080',
  'prometheus.io/scrape': 'true',
}

/** Returns the Deployment of a package: its DeploymentRuntimeConfig, with what Crossplane puts on it. */
export function runtimeDeployment(one: ExpandedPackage, account: string): KubernetesObject {
  const template = asObject(asObject(one.runtimeConfig?.spec).deploymentTemplate)
  const spec = asObject(template.spec)
  const own = asObject(template.metadata)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...own,
      name: asText(own.name) || revisionOf(one),
      namespace: CORE_NAMESPACE,
      ownerReferences: [revisionReference(one)],
    },
    spec: {
      replicas: 1,
      ...spec,
      selector: {matchLabels: podLabels(one)},
      template: podTemplate(one, asObject(spec.template), account),
    },
  }
}

function podTemplate(one: ExpandedPackage, template: JsonObject, account: string): JsonObject {
  const {labels, annotations, ...metadata} = asObject(template.metadata)
  const own = asObject(annotations)
  const isScraped = one.request.kind === 'Provider' && own['prometheus.io/scrape'] === undefined
  const all = {...own, ...(isScraped ? SCRAPE : {})}
  return {
    metadata: {
      ...metadata,
      labels: {...asObject(labels), ...podLabels(one)},
      ...(Object.keys(all).length === 0 ? {} : {annotations: all}),
    },
    spec: podSpec(one, asObject(template.spec), account),
  }
}

function podSpec(one: ExpandedPackage, spec: JsonObject, account: string): JsonObject {
  const {packagePullSecrets} = asObject(one.request.spec)
  const containers = asObjects(spec.containers)
  const own = containers.find(({name}) => name === CONTAINER) ?? {}
  return {
    securityContext: USER,
    serviceAccountName: account,
    ...spec,
    ...(packagePullSecrets === undefined ? {} : {imagePullSecrets: packagePullSecrets}),
    containers: [container(one, own), ...containers.filter(({name}) => name !== CONTAINER)],
    volumes: [...asObjects(spec.volumes), ...sidesOf(one).map(side => volume(one, side))],
  }
}

type Side = 'client' | 'server'

function sidesOf({request}: ExpandedPackage): readonly Side[] {
  return request.kind === 'Provider' ? ['client', 'server'] : ['server']
}

function volume({request}: ExpandedPackage, side: Side): JsonObject {
  const items = ['tls.crt', 'tls.key', 'ca.crt'].map(key => ({key, path: key}))
  return {
    name: `tls-${side}-certs`,
    secret: {items, secretName: `${request.metadata.name}-tls-${side}`},
  }
}

function container(one: ExpandedPackage, own: JsonObject): JsonObject {
  const {packagePullPolicy} = asObject(one.request.spec)
  const ports = asObjects(own.ports)
  const added = portsOf(one).filter(({name}) => !ports.some(port => port.name === name))
  const sides = sidesOf(one)
  return {
    image: one.image,
    securityContext: RESTRICTED,
    ...own,
    name: CONTAINER,
    imagePullPolicy: packagePullPolicy ?? 'IfNotPresent',
    env: [...asObjects(own.env), ...sides.map(certificatesFolder), ...environment(one)],
    ports: [...ports, ...added],
    volumeMounts: [
      ...asObjects(own.volumeMounts),
      ...sides.map(side => ({mountPath: `/tls/${side}`, name: `tls-${side}-certs`, readOnly: true})),
    ],
  }
}

function portsOf({request}: ExpandedPackage): readonly JsonObject[] {
  return [
    {containerPort: 8080, name: 'metrics'},
    {containerPort: 9443, name: request.kind === 'Provider' ? 'webhook' : 'grpc'},
  ]
}

function certificatesFolder(side: Side): JsonObject {
  return {name: `TLS_${side.toUpperCase()}_CERTS_DIR`, value: `/tls/${side}`}
}

function environment({request}: ExpandedPackage): readonly JsonObject[] {
  const ofField = (name: string, fieldPath: string) => ({name, valueFrom: {fieldRef: {fieldPath}}})
  const kind = request.kind.toLowerCase()
  const isProvider = request.kind === 'Provider'
  return [
    ...(isProvider ? [ofField('POD_NAMESPACE', 'metadata.namespace')] : []),
    ofField(`${kind.toUpperCase()}_NAME`, `metadata.labels['pkg.crossplane.io/${kind}']`),
    ofField('REVISION_NAME', "metadata.labels['pkg.crossplane.io/revision']"),
    {name: 'REVISION_UID', value: UNKNOWN},
    ...(isProvider ? [{name: 'WEBHOOK_TLS_CERT_DIR', value: '$(TLS_SERVER_CERTS_DIR)'}] : []),
  ]
}
