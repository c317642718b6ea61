import type {AccessReview} from '../../../cluster/api/access-reviews.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {present} from '../../../present.js'
import type {JsonObject} from '../../../yaml/json-value.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import {sha256Of} from '../../sha256.js'

/** A rule of RBAC, with sorted lists. */
export interface PermissionRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

/** The rules that give permissions in one namespace, or in all. */
export interface PermissionRules {
  readonly namespace?: string
  readonly rules: readonly PermissionRule[]
}

const RBAC_GROUP = 'rbac.authorization.k8s.io'

/** Writes permissions as few rules, those of all namespaces first. */
export function permissionRules(reviews: readonly AccessReview[]): readonly PermissionRules[] {
  const places = [...new Set(reviews.map(({namespace = ''}) => namespace))].sort()
  return places.map(place => ({
    ...(place === '' ? {} : {namespace: place}),
    rules: rulesOf(reviews.filter(({namespace = ''}) => namespace === place)),
  }))
}

/**
 * The roles and bindings that give a user permissions. Their names depend on these permissions, so that applying those
 * of one command does not revoke those of another.
 */
export function permissionManifest(
  permissions: readonly PermissionRules[],
  user: string,
): readonly KubernetesObject[] {
  return permissions.flatMap(({namespace, rules}): KubernetesObject[] => {
    const name = `kubectl-crossplane:${sha256Of(writeJson({user, rules: rules.map(asJson)})).slice(0, 10)}`
    const metadata = {name, ...(namespace === undefined ? NOWHERE : {namespace})}
    const [role, apiVersion] = [namespace === undefined ? 'ClusterRole' : 'Role', `${RBAC_GROUP}/v1`]
    return [
      {apiVersion, kind: role, metadata, rules: rules.map(asJson)},
      {
        apiVersion,
        kind: `${role}Binding`,
        metadata,
        roleRef: {apiGroup: RBAC_GROUP, kind: role, name},
        subjects: [subjectOf(user)],
      },
    ]
  })
}

const NOWHERE: JsonObject = {}

function asJson(rule: PermissionRule): JsonObject {
  const {apiGroups, resources, resourceNames, verbs} = rule
  return {apiGroups, resources, ...present({resourceNames}), verbs}
}

/** https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/: how their names are spelled. */
function subjectOf(user: string): JsonObject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? []
  if (namespace !== undefined && name !== undefined) return {kind: 'ServiceAccount', name, namespace}
  return {apiGroup: RBAC_GROUP, kind: 'User', name: user}
}

/** First the verbs of each resource and name, then the names with the same verbs, then the resources with the same rule. */
function rulesOf(reviews: readonly AccessReview[]): readonly PermissionRule[] {
  const single = grouped(reviews, ({group, resource, subresource, name}) => [
    group,
    subresource === undefined ? resource : `${resource}/${subresource}`,
    name,
  ]).map(({key: [group, resource, name], members}) => ({
    group,
    resource,
    name,
    verbs: withoutCovered(sorted(members.map(({verb}) => verb))),
  }))
  const named = grouped(single, ({group, resource, name, verbs}) => [
    group,
    resource,
    name === undefined ? 'all' : 'named',
    ...verbs,
  ]).map(({members: [first, ...more]}) => ({
    ...first,
    names: first.name === undefined ? undefined : sorted([first, ...more].map(({name = ''}) => name)),
  }))
  return grouped(named, ({group, names, verbs}) => [group, JSON.stringify(names ?? []), ...verbs])
    .map(({members: [first, ...more]}) => ({
      apiGroups: [first.group ?? ''],
      resources: sorted([first, ...more].map(({resource = ''}) => resource)),
      ...present({resourceNames: first.names}),
      verbs: first.verbs,
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function withoutCovered(verbs: readonly string[]): readonly string[] {
  return verbs.includes('*') ? ['*'] : verbs
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort()
}

type Key = readonly (string | undefined)[]

interface Group<T> {
  readonly key: Key
  readonly members: readonly [T, ...T[]]
}

function grouped<T>(all: readonly T[], keyOf: (item: T) => Key): readonly Group<T>[] {
  const groups = new Map<string, {key: Key; members: [T, ...T[]]}>()
  for (const item of all) {
    const key = keyOf(item)
    const group = groups.get(JSON.stringify(key))
    if (group === undefined) groups.set(JSON.stringify(key), {key, members: [item]})
    else group.members.push(item)
  }
  return [...groups.values()]
}
