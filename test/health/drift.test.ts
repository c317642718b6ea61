import {describe, expect, it} from '@jest/globals'
import type {InventoryObject} from '../../src/cluster/inventory/inventory.js'
import type {LockedInstance} from '../../src/declaration/lock.js'
import {driftOf} from '../../src/health/drift.js'
import type {ObservedObject} from '../../src/health/observed-object.js'
import {nameOf, objectKey} from '../../src/kubernetes/object-key.js'
import {crd, inventory, LIVE, snapshotWith} from './some-install.js'

const account = LIVE.ServiceAccount!
const remembered = (more: Partial<InventoryObject> = {}): InventoryObject => ({
  ...nameOf(account),
  uid: 'of-ServiceAccount',
  read: 'a',
  ...more,
})
const observed = (more: Partial<ObservedObject> = {}): ObservedObject => ({
  object: account,
  applied: ['a'],
  managers: [],
  changed: '',
  ...more,
})
const drift = (object: InventoryObject, found: ObservedObject, phase?: 'changing') =>
  driftOf(
    snapshotWith(
      {},
      {inventory: inventory(phase, [object]), live: new Map([[objectKey(nameOf(account)), found]])},
    ),
  ).map(({message}) => message)

const locked = (more: Partial<LockedInstance> = {}): LockedInstance => ({
  namespace: 'infra',
  name: 'sql',
  identity: 'example/sql',
  tag: 'v0.1.0',
  version: 'v0.1.0',
  ...more,
})

describe('drift from the applied state', () => {
  it.each([
    {name: 'none', object: remembered(), found: observed(), want: []},
    {
      name: 'another uid',
      object: remembered({uid: 'of-another'}),
      found: observed(),
      want: ['ServiceAccount infra/sql was deleted and created again'],
    },
    {
      name: 'another content',
      object: remembered({read: 'b'}),
      found: observed({managers: ['kubectl-edit', 'helm']}),
      want: ['ServiceAccount infra/sql was changed by helm, kubectl-edit'],
    },
    {
      name: 'fields that this program no longer owns',
      object: remembered(),
      found: observed({applied: []}),
      want: ['ServiceAccount infra/sql was changed'],
    },
    {
      name: 'another generation',
      object: remembered({generation: 1}),
      found: observed({object: {...account, metadata: {...account.metadata, generation: 2}}}),
      want: ['ServiceAccount infra/sql was changed'],
    },
    {name: 'an object without a hash', object: remembered({read: undefined}), found: observed(), want: []},
  ])('$name', ({object, found, want}) => {
    expect(drift(object, found)).toEqual(want)
  })

  it('is unknown while a change has not ended', () => {
    expect(drift(remembered({read: 'b'}), observed(), 'changing')).toEqual([])
  })

  it('is that an object does not exist, unless it cannot be read', () => {
    const objects = [{...nameOf(account), name: 'gone', read: 'a'}]
    const messagesWith = (denied: readonly string[]) => {
      const denials = new Map(denied.map(key => [key, {message: '', suggestions: []}]))
      return driftOf(snapshotWith({}, {inventory: inventory('complete', objects), denials})).map(
        ({message}) => message,
      )
    }
    expect(messagesWith([])).toEqual(['ServiceAccount infra/gone does not exist'])
    expect(messagesWith(objects.map(objectKey))).toEqual([])
  })

  it('is found in CRDs', () => {
    const objects = [{...nameOf(crd), uid: 'of-crd', read: 'a'}]
    expect(driftOf(snapshotWith({}, {inventory: inventory('complete', objects)}))).toHaveLength(1)
  })
})

describe('drift from a lock', () => {
  it.each([
    {name: 'none', lock: [locked()], want: []},
    {name: 'no such install', lock: [locked({name: 'other'})], want: ['the lock does not have the install']},
    {
      name: 'another version',
      lock: [locked({tag: 'v0.2.0'})],
      want: ['the lock has example/sql:v0.2.0; installed: example/sql:v0.1.0'],
    },
    {
      name: 'other bytes',
      lock: [locked({digest: 'sha256:1'})],
      want: ['the lock has example/sql:v0.1.0@sha256:1; installed: example/sql:v0.1.0'],
    },
  ])('$name', ({lock, want}) => {
    const found = driftOf(snapshotWith({}, {inventory: inventory(), lock}))
    expect(found.map(({message}) => message)).toEqual(want)
  })

  it('is unknown without an inventory', () => {
    const [found] = driftOf(snapshotWith({}, {lock: [locked()]}))
    expect(found?.message).toBe('the lock has example/sql:v0.1.0; the installed version is unknown')
  })
})
