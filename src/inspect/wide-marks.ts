import type {WidePermission} from '../declaration/policy/policy.js'
import {isReservedGroup} from '../kubernetes/api-groups.js'
import {isRejectedByDefault} from '../render/permissions.js'
import type {PermissionScope} from '../unpack/package.js'
import {asTexts, type JsonObject} from '../yaml/json-value.js'

export interface WideMark {
  readonly mark: WidePermission
  readonly why: string
}

/** Returns the reasons why a rule in that scope covers more than the package's own kinds; empty if it does not. */
export function wideMarks(rule: JsonObject, scope: PermissionScope): WideMark[] {
  const reach: Reach = {
    groups: asTexts(rule.apiGroups),
    resources: asTexts(rule.resources),
    verbs: asTexts(rule.verbs),
    urls: asTexts(rule.nonResourceURLs),
    isRejected: isRejectedByDefault(rule),
    isClusterWide: scope === 'Cluster',
  }
  return MARKS.filter(({applies}) => applies(reach)).map(({mark, why}) => ({mark, why}))
}

interface Reach {
  readonly groups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly urls: readonly string[]
  readonly isRejected: boolean
  readonly isClusterWide: boolean
}

const MARKS: readonly (WideMark & {readonly applies: (reach: Reach) => boolean})[] = [
  {
    mark: 'cluster-secrets',
    why: 'can read the Secrets of every namespace, including tokens of other service accounts',
    applies: reach => reach.isClusterWide && allows(reach, '', ['secrets'], ['get', 'list', 'watch']),
  },
  {
    mark: 'wildcard-group',
    why: 'covers every API group, including groups that are added later',
    applies: ({groups}) => groups.includes('*'),
  },
  {
    mark: 'wildcard-resource',
    why: 'covers every kind of the group, including kinds that are added later',
    applies: ({resources}) => resources.includes('*'),
  },
  {
    mark: 'core-group',
    why: 'the core group contains Pods, Nodes and ServiceAccounts, and no kinds of packages',
    applies: ({groups, isRejected}) => isRejected && groups.includes(''),
  },
  {
    mark: 'kubernetes-group',
    why: 'the group is reserved for Kubernetes and contains no kinds of packages',
    applies: ({groups}) => groups.some(group => group !== '' && group !== '*' && isReservedGroup(group)),
  },
  {
    mark: 'non-resource-urls',
    why: 'reaches paths of the API server that are not resources',
    applies: ({urls}) => urls.length > 0,
  },
  {
    mark: 'escalation',
    why: 'can gain or grant permissions that it does not have',
    applies: reach =>
      reach.verbs.some(verb => ['bind', 'escalate', 'impersonate'].includes(verb)) ||
      allows(reach, 'rbac.authorization.k8s.io', ['clusterroles', 'roles'], ['bind', 'escalate']) ||
      allows(reach, '', ['groups', 'serviceaccounts', 'users'], ['impersonate']),
  },
]

/** Reports whether a rule allows one of these verbs on one of these resources, by name or by wildcard. */
function allows(
  reach: Reach,
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
): boolean {
  const includes = (granted: readonly string[], requested: readonly string[]) =>
    granted.includes('*') || requested.some(text => granted.includes(text))
  return (
    includes(reach.groups, [group]) && includes(reach.resources, resources) && includes(reach.verbs, verbs)
  )
}
