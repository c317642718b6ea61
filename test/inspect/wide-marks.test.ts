import {describe, expect, it} from '@jest/globals'
import {wideMarks} from '../../src/inspect/wide-marks.js'
import type {PermissionScope} from '../../src/unpack/package.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const STANDARD = {apiGroups: [''], resources: ['configmaps', 'events', 'secrets'], verbs: ['*']}
const rule = (group: string, resource: string, verb = '*') => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [verb],
})

const CASES: readonly {
  name: string
  reason: string
  in: JsonObject
  scope?: PermissionScope
  want: readonly string[]
}[] = [
  {name: 'own kinds', reason: 'are what a package is for', in: rule('a.org', 'xs'), want: []},
  {name: 'the standard rule', reason: 'all Secrets there are', in: STANDARD, want: ['cluster-secrets']},
  {name: 'the standard rule', reason: 'of one namespace', in: STANDARD, scope: 'Namespaced', want: []},
  {
    name: 'any kind of the core group',
    reason: 'Secrets and accounts are among them',
    in: rule('', '*'),
    want: ['cluster-secrets', 'wildcard-resource', 'core-group', 'escalation'],
  },
  {
    name: 'making Secrets',
    reason: 'is not reading them',
    in: rule('', 'secrets', 'create'),
    want: ['core-group'],
  },
  {name: 'a wildcard', reason: 'whatever is added', in: rule('a.org', '*'), want: ['wildcard-resource']},
  {
    name: 'every group',
    reason: 'is each of them',
    in: rule('*', '*'),
    want: ['cluster-secrets', 'wildcard-group', 'wildcard-resource', 'escalation'],
  },
  {name: 'pods', reason: 'run anything', in: rule('', 'pods'), want: ['core-group']},
  {
    name: 'a group without a dot',
    reason: "Kubernetes' own",
    in: rule('apps', 'deployments'),
    want: ['kubernetes-group'],
  },
  {
    name: 'roles',
    reason: 'binding them hands out rights',
    in: rule('rbac.authorization.k8s.io', 'clusterroles'),
    want: ['kubernetes-group', 'escalation'],
  },
  {
    name: 'reading roles',
    reason: 'hands out nothing',
    in: rule('rbac.authorization.k8s.io', 'clusterroles', 'get'),
    want: ['kubernetes-group'],
  },
  {
    name: 'escalate',
    reason: 'by name, on anything',
    in: rule('a.org', 'xs', 'escalate'),
    want: ['escalation'],
  },
  {
    name: 'impersonate',
    reason: 'another user',
    in: rule('', 'users', 'impersonate'),
    want: ['core-group', 'escalation'],
  },
  {
    name: 'URLs',
    reason: 'are not objects',
    in: {nonResourceURLs: ['*'], verbs: ['get']},
    want: ['non-resource-urls'],
  },
]

describe('the reasons why a rule is wide', () => {
  it.each(CASES)('$name: $reason', ({in: given, scope = 'Cluster', want}) => {
    const marks = wideMarks(given, scope)
    expect(marks.map(({mark}) => mark)).toEqual(want)
    expect(marks.filter(({why}) => why.length < 10)).toEqual([])
  })
})
