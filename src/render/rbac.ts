import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {CrdDefinition, PermissionScope} from '../unpack/package.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {Era} from './era.js'
import type {InstallId, SetObject} from './install-set.js'
import {aggregateLabel, namespaceLabel, type Persona, PERSONAS, recordLabels} from './labels.js'
import {resourcesOf} from './permissions.js'

/** The parts of a record that its identity and permissions depend on. */
export interface Identity {
  readonly id: InstallId
  readonly version: string
  readonly scope: PermissionScope
  readonly rules: readonly JsonObject[]
  readonly serviceAccountAnnotations: Readonly<Record<string, string>>
  /** The record's CRDs, in its order. */
  readonly crds: readonly CrdDefinition[]
  /** Whether the controller gets an identity even without rules. */
  readonly isAlways?: boolean
}

const RBAC_GROUP = 'rbac.authorization.k8s.io'
const READ_VERBS = ['get', 'list', 'watch']
const ALL_VERBS = [...READ_VERBS, 'create', 'delete', 'deletecollection', 'patch', 'update']

/** Creates the service account of a controller, its permissions, and the roles of users for the package's CRDs. */
export function identityObjects(era: Era, identity: Identity): SetObject[] {
  // A record without any rules did not get a service account either: its controller has no permissions.
  const isBare = identity.rules.length === 0 && identity.isAlways !== true
  const own = isBare ? [] : controllerIdentity(era, identity)
  const personas = PERSONAS.map(persona => ({
    fileName: `clusterrole-${persona}`,
    object: personaRole(era, identity, persona),
  }))
  return [...own, ...personas].map(named => ({phase: 'identity', install: identity.id, ...named}))
}

interface Named {
  readonly object: KubernetesObject
  /** For an object whose own name contains a version. */
  readonly fileName?: string
}

function controllerIdentity(era: Era, identity: Identity): Named[] {
  return [
    {object: serviceAccount(era, identity)},
    {fileName: 'clusterrole-system', object: systemRole(era, identity)},
    {object: systemBinding(era, identity)},
  ]
}

function serviceAccount(era: Era, {id, serviceAccountAnnotations: annotations}: Identity): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: id.name,
      namespace: id.namespace,
      labels: recordLabels(era, id),
      ...(Object.keys(annotations).length === 0 ? {} : {annotations}),
    },
  }
}

function systemRole(era: Era, identity: Identity): KubernetesObject {
  const {id, rules} = identity
  return clusterRole(roleName(era, identity, 'system'), recordLabels(era, id), rules)
}

function systemBinding(era: Era, identity: Identity): KubernetesObject {
  const {id, scope} = identity
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: scope === 'Cluster' ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: {
      name: id.name,
      ...(scope === 'Cluster' ? {} : {namespace: id.namespace}),
      labels: recordLabels(era, id),
    },
    roleRef: {apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: roleName(era, identity, 'system')},
    subjects: [{kind: 'ServiceAccount', name: id.name, namespace: id.namespace}],
  }
}

function personaRole(era: Era, identity: Identity, persona: Persona): KubernetesObject {
  const {id, scope, crds} = identity
  const labels = {
    ...recordLabels(era, id),
    ...(scope === 'Cluster'
      ? aggregateLabel(`environment-${persona}`)
      : {...aggregateLabel(`namespace-${persona}`), ...namespaceLabel(id.namespace)}),
  }
  const rules = crds.map(crd => ({
    apiGroups: [crd.group],
    resources: resourcesOf(crd),
    verbs: persona === 'view' ? READ_VERBS : ALL_VERBS,
  }))
  return clusterRole(roleName(era, identity, persona), labels, rules)
}

function roleName(era: Era, {id, version}: Identity, role: Persona | 'system'): string {
  return `${era.personaRolePrefix}${id.namespace}:${id.name}:${version}:${role}`
}

export function clusterRole(
  name: string,
  labels: Readonly<Record<string, string>>,
  rules: readonly JsonObject[],
): KubernetesObject {
  return {apiVersion: `${RBAC_GROUP}/v1`, kind: 'ClusterRole', metadata: labelled(name, labels), rules}
}

/** A role aggregated from other roles by label; the control plane fills in its rules. */
export function aggregatedRole(
  name: string,
  labels: Readonly<Record<string, string>>,
  selectors: readonly Readonly<Record<string, string>>[],
): KubernetesObject {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRole',
    metadata: labelled(name, labels),
    aggregationRule: {clusterRoleSelectors: selectors.map(matchLabels => ({matchLabels}))},
  }
}

/** Returns the metadata of a cluster-scoped object; without labels, there is no field for them. */
export function labelled(
  name: string,
  labels: Readonly<Record<string, string>>,
): KubernetesObject['metadata'] {
  return {name, ...(Object.keys(labels).length === 0 ? {} : {labels})}
}

export {ALL_VERBS, RBAC_GROUP, READ_VERBS}
