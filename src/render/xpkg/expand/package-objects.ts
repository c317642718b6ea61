import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {compareText} from '../../../reference/compare-text.js'
import type {PackageObject} from '../../../xpkg/content/package-content.js'
import {belongsIn, type XpkgKind} from '../../../xpkg/content/object-kinds.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import {hasSafeStart, isManagedKind} from '../managed-kinds.js'
import {
  controllerReference,
  CORE_NAMESPACE,
  type ExpandedPackage,
  revisionReference,
  UNKNOWN,
} from './expanded-package.js'

const MRD = {apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'ManagedResourceDefinition'}
const CRD = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}

/** Reports whether a policy activates a ManagedResourceDefinition by its name. */
export type IsActivated = (name: string) => boolean

/** Returns what Crossplane installs of the content of a package: its objects, and the CRDs that follow from them. */
export function packageObjects(one: ExpandedPackage, isActivated: IsActivated): readonly KubernetesObject[] {
  const {request, content} = one
  const kind = request.kind as XpkgKind
  // Crossplane 2.3 and later install no object of a Function.
  if (kind === 'Function') return []
  return content.objects
    .filter(({role}) => belongsIn(kind, role))
    .flatMap(object => objectsOf(one, object, isActivated))
}

function objectsOf(
  one: ExpandedPackage,
  object: PackageObject,
  isActivated: IsActivated,
): readonly KubernetesObject[] {
  const {role, value} = object
  if (role === 'webhook') return [webhooks(one, value)]
  if (role === 'xrd') return [installed(one, value), ...compositeCrds(value)]
  if (role !== 'crd' && role !== 'mrd') return [installed(one, value)]
  if (role === 'crd' && !isManagedKind(asText(asObject(asObject(value.spec).names).kind)))
    return [installed(one, withWebhook(one, value))]
  return managed(one, withWebhook(one, value), isActivated)
}

/** An object of a package as it is installed: a package decides neither its owners nor its status. */
function installed({request, digest}: ExpandedPackage, value: JsonObject): KubernetesObject {
  const {status: _status, apiVersion, kind, ...rest} = value
  const {creationTimestamp: _time, ...metadata} = asObject(value.metadata)
  const {apiVersion: version, kind: requestKind, metadata: requested} = request
  const owner = {...controllerReference(version, requestKind, requested.name), controller: false}
  return {
    apiVersion: asText(apiVersion),
    kind: asText(kind),
    ...rest,
    metadata: {
      ...metadata,
      name: asText(metadata.name),
      ownerReferences: [revisionReference({request, digest}), owner],
    },
  }
}

function managed(
  one: ExpandedPackage,
  value: JsonObject,
  isActivated: IsActivated,
): readonly KubernetesObject[] {
  const name = asText(asObject(value.metadata).name)
  const isActive = !hasSafeStart(one.content.metadata) || isActivated(name)
  const spec = {...asObject(value.spec), state: isActive ? 'Active' : 'Inactive'}
  const definition = installed(one, {...value, ...MRD, spec})
  return isActive ? [definition, managedCrd(one, definition)] : [definition]
}

function managedCrd(one: ExpandedPackage, {metadata, spec}: KubernetesObject): KubernetesObject {
  const {state: _state, connectionDetails: _details, ...rest} = asObject(spec)
  const versions = asObjects(rest.versions).toSorted((a, b) => compareText(asText(a.name), asText(b.name)))
  const {
    controller: _controller,
    blockOwnerDeletion: _block,
    ...owner
  } = controllerReference(MRD.apiVersion, MRD.kind, metadata.name)
  return {
    ...CRD,
    metadata: {name: metadata.name, ownerReferences: [owner, revisionReference(one)]},
    spec: {...rest, versions},
  }
}

/** Crossplane reads XRDs of any version as v1. */
const XRD_V1 = 'apiextensions.crossplane.io/v1'

/** Crossplane derives the schemas of composites and claims. */
function compositeCrds(value: JsonObject): readonly KubernetesObject[] {
  const {metadata, spec, apiVersion} = value
  const {group, names, claimNames, scope} = asObject(spec)
  const {name} = asObject(metadata)
  const isLegacy = asText(apiVersion).endsWith('/v1')
  const own = isLegacy || scope === 'Cluster' || scope === 'LegacyCluster' ? 'Cluster' : 'Namespaced'
  const crdOf = (crdNames: JsonObject, crdScope: string): KubernetesObject => ({
    ...CRD,
    metadata: {
      name: `${asText(crdNames.plural)}.${asText(group)}`,
      ownerReferences: [controllerReference(XRD_V1, 'CompositeResourceDefinition', asText(name))],
    },
    spec: {group: asText(group), names: crdNames, scope: crdScope, versions: UNKNOWN},
  })
  return [
    crdOf(asObject(names), own),
    ...(claimNames === undefined ? [] : [crdOf(asObject(claimNames), 'Namespaced')]),
  ]
}

/** The webhook of a conversion runs in the package. */
function withWebhook({request}: ExpandedPackage, value: JsonObject): JsonObject {
  const spec = asObject(value.spec)
  const conversion = asObject(spec.conversion)
  if (conversion.strategy !== 'Webhook') return value
  const webhook = asObject(conversion.webhook)
  const clientConfig = clientConfigOf(request, asObject(webhook.clientConfig))
  return {...value, spec: {...spec, conversion: {...conversion, webhook: {...webhook, clientConfig}}}}
}

function clientConfigOf({metadata}: KubernetesObject, config: JsonObject): JsonObject {
  const service = {...asObject(config.service), name: metadata.name, namespace: CORE_NAMESPACE, port: 9443}
  return {...config, caBundle: UNKNOWN, service}
}

function webhooks(one: ExpandedPackage, value: JsonObject): KubernetesObject {
  const {request} = one
  const name = `crossplane-${request.kind.toLowerCase()}-${request.metadata.name}`
  const all = asObjects(value.webhooks).map(webhook => ({
    ...webhook,
    clientConfig: clientConfigOf(request, asObject(webhook.clientConfig)),
  }))
  return installed(one, {...value, metadata: {...asObject(value.metadata), name}, webhooks: all})
}
