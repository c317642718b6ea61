import {describe, expect, it} from '@jest/globals'
import {CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {formatInventory} from '../../../src/cluster/inventory/inventory-document.js'
import {inventoryStanding} from '../../../src/cluster/inventory/standing.js'
import {systemRoleIn, systemRoleName} from '../../../src/cluster/inventory/system-role.js'
import {
  inventoryHash,
  inventoryTextHash,
  WITNESS_ANNOTATION,
  WITNESS_MANAGER,
  witnessObject,
  witnessOf,
} from '../../../src/cluster/inventory/witness.js'
import {ERAS} from '../../../src/render/era.js'
import {recordLabels} from '../../../src/render/labels.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'

const INVENTORY: Inventory = {
  install: {
    namespace: 'team',
    name: 'db',
    era: 'packages',
    scope: 'Cluster',
    mode: 'requested',
    for: {},
    pin: {tag: 'v1'},
    package: {identity: 'x/db', tag: 'v1', version: '1.0.0', digest: 'sha256:1', summaryHash: 'a'},
    request: {imagePullSecrets: [], serviceAccountAnnotations: {}},
  },
  phase: 'complete',
  toolVersion: '1',
  objects: [{apiVersion: 'v1', kind: 'Secret', namespace: 'team', name: 's', uid: 'u', sent: 'h', read: 'r'}],
}
const {install} = INVENTORY
const HASH = inventoryHash(INVENTORY)
const NAME = 'package:team:db:1.0.0:system'

interface RoleParts {
  readonly name?: string
  readonly managers?: readonly string[]
  readonly witness?: readonly string[]
  /** The text of the annotation instead. */
  readonly text?: string
}

function role({
  name = NAME,
  managers = [CONTENT_MANAGER, WITNESS_MANAGER],
  witness = [HASH],
  text,
}: RoleParts) {
  const object = witnessObject(
    {apiVersion: 'v1', kind: 'ClusterRole', name},
    'u',
    witnessOf(INVENTORY, witness),
  )
  const annotations = text === undefined ? object.metadata.annotations : {[WITNESS_ANNOTATION]: text}
  const metadata: KubernetesObject['metadata'] = {
    ...object.metadata,
    labels: recordLabels(ERAS.packages, install),
    annotations: {...annotations},
    managedFields: managers.map(manager => ({manager, operation: 'Apply'})),
  }
  return {...object, metadata}
}

describe('whether an inventory counts', () => {
  it.each([
    {name: 'one that the role proves', reason: 'complete', roles: [role({})], want: 'witnessed'},
    {
      name: 'one of two that the role proves',
      reason: 'during an upgrade',
      roles: [role({witness: ['before', HASH]})],
      want: 'witnessed',
    },
    {
      name: 'one that the role of another version proves',
      reason: 'an upgrade has two roles',
      roles: [role({witness: ['other']}), role({name: 'package:team:db:0.9.0:system'})],
      want: 'witnessed',
    },
    {
      name: 'another than the role proves',
      reason: 'edited',
      roles: [role({witness: ['other']})],
      want: 'forged',
    },
    {name: 'one without a role', reason: 'nobody vouches for it', roles: [], want: 'unwitnessed'},
    {
      name: 'one whose role another program applied',
      reason: 'annotations can be committed',
      roles: [role({managers: ['kustomize-controller', WITNESS_MANAGER]})],
      want: 'unwitnessed',
    },
    {
      name: 'one whose annotation another program wrote',
      reason: 'annotations can be rendered',
      roles: [role({managers: [CONTENT_MANAGER]})],
      want: 'unwitnessed',
    },
    {
      name: 'one with a broken witness',
      reason: 'not JSON',
      roles: [role({text: '{'})],
      want: 'unwitnessed',
    },
    {
      name: 'one with a huge witness',
      reason: 'annotations are limited',
      roles: [role({text: `{"format":1,"scope":"Cluster","x":"${'x'.repeat(20_000)}"}`})],
      want: 'unwitnessed',
    },
    {
      name: 'one whose role has the labels of another install',
      reason: 'name and labels must agree',
      roles: [role({name: 'package:team:other:1.0.0:system'})],
      want: 'unwitnessed',
    },
    {name: 'any, without permission', reason: 'roles cannot be read', roles: undefined, want: 'unverified'},
  ])('$name is $want: $reason', ({roles, want}) => {
    const read = roles?.flatMap(each => systemRoleIn(each) ?? [])
    expect(inventoryStanding(HASH, read)).toBe(want)
  })
})

describe('the hash of an inventory', () => {
  const [object] = INVENTORY.objects
  it.each([
    {name: 'the phase', changed: {...INVENTORY, phase: 'changing' as const}},
    {name: 'uids', changed: {...INVENTORY, objects: [{...object!, uid: 'v'}]}},
    {name: 'the uids of instances to delete', changed: {...INVENTORY, deleting: ['u']}},
    {name: 'what was read back', changed: {...INVENTORY, objects: [{...object!, read: 'q', generation: 2}]}},
  ])('does not depend on $name', ({changed}) => {
    expect(inventoryHash(changed)).toBe(HASH)
  })

  it.each([
    {
      name: 'the source',
      changed: {...INVENTORY, install: {...install, request: {...install.request!, source: 'evil'}}},
    },
    {name: 'the namespace', changed: {...INVENTORY, install: {...install, namespace: 'other'}}},
    {name: 'a pin', changed: {...INVENTORY, install: {...install, pin: {tag: 'v2'}}}},
    {name: 'what was created', changed: {...INVENTORY, objects: [{...object!, created: true}]}},
    {name: 'what was sent', changed: {...INVENTORY, objects: [{...object!, sent: 'i'}]}},
  ])('depends on $name', ({changed}) => {
    expect(inventoryHash(changed)).not.toBe(HASH)
  })

  it('depends on fields that this version does not know', () => {
    const text = formatInventory(INVENTORY)
    expect(inventoryTextHash(text, 'a/b')).toBe(HASH)
    const later = JSON.stringify({...(JSON.parse(text) as object), revisions: [{user: 'eve'}]})
    expect(inventoryTextHash(later, 'a/b')).not.toBe(HASH)
  })
})

it.each([
  {in: NAME, want: {era: 'packages', namespace: 'team', name: 'db'}},
  {in: 'stack:team:db:1.0.0:system', want: {era: 'stacks', namespace: 'team', name: 'db'}},
  {in: 'package:team:db:1.0.0:admin', want: undefined},
  {in: 'package:team:db:system', want: undefined},
  {in: 'crossplane:team:db:1.0.0:system', want: undefined},
])('$in is the system role of $want', ({in: name, want}) => {
  expect(systemRoleName(name)).toEqual(want)
})
