import {describe, expect, it} from '@jest/globals'
import type {Inventory} from '../../src/cluster/inventory/inventory.js'
import {formatInventory} from '../../src/cluster/inventory/inventory-document.js'
import {planSummary} from '../../src/inspect/plan-summary.js'
import {summaryRows} from '../../src/inspect/summary-rows.js'
import {nameOf, objectKey} from '../../src/kubernetes/object-key.js'
import type {ClusterSnapshot} from '../../src/plan/cluster/state/cluster-snapshot.js'
import {inventoryObject} from '../../src/plan/cluster/inventories/inventory-operations.js'
import type {Operation} from '../../src/plan/plan.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'

const DB = {namespace: 'team', name: 'db'}

function inventory(tag: string): Inventory {
  const installed = {identity: 'x/db', tag, version: tag, summaryHash: ''}
  const install = {
    ...DB,
    era: 'packages',
    scope: 'Cluster',
    mode: 'requested',
    for: {},
    package: installed,
  } as const
  return {install, phase: 'complete', toolVersion: '1', objects: []}
}

const role = (version: string, resources: readonly string[]): KubernetesObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: {name: `package:team:db:${version}:system`},
  rules: resources.map(resource => ({apiGroups: ['sql.org'], resources: [resource], verbs: ['*']})),
})

const deployment = (...images: readonly string[]): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {namespace: 'team', name: 'db-controller'},
  spec: {template: {spec: {containers: images.map(image => ({image}))}}},
})

const operation = (action: Operation['action'], object: KubernetesObject): Operation => ({
  action,
  target: 'cluster',
  object: nameOf(object),
  reason: '',
  ...(action === 'delete' ? {} : {content: JSON.stringify(object)}),
})

function summaryOf(operations: readonly Operation[], live: readonly KubernetesObject[], before?: Inventory) {
  const snapshot: Pick<ClusterSnapshot, 'live' | 'inventories'> = {
    live: new Map(live.map(object => [objectKey(nameOf(object)), object])),
    inventories: before === undefined ? [] : [before],
  }
  return planSummary({operations, unchanged: 0, rejections: []}, snapshot as ClusterSnapshot, [])
}

const remember = (after: Inventory): Operation => ({
  action: 'apply',
  target: 'cluster',
  object: inventoryObject(DB),
  reason: '',
  content: formatInventory(after),
})

describe('the summary of a plan', () => {
  it('of a new install contains its package, permissions and images', () => {
    const operations = [
      remember(inventory('v1')),
      operation('apply', role('v1', ['dbs'])),
      operation('apply', deployment('x/db:v1')),
    ]
    expect(summaryOf(operations, [])).toEqual({
      packages: [{install: 'team/db', after: 'x/db:v1'}],
      gained: ['have full access to dbs in sql.org'],
      lost: [],
      images: [{object: 'Deployment team/db-controller', before: [], after: ['x/db:v1']}],
      owners: [],
      mismatches: [],
    })
  })

  it('of an upgrade contains the differences', () => {
    const operations = [
      remember(inventory('v2')),
      operation('apply', role('v2', ['dbs', 'backups'])),
      operation('apply', deployment('x/db:v2', 'proxy')),
      operation('delete', role('v1', ['dbs', 'tables'])),
    ]
    const live = [role('v1', ['dbs', 'tables']), deployment('x/db:v1', 'proxy')]
    expect(summaryOf(operations, live, inventory('v1'))).toEqual({
      packages: [{install: 'team/db', before: 'x/db:v1', after: 'x/db:v2'}],
      gained: ['have full access to backups in sql.org'],
      lost: ['have full access to tables in sql.org'],
      images: [
        {object: 'Deployment team/db-controller', before: ['x/db:v1', 'proxy'], after: ['x/db:v2', 'proxy']},
      ],
      owners: [],
      mismatches: [],
    })
  })

  it('of an uninstall contains the removed package', () => {
    const operations: Operation[] = [
      {action: 'delete', target: 'cluster', object: inventoryObject(DB), reason: ''},
    ]
    expect(summaryOf(operations, [], inventory('v1')).packages).toEqual([
      {install: 'team/db', before: 'x/db:v1'},
    ])
  })

  it('omits unchanged parts', () => {
    const operations = [operation('apply', role('v1', ['dbs'])), operation('apply', deployment('a'))]
    const live = [role('v1', ['dbs']), deployment('a')]
    expect(summaryOf(operations, live)).toEqual({
      ...{packages: [], gained: [], lost: [], images: [], owners: [], mismatches: []},
    })
  })

  it('has the mismatches that are accepted', () => {
    const {install, ...rest} = inventory('v1')
    const mismatch = {crd: 'nets.net.org/v2', owner: 'x/net'}
    const after = {...rest, install: {...install, acceptedMismatches: [mismatch]}}
    expect(summaryOf([remember(after)], []).mismatches).toEqual([{...mismatch, install: 'team/db'}])
  })

  const policy = (name: string, ...activate: readonly string[]): KubernetesObject => ({
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'ManagedResourceActivationPolicy',
    metadata: {name},
    spec: {activate},
  })

  it('names the managed resources that are activated otherwise than before', () => {
    const summary = summaryOf(
      [operation('apply', policy('a', '*.s3.org', '*.ec2.org')), operation('delete', policy('b'))],
      [policy('a', '*.s3.org'), policy('b', '*.old.org')],
    )
    expect(summary.activation).toEqual({gained: ['*.ec2.org'], lost: ['*.old.org']})
    expect(summaryRows(summary, 8)).toEqual([
      ['ACTIVATES', '*.ec2.org'],
      ['ACTIVATES', 'no longer *.old.org'],
    ])
  })

  it('says nothing of an activation policy that only gets another name', () => {
    const summary = summaryOf(
      [operation('create-only', policy('b', '*.s3.org')), operation('delete', policy('a'))],
      [policy('a', '*.s3.org')],
    )
    expect(summary.activation).toBeUndefined()
  })
})
