import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import type {DryRun} from '../../../src/plan/cluster/state/cluster-snapshot.js'
import {desiredObjects} from '../../../src/plan/cluster/state/desired-object.js'
import {NO_INSTANCES} from '../../../src/plan/cluster/state/instance-survey.js'
import {ERAS} from '../../../src/render/era.js'
import type {SetObject} from '../../../src/render/install-set.js'
import {claimLabels, MANAGED_BY_LABEL, recordLabels} from '../../../src/render/labels.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asObject} from '../../../src/yaml/json-value.js'
import {
  DB,
  object,
  ACCOUNT,
  ROLE,
  BINDING,
  CRD,
  NAMESPACE,
  own,
  SHARED,
  setOf,
  live,
  inventoryOf,
  plan,
  shown,
  rules,
  on,
  APPLIED,
  type World,
} from './install-world.js'

const OTHER = {...DB, name: 'other'}

const labeled = (content: KubernetesObject, install: typeof DB): KubernetesObject => ({
  ...content,
  metadata: {...content.metadata, labels: recordLabels(ERAS.packages, install)},
})

describe('the plan of an install', () => {
  it('creates what does not exist: inventory, CRDs with claims, roles before bindings', () => {
    const set = setOf(SHARED, own(ACCOUNT), own(BINDING), own(ROLE))
    const planned = plan(set, {})
    expect(shown(planned)).toEqual([
      'apply ConfigMap crossplane-package.db',
      'apply CustomResourceDefinition dbs.sql.org',
      'claim CustomResourceDefinition dbs.sql.org',
      'wait CustomResourceDefinition dbs.sql.org',
      'apply ServiceAccount db',
      'apply Role db',
      'apply RoleBinding db',
    ])
    expect(
      planned.operations
        .filter(({action}) => action === 'apply')
        .slice(1)
        .map(({precondition}) => precondition),
    ).toEqual(Array(4).fill({absent: true}))
    expect(on(planned, 'dbs.sql.org')?.content).not.toContain('parent.packages')
    expect(planned.operations[2]).toMatchObject({manager: claimManager(DB)})
  })

  it('is empty if all objects are as recorded in the inventory', () => {
    const set = setOf(own(ACCOUNT), own(ROLE))
    const present = [live(ACCOUNT), live(ROLE)]
    expect(plan(set, {live: present, inventories: [inventoryOf(set, present)]})).toEqual({
      operations: [],
      unchanged: 2,
      rejections: [],
      kept: [],
    })
  })

  it('ignores fields that others added to an object', () => {
    const set = setOf(own(ACCOUNT))
    const before = live(ACCOUNT)
    const after = {
      ...before,
      secrets: [{name: 'token'}],
      metadata: {...before.metadata, annotations: {a: 'b'}},
    }
    const world = {live: [after], inventories: [inventoryOf(set, [before])]}
    expect(plan(set, world).operations).toEqual([])
  })

  it('applies an object whose field was changed', () => {
    const set = setOf(own(ROLE))
    const before = live(ROLE)
    const changed = {...before, rules: [{verbs: ['*']}]}
    const planned = plan(set, {
      live: [changed],
      inventories: [inventoryOf(set, [before])],
      dryRuns: {db: APPLIED(ROLE)},
    })
    expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db', 'apply Role db'])
    expect(planned.operations[1]?.precondition).toMatchObject({uid: 'u1'})
  })

  it('replaces an object of which a field cannot be updated', () => {
    const set = setOf(own(BINDING))
    const before = live({...BINDING, roleRef: {kind: 'Role', name: 'old'}})
    const immutable: DryRun = {kind: 'rejected', message: 'cannot change roleRef', isImmutable: true}
    const planned = plan(set, {
      live: [before],
      inventories: [inventoryOf(setOf(), [before])],
      dryRuns: {db: immutable},
    })
    expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db', 'replace RoleBinding db'])
  })

  it('records a replaced object as created, also if it was taken over', () => {
    const before = live({...BINDING, roleRef: {kind: 'Role', name: 'old'}}, {manager: 'kubectl'})
    const immutable: DryRun = {kind: 'rejected', message: 'cannot change roleRef', isImmutable: true}
    const planned = plan(setOf(own(BINDING)), {live: [before], dryRuns: {db: immutable}}, {adopt: true})
    expect(on(planned, 'crossplane-package.db')?.content).toContain('"created": true')
  })

  it('removes the claims on a CRD before it is replaced, and claims it again', () => {
    const old = {...CRD, spec: {...asObject(CRD.spec), scope: 'Cluster'}}
    const present = live(old, {manager: claimManager(DB)})
    const planned = plan(
      setOf(SHARED),
      {
        live: [present],
        inventories: [inventoryOf(setOf(), [present])],
        dryRuns: {'dbs.sql.org': {kind: 'rejected', message: 'spec.scope', isImmutable: true}},
        surveys: [[objectKey({...CRD, name: 'dbs.sql.org'}), NO_INSTANCES]],
      },
      {replaceCrds: true},
    )
    expect(shown(planned)).toEqual([
      'apply ConfigMap crossplane-package.db',
      'unclaim CustomResourceDefinition dbs.sql.org',
      'replace CustomResourceDefinition dbs.sql.org',
      'claim CustomResourceDefinition dbs.sql.org',
      'wait CustomResourceDefinition dbs.sql.org',
    ])
  })

  it('deletes objects that are no longer in the set by uid, and only removes the claim on a CRD', () => {
    const set = setOf(own(ACCOUNT))
    const present = [live(ACCOUNT), live(ROLE), live(CRD, {manager: claimManager(DB)})]
    const planned = plan(set, {live: present, inventories: [inventoryOf(set, present)]})
    expect(shown(planned)).toEqual([
      'apply ConfigMap crossplane-package.db',
      'delete Role db',
      'unclaim CustomResourceDefinition dbs.sql.org',
    ])
    expect(planned.operations[1]?.precondition).toMatchObject({uid: 'u1'})
  })

  it.each<[string, Readonly<Record<string, string>>, readonly string[] | undefined]>([
    ['not leave it marked as managed, if no other install uses it', {}, [MANAGED_BY_LABEL]],
    ['leave it marked, if another install does', {'parent.packages.crossplane.io/x-y': 'true'}, undefined],
  ])('removes the claim on a CRD that is no longer in the set, to %s', (_, others, want) => {
    const set = setOf(own(ACCOUNT))
    const labels = {...CRD.metadata.labels, [MANAGED_BY_LABEL]: ERAS.packages.managedBy, ...others}
    const crd = live({...CRD, metadata: {...CRD.metadata, labels}}, {manager: claimManager(DB)})
    const planned = plan(set, {
      live: [live(ACCOUNT), crd],
      inventories: [inventoryOf(set, [live(ACCOUNT), crd])],
    })
    const removed = on(planned, 'dbs.sql.org')?.labels?.filter(each => each === MANAGED_BY_LABEL)
    expect(removed?.length === 0 ? undefined : removed).toEqual(want)
  })

  it('does not change an object that others deleted and created again', () => {
    const set = setOf(own(ACCOUNT))
    const known = [live(ACCOUNT), live(ROLE)]
    const present = [live(ACCOUNT), live(ROLE, {uid: 'other', manager: 'kubectl'})]
    const planned = plan(set, {live: present, inventories: [inventoryOf(set, known)]})
    expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db'])
    expect(planned.kept).toMatchObject([
      {object: {kind: 'Role', name: 'db'}, reason: 'it was deleted and recreated by another program'},
    ])
  })

  it('deletes no object without the manager and labels of the install', () => {
    const set = setOf(own(ACCOUNT))
    const secret = object('Secret', 'db')
    const labels = recordLabels(ERAS.packages, {...DB, name: 'other'})
    const others = {...ROLE, metadata: {...ROLE.metadata, labels}}
    const present = [live(ACCOUNT), live(secret), live(others), live(BINDING, {manager: 'kubectl'})]
    const planned = plan(set, {live: present, inventories: [inventoryOf(set, present)]})
    expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db'])
  })

  it('waits for objects that an interrupted run applied', () => {
    const set = setOf(SHARED)
    const content = desiredObjects(set)[0]!.content
    const crd = {
      ...live(content),
      metadata: {
        ...live(content).metadata,
        labels: claimLabels(ERAS.packages, DB),
        managedFields: [CONTENT_MANAGER, claimManager(DB)].map(manager => ({manager, operation: 'Apply'})),
      },
    }
    const world = {live: [crd], inventories: [inventoryOf(set, [crd], {phase: 'changing'})]}
    expect(shown(plan(set, world))).toEqual([
      'apply ConfigMap crossplane-package.db',
      'wait CustomResourceDefinition dbs.sql.org',
    ])
  })

  it('neither changes nor records the base and Namespaces', () => {
    const base: SetObject = {phase: 'identity', shared: 'base', object: {...ROLE, rules: [{verbs: ['get']}]}}
    const planned = plan(setOf(base, {phase: 'namespaces', shared: 'namespace', object: NAMESPACE}), {
      live: [live(ROLE, {manager: 'helm'})],
    })
    expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db'])
    expect(planned.operations[0]?.content).toContain('"objects": []')
  })

  describe('where a current Crossplane runs', () => {
    const base: SetObject = {phase: 'identity', shared: 'base', object: {...ROLE, rules: [{verbs: ['get']}]}}
    const core = 'Crossplane v2.3.4'
    const ofChart = live({
      ...ROLE,
      metadata: {
        ...ROLE.metadata,
        labels: {'app.kubernetes.io/name': 'crossplane', 'app.kubernetes.io/part-of': 'crossplane'},
      },
    })

    it('adds no base, whether it exists or not, unless it is requested for v0.12', () => {
      const world = {core}
      const refused = plan(setOf(base), world, {adopt: true, forceConflicts: true})
      expect(refused.rejections).toEqual([
        expect.objectContaining({
          rule: 'base-beside-core',
          message: 'the base is for Crossplane v0.12, and the cluster runs Crossplane v2.3.4',
        }),
      ])
      expect(rules(plan(setOf(base), {core, live: [ofChart]}))).toEqual(['base-beside-core'])
      expect(rules(plan(setOf(base), {}))).toEqual([])
      const requested = plan(setOf(base), world, {baseBesideCore: true})
      expect(rules(requested)).toEqual([])
      expect(shown(requested)).toContain('create-only Role db')
    })

    it('never changes or takes over an object of its chart', () => {
      const flags = {adopt: true, forceConflicts: true, baseBesideCore: true}
      const kept = plan(setOf(base), {core, live: [ofChart]}, flags)
      expect(rules(kept)).toEqual([])
      expect(on(kept, 'db')).toBeUndefined()
      expect(rules(plan(setOf(own(ROLE)), {core, live: [ofChart]}, flags))).toEqual(['object-of-crossplane'])
    })

    it('names what it installs instead of the base where records are not served', () => {
      const record = {
        apiVersion: 'packages.crossplane.io/v1alpha1',
        kind: 'Package',
        metadata: {name: 'db', namespace: 'ns'},
      }
      const world = {unserved: ['packages.crossplane.io/v1alpha1 Package']}
      const advice = (more: World) =>
        plan(setOf(own(record)), {...world, ...more}).rejections.flatMap(({suggestions = []}) => suggestions)
      expect(advice({})[0]).toBe('Pass --with-package-api to create the package API.')
      expect(advice({core})[0]).toBe(
        'Install a package for Crossplane v2.3.4: this one is for Crossplane v0.12.',
      )
    })
  })

  it.each<[string, World, object, string[]]>([
    ['an object of others', {live: [live(ROLE, {manager: 'kubectl'})]}, {}, ['object-unmanaged']],
    [
      'an object that is being deleted',
      {live: [live(ROLE, {deletionTimestamp: 'now'})]},
      {},
      ['object-terminating'],
    ],
    ['a kind that is not served', {unserved: ['rbac.authorization.k8s.io/v1 Role']}, {}, ['kind-not-served']],
    [
      'an object of another install',
      {
        live: [live(labeled(ROLE, OTHER))],
        inventories: [inventoryOf(setOf(), [live(ROLE)], {install: OTHER})],
      },
      {},
      ['object-of-install'],
    ],
    [
      'fields of another manager',
      {
        live: [live(ROLE, {manager: 'kubectl'})],
        dryRuns: {db: {kind: 'conflict', fields: [{field: '.rules', manager: 'kubectl'}]}},
      },
      {adopt: true},
      ['field-conflict'],
    ],
    [
      'an object that the server rejects',
      {
        live: [live(ROLE, {manager: 'kubectl'})],
        dryRuns: {db: {kind: 'rejected', message: 'no', isImmutable: false}},
      },
      {adopt: true},
      ['object-rejected'],
    ],
  ])('rejects %s', (_name, world, options, want) => {
    expect(rules(plan(setOf(own(ROLE)), world, options))).toEqual(want)
  })

  it('ignores an inventory of another install that names an object without its labels', () => {
    const set = setOf(own(ROLE))
    const present = [live(ROLE)]
    const forged = inventoryOf(setOf(), present, {install: OTHER, phase: 'changing'})
    expect(plan(set, {live: present, inventories: [inventoryOf(set, present), forged]})).toMatchObject({
      operations: [],
      rejections: [],
    })
  })

  it('rejects a namespace that does not exist, and names --create-namespace', () => {
    const set = setOf(own({...ROLE, metadata: {name: 'db', namespace: 'other'}}))
    expect(plan(set, {}).rejections).toMatchObject([
      {rule: 'namespace-missing', suggestions: ['Pass --create-namespace.']},
    ])
  })

  it('takes over objects with --adopt, and fields with --force-conflicts', () => {
    const foreign = {live: [live(ROLE, {manager: 'kubectl'})]}
    expect(
      shown(plan(setOf(own(ROLE)), {...foreign, dryRuns: {db: APPLIED(ROLE)}}, {adopt: true})),
    ).toContain('apply Role db')
    const conflict: DryRun = {kind: 'conflict', fields: [{field: '.rules', manager: 'kubectl'}]}
    const refused = plan(setOf(own(ROLE)), {...foreign, dryRuns: {db: conflict}}, {adopt: true})
    expect(refused.rejections).toMatchObject([
      {
        rule: 'field-conflict',
        message: expect.stringMatching(/: "[.]rules" is managed by "kubectl"$/) as unknown,
      },
    ])
    const forced = plan(
      setOf(own(ROLE)),
      {...foreign, dryRuns: {db: conflict}},
      {adopt: true, forceConflicts: true},
    )
    expect(on(forced, 'db')).toMatchObject({action: 'apply', force: true})
  })

  it('does not take over a CRD that an install left behind, but uses it again', () => {
    const set = setOf(SHARED)
    const left = live(desiredObjects(set)[0]!.content)
    const planned = plan(set, {live: [left], dryRuns: {'dbs.sql.org': {kind: 'applied', object: left}}})
    expect(shown(planned)).toEqual([
      'apply ConfigMap crossplane-package.db',
      'claim CustomResourceDefinition dbs.sql.org',
    ])
    expect(planned.operations[0]?.content).toContain('"created": true')
  })

  it('is the same for the same inputs', () => {
    const set = setOf(SHARED, own(ACCOUNT), own(ROLE))
    expect(JSON.stringify(plan(set, {}))).toBe(JSON.stringify(plan(set, {})))
  })
})
