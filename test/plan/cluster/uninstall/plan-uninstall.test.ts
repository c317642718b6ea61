import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER} from '../../../../src/cluster/claims.js'
import type {Inventory} from '../../../../src/cluster/inventory/inventory.js'
import {CRD_KIND} from '../../../../src/kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../../../src/kubernetes/object-key.js'
import type {ClusterSnapshot} from '../../../../src/plan/cluster/state/cluster-snapshot.js'
import {planRequestRemoval} from '../../../../src/plan/cluster/uninstall/plan-request-removal.js'
import {planUninstall} from '../../../../src/plan/cluster/uninstall/plan-uninstall.js'
import {UNKNOWN_CLUSTER} from '../../../../src/plan/cluster/access/read-access.js'
import {ERAS} from '../../../../src/render/era.js'
import {recordLabels} from '../../../../src/render/labels.js'
import type {Plan} from '../../../../src/plan/plan.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

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
      planRequestRemoval(
        {request, inventory},
        {...snapshotOf([version(served)]), marked: []},
        {
          customResources: 'abort',
          adopt: false,
          withUnusedDependencies: false,
        },
      ).rejections
    expect(removal(true)).toEqual([])
    // A package manager does not keep CRDs.
    expect(removal(false)).toMatchObject([
      {rule: 'instances-not-listed', suggestions: [expect.stringMatching(/^kubectl get/)]},
    ])
  })

  it('by the package manager of this program tells it to keep custom resources, once', () => {
    const request = live({apiVersion: ERAS.packages.apiVersion, kind: 'PackageInstall'})
    const inventory: Inventory = {install: DB, phase: 'complete', toolVersion: '', objects: []}
    const actions = (object: KubernetesObject, customResources: 'abort' | 'keep') =>
      planRequestRemoval(
        {request: object, inventory, isOwn: true},
        {...snapshotOf([]), marked: []},
        {customResources, adopt: false, withUnusedDependencies: false},
      ).operations.map(({action}) => action)
    expect(actions(request, 'abort')).toEqual(['delete', 'wait'])
    expect(actions(request, 'keep')).toEqual(['apply', 'delete', 'wait'])
    const annotations = {'kubectl-crossplane.dev/custom-resources': 'keep'}
    const told = {...request, metadata: {...request.metadata, annotations}}
    expect(actions(told, 'keep')).toEqual(['delete', 'wait'])
  })

  it('by a package manager is rejected for each other CRD that the manager would delete, too', () => {
    const request = live({apiVersion: ERAS.packages.apiVersion, kind: 'PackageInstall'})
    const crd = (name: string, ...claims: readonly string[]): KubernetesObject => ({
      ...CRD_KIND,
      metadata: {name, labels: Object.fromEntries(claims.map(each => [each, 'true']))},
    })
    const OWN = 'parent.packages.crossplane.io/team-db'
    const SPACE = 'namespace.crossplane.io/team'
    const marked = [
      crd('dbs.sql.org'),
      crd('kept.sql.org', SPACE),
      crd('own.sql.org', SPACE, OWN),
      crd('shared.sql.org', SPACE, OWN, 'parent.packages.crossplane.io/team-other'),
      crd('other-era.sql.org', 'parent.stacks.crossplane.io/team-other'),
    ]
    const inventory: Inventory = {
      install: DB,
      phase: 'complete',
      toolVersion: '',
      objects: [{...CRD_KIND, name: 'dbs.sql.org'}],
    }
    const {rejections} = planRequestRemoval(
      {request, inventory},
      {...snapshotOf([]), marked},
      {customResources: 'abort', adopt: false, withUnusedDependencies: false},
    )
    expect(rejections.map(({rule, suggestions}) => [rule, ...(suggestions ?? [])])).toEqual(
      ['kept', 'own', 'other-era'].map(name => [
        'crd-without-claim',
        `kubectl label customresourcedefinition ${name}.sql.org app.kubernetes.io/managed-by-`,
      ]),
    )
  })

  describe('a CRD of the install', () => {
    const OWN = 'parent.packages.crossplane.io/team-db'
    const MANAGED = 'app.kubernetes.io/managed-by'
    const owns = (manager: string, operation: string, ...labels: readonly string[]) => ({
      ...{manager, operation},
      fieldsV1: {'f:metadata': {'f:labels': Object.fromEntries(labels.map(each => [`f:${each}`, {}]))}},
    })
    const crdOf = (labels: Readonly<Record<string, string>>, others: readonly JsonObject[] = []) => {
      const {apiVersion, kind} = CRD_KIND
      const fields = [
        owns(CONTENT_MANAGER, 'Apply', MANAGED),
        owns(claimManager(DB), 'Apply', OWN),
        ...others,
      ]
      return {
        ...{apiVersion, kind},
        metadata: {name: 'dbs.sql.org', uid: 'u1', labels, managedFields: fields},
        spec: {group: 'sql.org', names: {kind: 'Db', plural: 'dbs'}, versions: [{name: 'v1', served: true}]},
      }
    }
    const uninstalled = (
      crd: KubernetesObject,
      customResources: 'abort' | 'keep',
      {created = true, ...facts}: Partial<ClusterSnapshot> & {created?: boolean} = {},
    ) => {
      const objects = [{...nameOf(crd), uid: 'u1', ...(created ? {created} : {})}]
      const inventory: Inventory = {install: DB, phase: 'complete', toolVersion: '1', objects}
      return planUninstall(
        [inventory],
        {...snapshotOf([crd]), inventories: [inventory], ...facts},
        {customResources, adopt: false, withUnusedDependencies: false},
      )
    }
    const CLAIMED = {[MANAGED]: 'package-manager', [OWN]: 'true'}
    const removedLabels = ({operations}: Plan) =>
      operations.find(({action}) => action === 'unclaim')?.labels ?? []

    it.each<[string, KubernetesObject, 'abort' | 'keep', object, readonly string[]]>([
      ['that is kept', crdOf(CLAIMED), 'keep', {}, [MANAGED]],
      ['that was taken over', crdOf(CLAIMED), 'abort', {created: false}, [MANAGED]],
      ['that is deleted', crdOf(CLAIMED), 'abort', {}, []],
      ['that others use', crdOf({...CLAIMED, 'parent.packages.crossplane.io/x-y': 'true'}), 'keep', {}, []],
      ['of Helm', crdOf({...CLAIMED, [MANAGED]: 'Helm'}), 'keep', {}, []],
      ['that Flux marks', crdOf(CLAIMED, [owns('flux', 'Apply', MANAGED)]), 'keep', {}, []],
    ])('%s is marked as managed only while it is used', (_, crd, customResources, facts, want) => {
      expect(removedLabels(uninstalled(crd, customResources, facts))).toEqual(want)
    })

    it('is deleted before the roles that may list its custom resources', () => {
      const crd = crdOf(CLAIMED)
      const role = (persona: string) =>
        live({apiVersion: RBAC, kind: 'ClusterRole', name: `package:team:db:v1:${persona}`})
      const {operations} = planned([crd, role('edit'), role('system')])
      const names = operations.flatMap(({action, object}) => (action === 'delete' ? [object?.name] : []))
      expect(names).toEqual([
        ...['dbs.sql.org', 'package:team:db:v1:edit', 'package:team:db:v1:system'],
        'crossplane-package.db',
      ])
    })

    it('is not left without a claim while the manager of another era would delete it', () => {
      const managers = new Map([['stacks', 'x/crossplane-stack-manager']] as const)
      const rules = (managedBy: string) =>
        uninstalled(crdOf({...CLAIMED, [MANAGED]: managedBy}), 'keep', {managers}).rejections
      expect(rules('package-manager')).toEqual([])
      expect(rules('stack-manager')).toMatchObject([{rule: 'manager-running'}])
    })

    it('is not deleted while another manager applies a claim of the install', () => {
      const crd = crdOf(CLAIMED, [owns('flux', 'Apply', OWN)])
      expect(uninstalled(crd, 'abort').rejections).toMatchObject([
        {rule: 'claim-applied', suggestions: [expect.any(String), expect.stringContaining(`${OWN}-`)]},
      ])
      expect(uninstalled(crd, 'keep').rejections).toEqual([])
    })

    it('without a served version is rejected, also if it stays', () => {
      const crd = {...crdOf(CLAIMED), spec: {versions: [{name: 'v1', served: false}]}}
      const rules = (mode: 'abort' | 'keep') => uninstalled(crd, mode, {created: false}).rejections
      expect(rules('abort')).toMatchObject([
        {
          rule: 'instances-not-listed',
          suggestions: [expect.any(String), expect.stringContaining('--custom-resources=keep')],
        },
      ])
      expect(rules('keep')).toEqual([])
    })
  })
})
