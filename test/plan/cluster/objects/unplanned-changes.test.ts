import {describe, expect, it} from '@jest/globals'
import type {Inventory} from '../../../../src/cluster/inventory/inventory.js'
import {formatInventory} from '../../../../src/cluster/inventory/inventory-document.js'
import {inventoryObject} from '../../../../src/plan/cluster/inventories/inventory-operations.js'
import {planDifferences} from '../../../../src/plan/cluster/objects/plan-differences.js'
import {unplannedChanges} from '../../../../src/plan/cluster/objects/unplanned-changes.js'
import {nameOf, objectKey} from '../../../../src/kubernetes/object-key.js'
import type {Operation} from '../../../../src/plan/plan.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'

const HASH = 'a'.repeat(64)
const OTHER_HASH = 'b'.repeat(64)
const cluster = {target: 'cluster', reason: 'r'} as const
const object = (kind: string, name: string) => ({apiVersion: 'v1', kind, name})

const create: Operation = {
  ...cluster,
  action: 'apply',
  object: object('Role', 'a'),
  phase: 'identity',
  manager: 'm',
  precondition: {absent: true},
  content: '{}',
}
const update: Operation = {...create, precondition: {uid: 'u', sha256: HASH}}
const replace: Operation = {...update, action: 'replace', reason: 'the roleRef changes'}
const remove: Operation = {
  ...cluster,
  action: 'delete',
  object: object('Role', 'b'),
  precondition: {uid: 'u', sha256: HASH},
}
const removeCrd: Operation = {...remove, object: object('CustomResourceDefinition', 'as.example.org')}
const wait: Operation = {...cluster, action: 'wait', object: object('Deployment', 'a'), phase: 'controllers'}
const risky: Operation = {
  ...update,
  risks: [{severity: 'warning', rule: 'fields-pruned', message: '1 instance'}],
}

const INVENTORY: Inventory = {
  install: {namespace: 'team', name: 'db', era: 'packages', scope: 'Namespaced', mode: 'requested', for: {}},
  phase: 'complete',
  toolVersion: '1',
  objects: [{apiVersion: 'v1', kind: 'Role', name: 'a', created: true}],
}
const record: Operation = {
  ...cluster,
  action: 'apply',
  object: inventoryObject(INVENTORY.install),
  precondition: {absent: true},
  content: formatInventory(INVENTORY),
}
const forget: Operation = {...cluster, action: 'delete', object: inventoryObject(INVENTORY.install)}
const removeInstance: Operation = {...remove, object: object('Db', 'mine'), precondition: {uid: 'i'}}
const unclaim: Operation = {...removeCrd, action: 'unclaim', manager: 'm', labels: ['a', 'b']}
const ROLE: KubernetesObject = {apiVersion: 'v1', kind: 'Role', metadata: {name: 'b', uid: 'u'}}
const remembered = {
  ...INVENTORY,
  objects: INVENTORY.objects.map(each => ({...each, uid: 'u', sent: HASH, read: HASH})),
}

interface Case {
  readonly name: string
  readonly saved: readonly Operation[]
  readonly now: readonly Operation[]
  readonly inventories?: readonly Inventory[]
  readonly live?: readonly KubernetesObject[]
  readonly want: readonly string[]
}

describe('unplannedChanges', () => {
  it.each<Case>([
    {
      name: 'the same plan',
      saved: [record, create, remove, wait],
      now: [record, create, remove, wait],
      want: [],
    },
    {
      name: 'a part of it that is done',
      saved: [create, remove],
      now: [remove],
      want: [],
    },
    {name: 'waiting for what was applied before', saved: [create], now: [create, wait], want: []},
    {
      name: 'an inventory that was written ahead',
      saved: [record, create],
      now: [{...record, precondition: undefined, reason: 'the install changes'}, create],
      want: [],
    },
    {
      name: 'a replacement that was interrupted after the deletion',
      saved: [replace],
      now: [{...create, reason: 'the object does not exist'}],
      want: [],
    },
    {
      name: 'a CRD whose claims were removed',
      saved: [removeCrd],
      now: [{...removeCrd, precondition: {uid: 'u', sha256: OTHER_HASH}}],
      want: [],
    },
    {
      name: 'a deletion that was requested, and is not complete',
      saved: [remove],
      now: [{...remove, precondition: {uid: 'u', sha256: OTHER_HASH}}],
      want: [],
    },
    {name: 'an install that is complete', saved: [record], now: [], inventories: [remembered], want: []},
    {
      name: 'an install of another version',
      saved: [record],
      now: [],
      inventories: [{...remembered, install: {...INVENTORY.install, pin: {tag: 'v2'}}}],
      want: ['ConfigMap team/crossplane-package.db'],
    },
    {
      name: 'an install that is gone',
      saved: [record],
      now: [],
      want: ['ConfigMap team/crossplane-package.db'],
    },
    {
      name: 'an inventory with another content',
      saved: [record],
      now: [{...record, content: formatInventory({...INVENTORY, objects: []})}],
      want: ['ConfigMap team/crossplane-package.db'],
    },
    {name: 'a deletion of an object that is gone', saved: [remove], now: [], want: []},
    {name: 'a deletion of an object that stays', saved: [remove], now: [], live: [ROLE], want: ['Role b']},
    {
      name: 'a deletion of an object that was created again',
      saved: [remove],
      now: [],
      live: [{...ROLE, metadata: {...ROLE.metadata, uid: 'other'}}],
      want: [],
    },
    {
      name: 'an instance whose deletion was begun',
      saved: [removeInstance, forget],
      now: [forget],
      inventories: [{...remembered, phase: 'changing', deleting: ['i']}],
      want: [],
    },
    {
      name: 'an instance that something else deleted',
      saved: [removeInstance, forget],
      now: [forget],
      inventories: [remembered],
      want: ['Db mine'],
    },
    {
      name: 'a claim of which a label remains',
      saved: [unclaim],
      now: [{...unclaim, labels: ['b'], precondition: {uid: 'u', sha256: OTHER_HASH}}],
      want: [],
    },
    {
      name: 'a claim with another label',
      saved: [unclaim],
      now: [{...unclaim, labels: ['c']}],
      want: ['CustomResourceDefinition as.example.org'],
    },
    {name: 'an object more', saved: [create], now: [create, remove], want: ['Role b']},
    {name: 'another content', saved: [create], now: [{...create, content: '{"a":1}'}], want: ['Role a']},
    {
      name: 'another state of the object',
      saved: [update],
      now: [{...update, precondition: {uid: 'u', sha256: OTHER_HASH}}],
      want: ['Role a'],
    },
    {name: 'an object that appeared', saved: [create], now: [update], want: ['Role a']},
    {name: 'an object that disappeared', saved: [update], now: [create], want: ['Role a']},
    {name: 'fields that are taken over', saved: [update], now: [{...update, force: true}], want: ['Role a']},
    {name: 'another field manager', saved: [update], now: [{...update, manager: 'n'}], want: ['Role a']},
    {name: 'a new risk', saved: [update], now: [risky], want: ['Role a']},
    {
      name: 'another CRD of that name',
      saved: [removeCrd],
      now: [{...removeCrd, precondition: {uid: 'other', sha256: HASH}}],
      want: ['CustomResourceDefinition as.example.org'],
    },
    {
      name: 'another object of that name',
      saved: [remove],
      now: [{...remove, precondition: {uid: 'other', sha256: HASH}}],
      want: ['Role b'],
    },
    {
      name: 'a replacement with another content',
      saved: [replace],
      now: [{...create, content: '{"a":1}'}],
      want: ['Role a'],
    },
  ])('$name', ({saved, now, inventories = [], live = [], want}) => {
    const found = new Map(live.map(each => [objectKey(nameOf(each)), each]))
    expect(unplannedChanges(saved, now, {inventories, live: found})).toEqual(want)
  })
})

describe('planDifferences', () => {
  it.each([
    {name: 'the same operations', before: [create, remove], after: [create, remove], want: []},
    {name: 'one that is left out', before: [create, remove], after: [create], want: ['Role b']},
    {name: 'another reason', before: [create], after: [{...create, reason: 's'}], want: ['Role a']},
    {
      name: 'another order',
      before: [create, remove],
      after: [remove, create],
      want: ['the order of the operations'],
    },
    {
      name: 'a Namespace that was created in between',
      before: [{...create, phase: 'namespaces', object: object('Namespace', 'team')} as const, remove],
      after: [remove],
      want: [],
    },
  ])('$name', ({before, after, want}) => {
    expect(planDifferences(before, after)).toEqual(want)
  })
})
