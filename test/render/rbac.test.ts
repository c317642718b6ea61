import {describe, expect, it} from '@jest/globals'
import {ERAS} from '../../src/render/era.js'
import {recordLabels} from '../../src/render/labels.js'
import {type Identity, identityObjects} from '../../src/render/rbac.js'
import {definitionOf} from './sample-package.js'

const era = ERAS.packages
const id = {namespace: 'team-a', name: 'widgets'}
const labels = recordLabels(era, id)
const READ = ['get', 'list', 'watch']
const ALL = [...READ, 'create', 'delete', 'deletecollection', 'patch', 'update']
const rules = [{apiGroups: ['example.org'], resources: ['widgets'], verbs: ['*']}]
const identity: Identity = {
  id,
  version: 'v1.0.0',
  scope: 'Namespaced',
  rules,
  serviceAccountAnnotations: {},
  crds: [],
}

const role = (name: string, more: object, of: readonly object[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: {name: `package:team-a:widgets:v1.0.0:${name}`, labels: {...labels, ...more}},
  rules: of,
})
const of = (object: object, fileName?: string) => ({
  phase: 'identity',
  install: id,
  ...(fileName === undefined ? {} : {fileName}),
  object,
})
const binding = (kind: string, namespace: object) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: {name: 'widgets', ...namespace, labels},
  roleRef: {
    apiGroup: 'rbac.authorization.k8s.io',
    kind: 'ClusterRole',
    name: 'package:team-a:widgets:v1.0.0:system',
  },
  subjects: [{kind: 'ServiceAccount', name: 'widgets', namespace: 'team-a'}],
})

describe('the identity of a record', () => {
  it('in a namespace is a service account, a role bound there, and roles for the users of the namespace', () => {
    const to = (persona: string) => ({
      [`rbac.crossplane.io/aggregate-to-namespace-${persona}`]: 'true',
      'namespace.crossplane.io/team-a': 'true',
    })
    expect(identityObjects(era, {...identity, serviceAccountAnnotations: {a: 'b'}})).toEqual([
      of({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {name: 'widgets', namespace: 'team-a', labels, annotations: {a: 'b'}},
      }),
      of(role('system', {}, rules), 'clusterrole-system'),
      of(binding('RoleBinding', {namespace: 'team-a'})),
      of(role('admin', to('admin'), []), 'clusterrole-admin'),
      of(role('edit', to('edit'), []), 'clusterrole-edit'),
      of(role('view', to('view'), []), 'clusterrole-view'),
    ])
  })

  it('for the whole cluster is bound cluster-wide, with roles for the users of the environment', () => {
    const crds = [
      definitionOf('Widget', {subresources: {status: true, scale: true}}),
      definitionOf('Gadget', {group: 'a.example.org'}),
    ]
    const to = (persona: string) => ({[`rbac.crossplane.io/aggregate-to-environment-${persona}`]: 'true'})
    const rulesFor = (verbs: readonly string[]) => [
      {apiGroups: ['example.org'], resources: ['widgets', 'widgets/status', 'widgets/scale'], verbs},
      {apiGroups: ['a.example.org'], resources: ['gadgets'], verbs},
    ]
    expect(identityObjects(era, {...identity, scope: 'Cluster', crds}).slice(2)).toEqual([
      of(binding('ClusterRoleBinding', {})),
      of(role('admin', to('admin'), rulesFor(ALL)), 'clusterrole-admin'),
      of(role('edit', to('edit'), rulesFor(ALL)), 'clusterrole-edit'),
      of(role('view', to('view'), rulesFor(READ)), 'clusterrole-view'),
    ])
  })

  it('without rules has only the roles for users', () => {
    const names = identityObjects(era, {...identity, rules: []}).map(({object}) => object.metadata.name)
    expect(names).toEqual(
      ['admin', 'edit', 'view'].map(persona => `package:team-a:widgets:v1.0.0:${persona}`),
    )
  })
})
