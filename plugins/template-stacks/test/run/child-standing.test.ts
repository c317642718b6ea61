import {describe, expect, it} from '@jest/globals'
import type {JsonObject, KubernetesObject} from 'kubectl-crossplane/plugin'
import {
  type Family,
  firstToDelete,
  isKept,
  objectionToApply,
  objectionToDelete,
} from '../../src/run/child-standing.js'

const MANAGER = 'crossplane-templates:team/demo'
const LABELS = {'core.crossplane.io/parent-name': 'd1'}
const OWNER = {apiVersion: 'demo.example.org/v1', kind: 'Demo', name: 'd1', uid: 'u1', controller: true}
const APPLIED = [{manager: MANAGER, operation: 'Apply'}]

/** Its user asks for objects, as earlier versions of this program allowed. */
const PARENT: KubernetesObject = {
  apiVersion: 'demo.example.org/v1',
  kind: 'Demo',
  metadata: {name: 'd1', uid: 'u1', annotations: {'templatestacks.crossplane.io/adopt': 'true'}},
}

function child(metadata: JsonObject): KubernetesObject {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'c', uid: 'c1', ...metadata}}
}

function family(adopts = false): Family {
  return {parent: PARENT, labels: LABELS, manager: MANAGER, adopts}
}

const other = {...OWNER, kind: 'Other', name: 'o', uid: 'u2'}
const {controller: _controller, ...withoutController} = other

describe('an object that exists', () => {
  it.each<{
    readonly name: string
    readonly live: JsonObject
    readonly adopts?: boolean
    readonly want: string | undefined
  }>([
    {
      name: 'is applied if it is controlled by the custom resource',
      live: {ownerReferences: [OWNER]},
      want: undefined,
    },
    {
      name: 'is left alone if another object controls it',
      live: {ownerReferences: [other]},
      want: 'it is controlled by Other o',
    },
    {
      name: 'is not adopted from another controller',
      live: {ownerReferences: [other]},
      adopts: true,
      want: 'it is controlled by Other o',
    },
    ...[true, false].map(adopts => ({
      name: `${adopts ? 'is not adopted' : 'is left alone'} if another object owns it without controlling it`,
      live: {ownerReferences: [{...other, controller: false}]},
      adopts,
      want: 'it exists, and does not belong to the custom resource',
    })),
    {
      name: 'is not adopted from an owner beside the custom resource, which is no controller either',
      live: {ownerReferences: [{...OWNER, controller: false}, withoutController]},
      adopts: true,
      want: 'it exists, and does not belong to the custom resource',
    },
    {
      name: 'is adopted if the custom resource alone owns it, without controlling it',
      live: {ownerReferences: [{...OWNER, controller: false}]},
      adopts: true,
      want: undefined,
    },
    {
      name: 'is left alone without a controller',
      live: {},
      want: 'it exists, and does not belong to the custom resource',
    },
    {name: 'is adopted if the stack allows it', live: {}, adopts: true, want: undefined},
    {
      name: 'is adopted with the labels of the custom resource, such as from the original controller',
      live: {labels: LABELS, managedFields: [{manager: 'manager', operation: 'Update'}]},
      adopts: true,
      want: undefined,
    },
    {
      name: 'is not adopted from another custom resource, which its labels name',
      live: {labels: {...LABELS, 'core.crossplane.io/parent-namespace': 'other'}},
      adopts: true,
      want: 'it exists, and does not belong to the custom resource',
    },
    ...[MANAGER, 'crossplane-templates:other/stack'].map(manager => ({
      name: `is not adopted if ${manager} applied fields of it`,
      live: {managedFields: [{manager, operation: 'Apply'}]},
      adopts: true,
      want: 'it exists, and does not belong to the custom resource',
    })),
    {
      name: 'belongs to a custom resource that cannot own it by labels and manager',
      live: {labels: LABELS, managedFields: APPLIED},
      want: undefined,
    },
    {
      name: 'does not belong to it by labels alone, which anyone can write',
      live: {labels: LABELS},
      want: 'it exists, and does not belong to the custom resource',
    },
    {
      name: 'does not belong to it by the manager alone: that is the one of all custom resources of the stack',
      live: {managedFields: APPLIED},
      want: 'it exists, and does not belong to the custom resource',
    },
  ])('$name', ({live, adopts, want}) => {
    expect(objectionToApply(child(live), family(adopts))).toBe(want)
  })

  it.each<{
    readonly name: string
    readonly uid: string | undefined
    readonly live: JsonObject
    readonly adopts?: boolean
    readonly want: string | undefined
  }>([
    {
      name: 'is deleted if it was recorded',
      uid: 'c1',
      live: {ownerReferences: [OWNER], labels: LABELS},
      want: undefined,
    },
    {
      name: 'is deleted if it was created just before an interruption',
      uid: undefined,
      live: {ownerReferences: [OWNER], labels: LABELS},
      want: undefined,
    },
    {
      name: 'stays if another object has its name now',
      uid: 'before',
      live: {labels: LABELS, managedFields: APPLIED},
      want: 'it was deleted and created again by another program',
    },
    {
      name: 'stays if another object controls it now, even after adopting was allowed',
      uid: 'c1',
      live: {ownerReferences: [other], labels: LABELS},
      adopts: true,
      want: 'it is controlled by Other o',
    },
    {
      name: 'stays if a record names an object of others',
      uid: undefined,
      live: {},
      want: 'it exists, and does not belong to the custom resource',
    },
  ])('$name', ({uid, live, adopts, want}) => {
    const entry = {apiVersion: 'v1', kind: 'ConfigMap', name: 'c', ...(uid === undefined ? {} : {uid})}
    expect(objectionToDelete(child(live), entry, family(adopts))).toBe(want)
  })

  it('stays by annotation when it is no longer rendered', () => {
    const kept = child({annotations: {'templatestacks.crossplane.io/prune': 'false'}})
    expect([isKept(kept), isKept(child({}))]).toEqual([true, false])
  })
})

describe('the order of deletion', () => {
  it.each([
    {name: 'the highest priority first', priorities: ['1', '10', '-5', '10'], want: ['1', '3']},
    {name: '0 without a priority', priorities: ['-1', undefined, '0'], want: ['1', '2']},
    {name: '0 for one that is no number', priorities: ['x', '-1'], want: ['0']},
    {name: 'negative ones last', priorities: ['-2', '-1'], want: ['1']},
  ])('is $name', ({priorities, want}) => {
    const objects = priorities.map((priority, index) =>
      child({
        name: String(index),
        annotations:
          priority === undefined ? {} : {'templatestacks.crossplane.io/deletion-priority': priority},
      }),
    )
    expect(firstToDelete(objects).map(({metadata}) => metadata.name)).toEqual(want)
  })
})
