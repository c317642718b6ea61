import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {JsonObject} from '../yaml/json-value.js'
import {baseCrds} from './base-crds.js'
import {type Era, pluralOf} from './era.js'
import type {SetObject} from './install-set.js'
import {aggregateLabel, type Labels, SCOPE_LABEL} from './labels.js'
import {aggregatedRole, ALL_VERBS, clusterRole, RBAC_GROUP, READ_VERBS} from './rbac.js'

/**
 * The objects that Crossplane itself included for packages of an era: the CRDs of the API group, and the roles that
 * the packages' own roles aggregate to.
 */
export function baseObjects(era: Era): SetObject[] {
  return [
    ...baseCrds(era).map(object => ({phase: 'crds', shared: 'base', object}) as const),
    ...[...adminRoles(), ...environmentRoles(era), ...namespaceDefaults(era), personaClusterRights()].map(
      object => ({phase: 'identity', shared: 'base', object}) as const,
    ),
  ]
}

const WRITE_VERBS = ALL_VERBS.filter(verb => !READ_VERBS.includes(verb))

function rule(
  apiGroups: readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): JsonObject {
  return {apiGroups, resources, verbs}
}

const READ_CRDS = rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], READ_VERBS)
const READ_NAMESPACES = rule([''], ['namespaces'], READ_VERBS)
const CONFIGURE = rule([''], ['configmaps', 'secrets'], ALL_VERBS)

/** Crossplane's own API groups, with the era's among them where its objects are included. */
function ownGroups(era?: Era): string[] {
  return [
    ...['cache', 'compute', 'database', 'kubernetes', 'core'].map(crossplaneGroup),
    ...(era === undefined ? [] : [era.group]),
    ...['storage', 'workload'].map(crossplaneGroup),
    'core.oam.dev',
    crossplaneGroup('apiextensions'),
  ]
}

function crossplaneGroup(name: string): string {
  return `${name}.crossplane.io`
}

function scoped(scope: string, to?: string): Labels {
  return {[SCOPE_LABEL]: scope, ...(to === undefined ? {} : aggregateLabel(to))}
}

function adminRoles(): KubernetesObject[] {
  return [
    aggregatedRole('crossplane-admin', scoped('system'), [aggregateLabel('crossplane-admin')]),
    clusterRole('crossplane:system:aggregate-to-crossplane-admin', scoped('system', 'crossplane-admin'), [
      rule([RBAC_GROUP], ['clusterrolebindings', 'rolebindings'], ALL_VERBS),
      rule([RBAC_GROUP], ['clusterroles'], READ_VERBS),
      rule([''], ['namespaces'], ALL_VERBS),
    ]),
    {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: {name: 'crossplane-admin'},
      roleRef: {apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: 'crossplane-admin'},
      subjects: [{apiGroup: RBAC_GROUP, kind: 'Group', name: 'crossplane:masters'}],
    },
  ]
}

function environmentRoles(era: Era): KubernetesObject[] {
  const name = (persona: string) => `${era.defaultRolePrefix}env:default:${persona}`
  const aggregated = (persona: string, to: string) =>
    aggregatedRole(`crossplane-env-${persona}`, scoped('environment', to), [
      aggregateLabel(`environment-${persona}`),
    ])
  // v0.12 had the singular names here, which grant nothing; they are kept as they were.
  const ownKinds = [era.kinds.clusterRequest, era.kinds.record].map(kind => kind.toLowerCase())
  return [
    aggregated('admin', 'crossplane-admin'),
    clusterRole(name('admin'), aggregateLabel('environment-admin'), [rule(ownGroups(era), ['*'], ALL_VERBS)]),
    aggregated('edit', 'environment-admin'),
    clusterRole(name('edit'), aggregateLabel('environment-edit'), [
      rule(ownGroups(), ['*'], WRITE_VERBS),
      CONFIGURE,
    ]),
    aggregated('view', 'environment-edit'),
    clusterRole(name('view'), aggregateLabel('environment-view'), [
      rule(ownGroups(era), ['*'], READ_VERBS),
      rule([era.group], ownKinds, READ_VERBS),
      READ_CRDS,
      READ_NAMESPACES,
    ]),
  ]
}

function namespaceDefaults(era: Era): KubernetesObject[] {
  const name = (persona: string) => `${era.defaultRolePrefix}ns:default:${persona}`
  const requests = pluralOf(era.kinds.namespacedRequest)
  const records = pluralOf(era.kinds.record)
  const to = (persona: string) => aggregateLabel(`namespace-default-${persona}`)
  return [
    clusterRole(name('admin'), to('admin'), [
      rule(ownGroups(), ['*'], ALL_VERBS),
      rule([era.group], [requests, records], ALL_VERBS),
    ]),
    clusterRole(name('edit'), {...to('admin'), ...to('edit')}, [
      rule(ownGroups(), ['*'], WRITE_VERBS),
      CONFIGURE,
    ]),
    clusterRole(name('view'), {...to('edit'), ...to('view')}, [
      rule(ownGroups(era), ['*'], READ_VERBS),
      rule([era.group], [records, requests], READ_VERBS),
    ]),
  ]
}

function personaClusterRights(): KubernetesObject {
  return clusterRole('crossplane:system:ns-persona-cluster-rights', {}, [READ_CRDS, READ_NAMESPACES])
}
