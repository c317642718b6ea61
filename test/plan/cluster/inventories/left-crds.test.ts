import {describe, expect, it} from '@jest/globals'
import {CONTENT_MANAGER} from '../../../../src/cluster/claims.js'
import type {Inventory} from '../../../../src/cluster/inventory/inventory.js'
import {planGroups} from '../../../../src/inspect/plan-groups.js'
import {CRD_KIND} from '../../../../src/kubernetes/crd-kind.js'
import {objectKey} from '../../../../src/kubernetes/object-key.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import {
  keptLeft,
  leftCommand,
  leftMessages,
  leftText,
} from '../../../../src/plan/cluster/state/left-behind.js'
import {isUnclaimed, leftCrds} from '../../../../src/plan/cluster/inventories/left-crds.js'
import {ERAS} from '../../../../src/render/era.js'
import {claimLabels} from '../../../../src/render/labels.js'
import {DB} from '../install-world.js'

const OTHER = {...DB, name: 'other'}

function crd(name: string, more: {uid?: string; labels?: Record<string, string>; manager?: string} = {}) {
  const {uid = 'u1', labels = {}, manager = CONTENT_MANAGER} = more
  const managedFields = [{manager, operation: 'Apply', fieldsV1: {}}]
  return {...CRD_KIND, metadata: {name, uid, labels, managedFields}, spec: {}} as KubernetesObject
}

function inventory(names: readonly string[], more: Partial<Inventory> = {}): Inventory {
  const objects = names.map(name => ({...CRD_KIND, name, uid: 'u1', created: true}))
  return {install: DB, phase: 'complete', toolVersion: '1', objects, ...more}
}

interface Case {
  readonly name: string
  readonly before?: Inventory
  readonly after: readonly string[]
  readonly live: readonly KubernetesObject[]
  readonly others?: readonly Inventory[]
  readonly want: readonly string[]
}

const CASES: readonly Case[] = [
  {name: 'none of a new install', after: ['as.x'], live: [crd('as.x')], want: []},
  {
    name: 'a CRD that the new version lacks',
    before: inventory(['as.x', 'bs.x']),
    after: ['as.x'],
    live: [crd('as.x'), crd('bs.x', {labels: claimLabels(ERAS.packages, DB)})],
    want: ['bs.x u1'],
  },
  {
    name: 'not one that was taken over',
    before: inventory([], {objects: [{...CRD_KIND, name: 'bs.x', uid: 'u1'}]}),
    after: [],
    live: [crd('bs.x')],
    want: [],
  },
  {
    name: 'not one that was recreated',
    before: inventory(['bs.x']),
    after: [],
    live: [crd('bs.x', {uid: 'u2'})],
    want: [],
  },
  {
    name: 'not one that another install has',
    before: inventory(['bs.x']),
    after: [],
    live: [crd('bs.x')],
    others: [inventory(['bs.x'], {install: OTHER})],
    want: [],
  },
  {
    name: 'not one that another install claims',
    before: inventory(['bs.x']),
    after: [],
    live: [crd('bs.x', {labels: claimLabels(ERAS.packages, OTHER)})],
    want: [],
  },
  {
    name: 'those of versions before, sorted',
    before: inventory(['bs.x'], {left: [{name: 'as.x', uid: 'u1'}]}),
    after: [],
    live: [crd('bs.x'), crd('as.x')],
    want: ['as.x u1', 'bs.x u1'],
  },
  {
    name: 'not those of versions before that are gone, recreated or used again',
    before: inventory([], {
      left: ['as.x', 'bs.x', 'cs.x'].map(name => ({name, uid: 'u1'})),
    }),
    after: ['cs.x'],
    live: [crd('bs.x', {uid: 'u2'}), crd('cs.x')],
    want: [],
  },
]

describe('the CRDs that an install leaves behind', () => {
  it.each(CASES)('are $name', ({before, after, live, others = [], want}) => {
    const snapshot = {
      live: new Map(live.map(object => [objectKey({...CRD_KIND, name: object.metadata.name}), object])),
      inventories: [...(before === undefined ? [] : [before]), ...others],
      recorded: [],
    }
    const left = leftCrds(before, inventory(after), snapshot)
    expect(left.map(({name, uid}) => `${name} ${uid}`)).toEqual(want)
  })
})

describe('a CRD without a claim', () => {
  it.each([
    {name: 'is one that this program created', in: crd('as.x'), want: true},
    {name: 'is not one of another program', in: crd('as.x', {manager: 'helm'}), want: false},
    {name: 'is not one of an inventory', in: crd('bs.x'), want: false},
    {
      name: 'is not one with a claim',
      in: crd('as.x', {labels: claimLabels(ERAS.packages, DB)}),
      want: false,
    },
    {name: 'is not one of the base', in: crd('packages.packages.crossplane.io'), want: false},
    {name: 'is not one of Crossplane', in: crd('redisclusters.cache.crossplane.io'), want: false},
  ])('$name', ({in: object, want}) => {
    expect(isUnclaimed(object, new Set(['bs.x']))).toBe(want)
  })

  it.each([
    {
      left: {crd: 'as.x', instances: 0},
      text: 'as.x is left behind and has no custom resources',
      command: 'kubectl delete customresourcedefinition as.x',
    },
    {
      left: {crd: 'as.x', instances: 2},
      text: 'as.x is left behind: 2 custom resources have no controller',
      command: 'kubectl get as.x --all-namespaces',
    },
    {
      left: {crd: 'as.x', reason: 'missing permission to list as'},
      text: 'as.x is left behind; its custom resources cannot be counted: missing permission to list as',
      command: 'kubectl get as.x --all-namespaces',
    },
  ])('is reported as $text', ({left, text, command}) => {
    expect(leftText(left)).toBe(text)
    expect(leftCommand(left)).toBe(command)
  })

  it('is reported with custom resources first, and without them in commands for 20 each', () => {
    const empty = Array.from({length: 22}, (_, at) => ({crd: `a${at}s.x`, instances: 0}))
    const messages = leftMessages([...empty, {crd: 'zs.x', instances: 1}])
    expect(messages.map(({message}) => message)).toEqual([
      'zs.x is left behind: 1 custom resource has no controller',
      'a0s.x, a1s.x, a2s.x, a3s.x, a4s.x, a5s.x and 14 more are left behind and have no custom resources',
      'a20s.x, a21s.x are left behind and have no custom resources',
    ])
    expect(messages[1]?.command.split(' ')).toHaveLength(23)
    expect(messages[2]?.command).toBe('kubectl delete customresourcedefinition a20s.x a21s.x')
  })

  it('is one line of an uninstall with all others that only have to be deleted', () => {
    const left = [
      {crd: 'as.x', instances: 0},
      {crd: 'bs.x', instances: 0},
      {crd: 'cs.x', instances: 1},
    ]
    const groups = planGroups({operations: [], unchanged: 0, rejections: [], kept: keptLeft(left)})
    expect(groups.map(({names, reason}) => [names.join(), reason])).toEqual([
      ['as.x,bs.x', expect.stringContaining('kubectl delete customresourcedefinition')],
      ['cs.x', expect.stringContaining('kubectl get cs.x')],
    ])
  })
})
