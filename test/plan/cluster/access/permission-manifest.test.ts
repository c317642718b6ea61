import {describe, expect, it} from '@jest/globals'
import {permissionManifest, permissionRules} from '../../../../src/plan/cluster/access/permission-manifest.js'

const role = (verb: string, name?: string) => ({
  verb,
  group: 'rbac.authorization.k8s.io',
  resource: 'clusterroles',
  ...(name === undefined ? {} : {name}),
})
const db = (verb: string, resource: string, subresource?: string) => ({
  verb,
  group: 'sql.org',
  resource,
  ...(subresource === undefined ? {} : {subresource}),
})

describe('the rules for permissions', () => {
  it('have the names that have the same verbs, and the resources that have the same rule', () => {
    const rules = permissionRules([
      ...['patch', 'get'].flatMap(verb => ['b', 'a'].map(name => role(verb, name))),
      role('create'),
      ...['*', 'get'].map(verb => db(verb, 'dbs')),
      db('*', 'dbs', 'status'),
    ])
    expect(rules).toEqual([
      {
        rules: [
          {
            apiGroups: ['rbac.authorization.k8s.io'],
            resources: ['clusterroles'],
            resourceNames: ['a', 'b'],
            verbs: ['get', 'patch'],
          },
          {apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create']},
          {apiGroups: ['sql.org'], resources: ['dbs', 'dbs/status'], verbs: ['*']},
        ],
      },
    ])
  })

  it('are one role for all namespaces and one for each', () => {
    const secret = (namespace?: string) => ({
      verb: 'get',
      group: '',
      resource: 'secrets',
      ...(namespace === undefined ? {} : {namespace}),
    })
    const rules = permissionRules([secret('b'), secret(), secret('a')])
    expect(permissionManifest(rules, 'jane').map(({kind, metadata}) => [kind, metadata.namespace])).toEqual([
      ['ClusterRole', undefined],
      ['ClusterRoleBinding', undefined],
      ['Role', 'a'],
      ['RoleBinding', 'a'],
      ['Role', 'b'],
      ['RoleBinding', 'b'],
    ])
  })

  it('have a name by their content, and name users and service accounts', () => {
    const rules = permissionRules([role('create')])
    const [first, binding] = permissionManifest(rules, 'jane')
    expect(permissionManifest(rules, 'jane')[0]).toEqual(first)
    expect(permissionManifest(permissionRules([role('get')]), 'jane')[0]?.metadata.name).not.toBe(
      first?.metadata.name,
    )
    expect(binding).toMatchObject({
      roleRef: {kind: 'ClusterRole', name: first?.metadata.name},
      subjects: [{kind: 'User', name: 'jane'}],
    })
    expect(permissionManifest(rules, 'system:serviceaccount:ci:robot')[1]).toMatchObject({
      subjects: [{kind: 'ServiceAccount', name: 'robot', namespace: 'ci'}],
    })
  })
})
