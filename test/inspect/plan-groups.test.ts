import {describe, expect, it} from '@jest/globals'
import {planGroups} from '../../src/inspect/plan-groups.js'
import type {ObjectName} from '../../src/kubernetes/object-name.js'
import type {Operation, Plan} from '../../src/plan/plan.js'

const crd = (name: string): ObjectName => ({
  ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name},
})
const role = (name: string): ObjectName => ({
  ...{apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name},
})
const config: ObjectName = {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team', name: 'c'}
const state = {sha256: `sha256:${'0'.repeat(64)}`} as const

const of = (action: Operation['action'], object: ObjectName, more: Partial<Operation> = {}): Operation => ({
  ...{action, target: 'cluster', object, reason: 'r'},
  ...more,
})
const created = (object: ObjectName) => of('apply', object, {precondition: {absent: true}, reason: 'absent'})

function groupsOf(operations: readonly Operation[], kept?: Plan['kept']): readonly string[] {
  return planGroups({operations, unchanged: 0, rejections: [], kept}).map(
    ({verb, kind, names, reason}) => `${verb} ${kind} ${names.join(',')}: ${reason}`,
  )
}

describe('planGroups', () => {
  it.each([
    {
      name: 'one group for a verb, a kind and a reason',
      operations: [created(crd('a')), created(role('r')), created(crd('b')), of('apply', crd('c'))],
      want: [
        'create ClusterRole r: absent',
        'update CustomResourceDefinition c: r',
        'create CustomResourceDefinition a,b: absent',
      ],
    },
    {
      name: 'other reasons are other groups',
      operations: [of('apply', crd('a'), {reason: 'the object is taken over'}), of('apply', crd('b'))],
      want: [
        'update CustomResourceDefinition a: the object is taken over',
        'update CustomResourceDefinition b: r',
      ],
    },
    {
      name: 'risks first, whatever the order of the plan',
      operations: [
        created(config),
        of('apply', crd('plain')),
        of('apply', crd('risky'), {risks: [{severity: 'warning', rule: 'x', message: 'm'}]}),
        created(role('r')),
        of('replace', role('bound'), {precondition: state}),
        of('delete', config, {precondition: state}),
      ],
      kept: [{object: crd('k'), reason: 'used'}],
      want: [
        'delete ConfigMap team/c: r',
        'replace ClusterRole bound: r',
        'update CustomResourceDefinition risky: r',
        'create ClusterRole r: absent',
        'keep CustomResourceDefinition k: used',
        'update CustomResourceDefinition plain: r',
        'create ConfigMap team/c: absent',
      ],
    },
    {
      name: 'custom resources with their group, which are deleted whatever their state',
      operations: [
        of('delete', {apiVersion: 'sql.org/v1', kind: 'DB', name: 'x'}, {precondition: {uid: 'u'}}),
        of(
          'wait',
          {apiVersion: 'sql.org/v1', kind: 'DB', name: 'x'},
          {precondition: {absent: true, uid: 'u'}},
        ),
      ],
      want: ['delete DB in sql.org x: r'],
    },
    {
      name: 'no claims and waits, which every shared CRD has',
      operations: [of('claim', crd('a')), of('unclaim', crd('a')), of('wait', crd('a'))],
      want: [],
    },
    {
      name: 'a file is updated as a whole, with or without an object in it',
      operations: [
        {
          action: 'replace',
          target: 'folder',
          path: 'a.yaml',
          object: role('a'),
          reason: 'r',
          precondition: state,
        },
        {action: 'replace', target: 'folder', path: 'b', reason: 'r', precondition: state},
        {action: 'create-only', target: 'folder', path: 'c', reason: 'r', precondition: {absent: true}},
      ] as const,
      want: ['update ClusterRole a: r', 'update file b: r', 'create file c: r'],
    },
  ])('$name', ({operations, kept, want}) => {
    expect(groupsOf(operations, kept)).toEqual(want)
  })

  it('stays linear for the objects of hundreds of packages', () => {
    const many = Array.from({length: 100_000}, (_, at) => created(crd(`n${at}`)))
    const start = performance.now()
    expect(groupsOf(many)).toHaveLength(1)
    expect(performance.now() - start).toBeLessThan(15_000)
  })
})
