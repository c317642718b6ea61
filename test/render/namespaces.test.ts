import {describe, expect, it} from '@jest/globals'
import {namespaceObjects} from '../../src/render/namespaces.js'

const parent = {
  'core.crossplane.io/parent-group': '',
  'core.crossplane.io/parent-version': 'v1',
  'core.crossplane.io/parent-kind': 'Namespace',
  'core.crossplane.io/parent-namespace': '',
  'core.crossplane.io/parent-name': 'team-a',
}

function role(persona: string, more: Readonly<Record<string, string>> = {}) {
  return {
    phase: 'identity',
    shared: 'namespace-role',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: {
        name: `crossplane:ns:team-a:${persona}`,
        labels: {
          ...parent,
          ...more,
          'namespace.crossplane.io/team-a': 'true',
          'crossplane.io/scope': 'namespace',
        },
      },
      aggregationRule: {
        clusterRoleSelectors: [
          {
            matchLabels: {
              'namespace.crossplane.io/team-a': 'true',
              [`rbac.crossplane.io/aggregate-to-namespace-${persona}`]: 'true',
            },
          },
          {matchLabels: {[`rbac.crossplane.io/aggregate-to-namespace-default-${persona}`]: 'true'}},
        ],
      },
    },
  }
}

describe('namespaceObjects', () => {
  it('of a Cluster package contain the Namespace', () => {
    expect(namespaceObjects('crossplane-system', 'Cluster')).toEqual([
      {
        phase: 'namespaces',
        shared: 'namespace',
        object: {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'crossplane-system'}},
      },
    ])
  })

  it('of a Namespaced package contain the Namespace and the roles of its users', () => {
    expect(namespaceObjects('team-a', 'Namespaced')).toEqual([
      {
        phase: 'namespaces',
        shared: 'namespace',
        object: {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: {name: 'team-a', labels: {'rbac.crossplane.io/managed-roles': 'true'}},
        },
      },
      role('admin', {'rbac.crossplane.io/aggregate-to-crossplane-admin': 'true'}),
      role('edit'),
      role('view'),
    ])
  })
})
