import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import {type ChildEntry, childrenIn, inventoryMap, leftOf, unionOf} from '../../src/run/child-inventory.js'

const parent: KubernetesObject = {
  apiVersion: 'demo.example.org/v1',
  kind: 'Demo',
  metadata: {name: 'd1', namespace: 'team', uid: 'u1'},
}
const stack = {namespace: 'runners', name: 'demo'}
const a: ChildEntry = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'team',
  name: 'a',
  uid: 'a1',
  sent: 's',
  read: 'r',
}
const b: ChildEntry = {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'b'}

describe('the record of objects', () => {
  it('is a ConfigMap of the runner, from which the same objects are read', () => {
    const map = inventoryMap(parent, [a, b], stack)
    expect({metadata: map.metadata, children: childrenIn(map)}).toEqual({
      metadata: {
        name: 'template-children-u1',
        namespace: 'runners',
        labels: {'template-stacks.kubectl-crossplane.dev/stack': 'demo'},
      },
      children: [a, b],
    })
  })

  it.each([
    {name: 'no record', data: undefined},
    {name: 'no JSON', data: {children: '{'}},
    {name: 'no list', data: {children: '{"children": 3}'}},
    {
      name: 'no objects',
      data: {children: '{"children": [1, {"kind": "x"}, {"apiVersion": "v1", "kind": "", "name": "n"}]}'},
    },
  ])('has no objects from $name', ({data}) => {
    const map = data === undefined ? undefined : {...inventoryMap(parent, [], stack), data}
    expect(childrenIn(map)).toEqual([])
  })

  it('that is too large is rejected', () => {
    const many = Array.from({length: 9000}, (_, index) => ({...a, name: `${'n'.repeat(100)}${index}`}))
    expect(() => inventoryMap(parent, many, stack)).toThrow(expect.objectContaining({code: 'limit-exceeded'}))
  })

  it('keeps what is recorded when objects are added, whatever their version', () => {
    const newer = {...b, apiVersion: 'rbac.authorization.k8s.io/v2'}
    const c = {...a, name: 'c'}
    expect(unionOf([a, b], [newer, c])).toEqual([a, b, c])
  })

  it('names what is no longer rendered', () => {
    const newer = {...b, apiVersion: 'rbac.authorization.k8s.io/v2'}
    expect(leftOf([a, b], [newer])).toEqual([a])
  })
})
