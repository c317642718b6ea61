import {describe, expect, it} from '@jest/globals'
import {CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {nameOf, objectKey} from '../../../src/kubernetes/object-key.js'
import type {ClusterSnapshot} from '../../../src/plan/cluster/cluster-snapshot.js'
import {planRequestRemoval} from '../../../src/plan/cluster/plan-request-removal.js'
import {planUninstall} from '../../../src/plan/cluster/plan-uninstall.js'
import {UNKNOWN_CLUSTER} from '../../../src/plan/cluster/read-access.js'
import {ERAS} from '../../../src/render/era.js'
import {recordLabels} from '../../../src/render/labels.js'
import type {Plan} from '../../../src/plan/plan.js'
import type {KubernetesObject} from '../../../src/unpack/kubernetes-object.js'

const DB: Inventory['install'] = {
  namespace: 'team',
  name: 'db',
  era: 'packages',
  scope: 'Namespaced',
  mode: 'requested',
  for: {},
}

interface Live {
  readonly apiVersion?: string
  readonly kind: string
  readonly name?: string
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly manager?: string
  readonly uid?: string
}

const RBAC = 'rbac.authorization.k8s.io/v1'
const LABELS = recordLabels(ERAS.packages, DB)

function live({
  apiVersion = 'v1',
  kind,
  name = 'db',
  namespace = 'team',
  manager = CONTENT_MANAGER,
  ...more
}: Live): KubernetesObject {
  const metadata = {name, namespace, uid: 'u1', labels: LABELS, ...more}
  return {apiVersion, kind, metadata: {...metadata, managedFields: [{manager, operation: 'Apply'}]}}
}

/** The plan of uninstalling an install whose inventory names objects with the uid `u1`. */
function planned(
  objects: readonly KubernetesObject[],
  {phase = 'complete', created = true}: {phase?: Inventory['phase']; created?: boolean} = {},
): Plan {
  const names = objects.map(each => nameOf(each))
  const inventory: Inventory = {
    install: DB,
    phase,
    toolVersion: '1',
    objects: names.map(name => ({...name, uid: 'u1', ...(created ? {created} : {})})),
  }
  return planUninstall(
    [inventory],
    {...snapshotOf(objects), inventories: [inventory]},
    {
      customResources: 'abort',
      adopt: false,
      withUnusedDependencies: false,
    },
  )
}

function snapshotOf(objects: readonly KubernetesObject[]): ClusterSnapshot {
  return {...UNKNOWN_CLUSTER, live: new Map(objects.map(each => [objectKey(nameOf(each)), each]))}
}

function deleted(objects: readonly KubernetesObject[], phase: Inventory['phase'] = 'complete'): string[] {
  return planned(objects, {phase}).operations.flatMap(({action, object}) =>
    action === 'delete' ? [`${object?.kind} ${object?.name}`] : [],
  )
}

const INVENTORY = 'ConfigMap crossplane-package.db'

describe('uninstalling', () => {
  it('deletes the objects of the install: controller, permissions, account and record', () => {
    const {apiVersion, kinds} = ERAS.packages
    const objects = [
      live({apiVersion, kind: kinds.record, labels: {}}),
      live({kind: 'ServiceAccount'}),
      live({apiVersion: RBAC, kind: 'Role'}),
      live({apiVersion: RBAC, kind: 'RoleBinding'}),
      live({apiVersion: 'apps/v1', kind: 'Deployment'}),
    ]
    expect(deleted(objects)).toEqual([
      ...['Deployment db', 'RoleBinding db', 'Role db', 'ServiceAccount db'],
      ...['Package db', INVENTORY],
    ])
  })

  it.each<[string, Live]>([
    ['of another install', {kind: 'ServiceAccount', labels: recordLabels(ERAS.packages, {...DB, name: 'x'})}],
    [
      'of another namespace',
      {kind: 'ServiceAccount', labels: {...LABELS, 'core.crossplane.io/parent-namespace': 'x'}},
    ],
    ['without labels', {kind: 'ServiceAccount', labels: {}}],
    ['that others applied', {kind: 'ServiceAccount', manager: 'kubectl'}],
    ['that was created again', {kind: 'ServiceAccount', uid: 'u2'}],
    ['of a kind that no install has', {kind: 'Secret'}],
    ['that is the inventory of another install', {kind: 'ConfigMap', name: 'crossplane-package.other'}],
    ['that is a Namespace', {kind: 'Namespace', name: 'team'}],
    [
      'that is the record of another install',
      {apiVersion: ERAS.packages.apiVersion, kind: 'Package', name: 'x'},
    ],
    [
      'that is a CRD of others',
      {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', manager: 'helm'},
    ],
  ])('deletes no object %s, although the inventory names it', (_, object) => {
    expect(deleted([live(object)])).toEqual([INVENTORY])
  })

  it('deletes an object that an interrupted run replaced', () => {
    const replaced = live({apiVersion: RBAC, kind: 'RoleBinding', uid: 'u2'})
    expect(deleted([replaced], 'changing')).toEqual(['RoleBinding db', INVENTORY])
  })

  it.each<[string, Live, boolean, string]>([
    ['was taken over', {kind: 'ServiceAccount'}, false, 'it was taken over with --adopt'],
    [
      'was created again',
      {kind: 'ServiceAccount', uid: 'u2'},
      true,
      'it was deleted and recreated by another program',
    ],
    [
      'others applied',
      {kind: 'ServiceAccount', manager: 'kubectl'},
      true,
      'it no longer has fields that this program applied',
    ],
    ['has no labels', {kind: 'ServiceAccount', labels: {}}, true, 'its labels do not name the install'],
  ])('names what it keeps, and why: an object that %s', (_, object, created, reason) => {
    expect(planned([live(object)], {created}).kept).toMatchObject([
      {object: {kind: 'ServiceAccount'}, reason},
    ])
  })

  it('is rejected for a CRD without a served version: its instances cannot be listed', () => {
    const crd = live({apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'})
    const version = (served: boolean) => ({...crd, spec: {versions: [{name: 'v1', served}]}})
    expect(planned([version(true)]).rejections).toEqual([])
    expect(planned([version(false)]).rejections).toMatchObject([{rule: 'instances-not-listed'}])
    const request = live({apiVersion: ERAS.packages.apiVersion, kind: 'PackageInstall'})
    const inventory: Inventory = {
      install: DB,
      phase: 'complete',
      toolVersion: '',
      objects: [nameOf(crd)],
    }
    const removal = (served: boolean) =>
      planRequestRemoval({request, inventory}, snapshotOf([version(served)]), {
        customResources: 'abort',
        adopt: false,
        withUnusedDependencies: false,
      }).rejections
    expect(removal(true)).toEqual([])
    expect(removal(false)).toMatchObject([{rule: 'instances-not-listed'}])
  })
})
