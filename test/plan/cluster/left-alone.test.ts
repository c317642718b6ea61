import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {withoutManaged} from '../../../src/plan/cluster/inventories/managed-installs.js'
import {planInstall} from '../../../src/plan/cluster/plan-install.js'
import {ERAS} from '../../../src/render/era.js'
import {claimLabels, MANAGED_BY_LABEL} from '../../../src/render/labels.js'
import type {InstallSet, SetObject} from '../../../src/render/install-set.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asObject, type JsonObject} from '../../../src/yaml/json-value.js'
import {
  DB,
  CRD,
  ACCOUNT,
  ROLE,
  NAMESPACE,
  own,
  SHARED,
  setOf,
  live,
  inventoryOf,
  snapshot,
  NOTHING,
  plan,
  shown,
  rules,
  on,
  APPLIED,
} from './install-world.js'

describe('a plan for objects of other owners', () => {
  it('does not delete an object that was taken over, and keeps that in its record', () => {
    const set = setOf(own(ACCOUNT))
    const present = [live(ACCOUNT), live(ROLE)]
    const inventory = inventoryOf(set, present)
    const adopted = {...inventory, objects: inventory.objects.map(({created: _created, ...each}) => each)}
    const pruned = plan(set, {live: present, inventories: [adopted]})
    expect(shown(pruned)).toEqual(['apply ConfigMap crossplane-package.db'])
    expect(pruned.kept).toMatchObject([
      {object: {kind: 'Role', name: 'db'}, reason: 'it was taken over with --adopt'},
    ])
    expect(pruned.operations[0]?.content).not.toContain('"created"')
  })

  it.each([
    {name: 'is no longer marked as managed', others: [], want: true},
    {name: 'stays managed for an install that stays', others: [{...DB, name: 'stays'}], want: false},
  ])('a CRD that several installs of the set drop $name', ({others, want}) => {
    const twin = {...DB, name: 'twin'}
    const users = [DB, twin, ...others]
    const claims = users.flatMap(each => Object.entries(claimLabels(ERAS.packages, each)))
    const present = {
      ...CRD,
      metadata: {
        ...CRD.metadata,
        labels: Object.fromEntries([...claims, [MANAGED_BY_LABEL, ERAS.packages.managedBy]]),
        uid: 'u1',
        managedFields: [
          {manager: CONTENT_MANAGER, operation: 'Apply'},
          ...users.map(each => ({manager: claimManager(each), operation: 'Apply'})),
        ],
      },
    }
    const set = {...setOf(), installs: [DB, twin]}
    const inventories = users.map(install => inventoryOf(set, [present], {install}))
    const {operations} = plan(set, {live: [present], inventories})
    const unclaims = operations.filter(({action}) => action === 'unclaim')
    expect(unclaims.map(({manager}) => manager)).toEqual([claimManager(DB), claimManager(twin)])
    expect(unclaims.map(({labels = []}) => labels.includes(MANAGED_BY_LABEL))).toEqual([want, want])
  })

  it('records a CRD as created only if the install that recorded this has its claim on it', () => {
    const other = {...DB, namespace: 'other', name: 'db'}
    const taken = (...managers: readonly string[]) => ({
      ...CRD,
      metadata: {
        ...CRD.metadata,
        uid: 'u1',
        managedFields: [CONTENT_MANAGER, ...managers].map(manager => ({manager, operation: 'Apply'})),
      },
    })
    const recorded = (present: KubernetesObject) => {
      const inventories = [inventoryOf(setOf(SHARED), [present], {install: other})]
      const world = {live: [present], inventories, dryRuns: {'dbs.sql.org': APPLIED(CRD)}}
      return plan(setOf(SHARED), world).operations[0]?.content?.includes('"created"')
    }
    expect(recorded(taken('helm'))).toBe(false)
    expect(recorded(taken('helm', claimManager(other)))).toBe(true)
    expect(recorded(taken())).toBe(true)
  })

  it('does not accept an object with another uid as its own, regardless of the user who applied it', () => {
    const set = setOf(own(ROLE))
    const world = (phase: Inventory['phase']) => ({
      live: [live(ROLE, {uid: 'other'})],
      inventories: [inventoryOf(set, [live(ROLE)], {phase})],
      dryRuns: {db: APPLIED(ROLE)},
    })
    expect(rules(plan(set, world('complete')))).toEqual(['object-unmanaged'])
    expect(rules(plan(set, world('changing')))).toEqual([])
  })

  it('is rejected for an unreadable inventory only if it is that of an install of the set', () => {
    const set = setOf(own(ROLE))
    const broken = (namespace: string, name: string) => ({
      unreadable: [{namespace, configMap: `crossplane-package.${name}`, message: 'no', suggestions: []}],
    })
    expect(rules(plan(set, broken('team', 'db')))).toEqual(['inventory-invalid'])
    expect(rules(plan(set, broken('team', 'other')))).toEqual([])
    expect(rules(plan(set, broken('other', 'db')))).toEqual([])
  })

  describe('where an original package manager runs', () => {
    const managers = new Map([['packages', 'crossplane-system/crossplane-package-manager']] as const)
    const request = {scope: 'Namespaced' as const, package: 'x/db:v1', namespace: 'team', name: 'db'}
    const requested = (...objects: readonly SetObject[]): InstallSet => ({
      ...setOf(...objects),
      installs: [{...DB, request: {...request, imagePullSecrets: [], serviceAccountAnnotations: {}}}],
    })
    const namespace: SetObject = {phase: 'namespaces', shared: 'namespace', object: NAMESPACE}
    const base: SetObject = {phase: 'identity', shared: 'base', object: ROLE}

    it('contains only the request and its namespace', () => {
      const set = requested(namespace, base, SHARED, own(ACCOUNT), own(ROLE))
      const reduced = withoutManaged(set, {managers, inventories: [], unreadable: []})
      const planned = planInstall(reduced, {...snapshot(reduced, {}), managers, live: new Map()}, NOTHING)
      expect(shown(planned)).toEqual([
        'create-only Namespace team',
        'apply PackageInstall db',
        'wait PackageInstall db',
      ])
      expect(on(planned, 'db')?.content).toContain('"package": "x/db:v1"')
    })

    it('takes over a request that exists, and is rejected if it changes the request', () => {
      const set = withoutManaged(requested(own(ROLE)), {managers, inventories: [], unreadable: []})
      const [existing] = set.objects.map(({object}) => live(object, {manager: 'kubectl'}))
      const planned = (spec: JsonObject) => {
        const world = {live: [existing!], dryRuns: {db: APPLIED({...existing!, spec})}}
        return planInstall(set, {...snapshot(set, world), managers}, {...NOTHING, adopt: true})
      }
      const same = planned(asObject(existing?.spec))
      expect({shown: shown(same), rules: rules(same)}).toEqual({
        shown: ['apply PackageInstall db', 'wait PackageInstall db'],
        rules: [],
      })
      const changed = planned({package: 'x/db:v2'})
      expect({shown: shown(changed), rules: rules(changed)}).toEqual({shown: [], rules: ['manager-running']})
    })

    it('contains all objects if it manages another era', () => {
      const set = requested(own(ROLE))
      const stacks = new Map([['stacks', 'crossplane-system/crossplane-stack-manager']] as const)
      expect(withoutManaged(set, {managers: stacks, inventories: [], unreadable: []})).toBe(set)
      const planned = planInstall(set, {...snapshot(set, {}), managers: stacks}, NOTHING)
      expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db', 'apply Role db'])
    })

    it('contains only the requests of users, with digests, where the manager of this program is running', () => {
      const own = {managers: new Map(), ownManager: 'crossplane-system/kubectl-crossplane-manager'}
      const set = requested(namespace, SHARED)
      const digest = `sha256:${'0'.repeat(64)}`
      const installs = set.installs.flatMap(install => [
        {...install, package: {...install.package!, digest}},
        {...install, name: 'dependency', mode: 'auto' as const},
      ])
      const reduced = withoutManaged({...set, installs}, {...own, inventories: [], unreadable: []})
      const planned = planInstall(reduced, {...snapshot(reduced, {}), ...own, live: new Map()}, NOTHING)
      expect(shown(planned)).toEqual([
        'create-only Namespace team',
        'apply PackageInstall db',
        'wait PackageInstall db',
      ])
      expect(on(planned, 'db')?.content).toContain(`"package": "x/db:v1@${digest}"`)
    })

    it('is rejected without a request: the manager acts on the record, too', () => {
      const set = setOf(own(ROLE))
      expect(withoutManaged(set, {managers, inventories: [], unreadable: []}).objects).toEqual(set.objects)
      const {rejections} = planInstall(set, {...snapshot(set, {}), managers}, NOTHING)
      expect(rejections).toMatchObject([
        {
          rule: 'manager-running',
          suggestions: [
            'kubectl scale deployment crossplane-package-manager --namespace crossplane-system --replicas 0',
          ],
        },
      ])
    })
  })
})
