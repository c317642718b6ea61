import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {compareText} from '../../../reference/compare-text.js'
import {asObject, asText, type JsonObject} from '../../../yaml/json-value.js'
import {hasSafeStart} from '../managed-kinds.js'
import {
  controllerReference,
  CORE_NAMESPACE,
  type ExpandedPackage,
  revisionOf,
  revisionReference,
} from './expanded-package.js'

const RBAC = 'rbac.authorization.k8s.io'
const VIEW = ['get', 'list', 'watch']
const ALL = ['*']

interface Resource {
  readonly group: string
  readonly plural: string
}

/** Returns the roles that the RBAC manager of Crossplane makes for a Provider, and the binding of its ServiceAccount. */
export function providerRoles(
  one: ExpandedPackage,
  others: readonly ExpandedPackage[],
  account: string,
): readonly KubernetesObject[] {
  if (one.request.kind !== 'Provider') return []
  const resources = [one, ...others.filter(other => isInFamily(one, other))].flatMap(definedResources)
  const groups = byGroup(resources)
  if (groups.length === 0) return []
  const prefix = `crossplane:provider:${revisionOf(one)}`
  const owner = revisionReference(one)
  const rules = (verbs: readonly string[]) =>
    groups.map(([group, plurals]) => ruleOf([group], plurals, verbs))
  const system = [
    ...rules([...VIEW, 'update', 'patch', 'create']),
    ruleOf(
      groups.map(([group]) => group),
      ['*/finalizers'],
      ['update'],
    ),
    ruleOf(['', 'coordination.k8s.io'], ['secrets', 'configmaps', 'events', 'leases'], ALL),
    ...(hasSafeStart(one.content.metadata)
      ? [ruleOf(['apiextensions.k8s.io'], ['customresourcedefinitions'], VIEW)]
      : []),
  ]
  return [
    role(`${prefix}:aggregate-to-edit`, aggregated('crossplane', 'admin', 'edit'), rules(ALL), owner),
    role(`${prefix}:aggregate-to-view`, aggregated('view'), rules(VIEW), owner),
    role(`${prefix}:system`, {'rbac.crossplane.io/system': revisionOf(one)}, system, owner),
    binding(`${prefix}:system`, account, owner),
  ]
}

/** Returns the roles of a CompositeResourceDefinition. */
export function compositeRoles(xrd: KubernetesObject): readonly KubernetesObject[] {
  const {group, names, claimNames} = asObject(xrd.spec)
  const plurals = [names, ...(claimNames === undefined ? [] : [claimNames])].map(own =>
    asText(asObject(own).plural),
  )
  // The RBAC manager reads an XRD of any version as v1.
  const owner = controllerReference('apiextensions.crossplane.io/v1', xrd.kind, xrd.metadata.name)
  const prefix = `crossplane:composite:${xrd.metadata.name}:aggregate-to`
  const rules = (verbs: readonly string[], of = plurals) =>
    of.map(plural => ruleOf([asText(group)], [plural, `${plural}/status`], verbs))
  const system = plurals.flatMap(plural => [
    ...rules(ALL, [plural]),
    ruleOf([asText(group)], [`${plural}/finalizers`], ['update']),
  ])
  return [
    role(`${prefix}-crossplane`, aggregated('crossplane'), system, owner),
    role(`${prefix}-edit`, aggregated('admin', 'ns-admin', 'edit', 'ns-edit'), rules(ALL), owner),
    role(`${prefix}-view`, aggregated('view', 'ns-view'), rules(VIEW), owner),
    role(`${prefix}-browse`, aggregated('browse'), rules(VIEW, plurals.slice(0, 1)), owner),
  ]
}

const FAMILY = 'pkg.crossplane.io/provider-family'

/** Providers of a family can see each other's kinds, if they are of the same registry and organization. */
function isInFamily(one: ExpandedPackage, other: ExpandedPackage): boolean {
  const [family, theirs] = [one, other].map(({content}) => content.metadata.labels[FAMILY])
  const orgOf = ({reference}: ExpandedPackage) => reference.split('/').slice(0, 2).join('/')
  return one !== other && family !== undefined && family === theirs && orgOf(one) === orgOf(other)
}

function definedResources({content}: ExpandedPackage): readonly Resource[] {
  return content.objects
    .filter(({role: own}) => own === 'crd' || own === 'mrd')
    .map(({value}) => {
      const {group, names} = asObject(value.spec)
      return {group: asText(group), plural: asText(asObject(names).plural)}
    })
}

/** In the order of the RBAC manager. */
function byGroup(resources: readonly Resource[]): readonly (readonly [string, readonly string[]])[] {
  const sorted = [...resources].sort((a, b) => compareText(a.plural + a.group, b.plural + b.group))
  const groups = new Map<string, string[]>()
  for (const {group, plural} of sorted)
    groups.set(group, [...(groups.get(group) ?? []), plural, `${plural}/status`])
  return [...groups]
}

function ruleOf(
  apiGroups: readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): JsonObject {
  return {apiGroups, resources, verbs}
}

function aggregated(...roles: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(roles.map(text => [`rbac.crossplane.io/aggregate-to-${text}`, 'true']))
}

function role(
  name: string,
  labels: Readonly<Record<string, string>>,
  rules: readonly JsonObject[],
  owner: JsonObject,
): KubernetesObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: {name, labels, ownerReferences: [owner]},
    rules,
  }
}

function binding(name: string, account: string, owner: JsonObject): KubernetesObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: {name, ownerReferences: [owner]},
    roleRef: {apiGroup: RBAC, kind: 'ClusterRole', name},
    subjects: [{kind: 'ServiceAccount', name: account, namespace: CORE_NAMESPACE}],
  }
}
