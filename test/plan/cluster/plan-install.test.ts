import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import type {ClusterSnapshot, DryRun} from '../../../src/plan/cluster/cluster-snapshot.js'
import {desiredObjects} from '../../../src/plan/cluster/desired-object.js'
import {type InstanceSurvey, NO_INSTANCES} from '../../../src/plan/cluster/instance-survey.js'
import {readHash} from '../../../src/plan/cluster/live-object.js'
import {planInstall} from '../../../src/plan/cluster/plan-install.js'
import type {Operation, Plan} from '../../../src/plan/plan.js'
import {ERAS} from '../../../src/render/era.js'
import type {InstallSet, SetInstall, SetObject} from '../../../src/render/install-set.js'
import {claimLabels, recordLabels} from '../../../src/render/labels.js'
import type {KubernetesObject} from '../../../src/unpack/kubernetes-object.js'
import {asObject, type JsonObject} from '../../../src/yaml/json-value.js'

const DB: SetInstall = {
  namespace: 'team',
  name: 'db',
  era: 'packages',
  scope: 'Namespaced',
  mode: 'requested',
  for: {},
}

function object(kind: string, name: string, more: JsonObject = {}): KubernetesObject {
  const apiVersion = kind.endsWith('Role') || kind.endsWith('Binding') ? 'rbac.authorization.k8s.io/v1' : 'v1'
  const labels = recordLabels(ERAS.packages, DB)
  return {apiVersion, kind, metadata: {name, namespace: 'team', labels}, ...more}
}

const ACCOUNT = object('ServiceAccount', 'db')
const ROLE = object('Role', 'db', {rules: []})
const BINDING = object('RoleBinding', 'db', {roleRef: {kind: 'Role', name: 'db'}})
const CRD: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'dbs.sql.org', labels: claimLabels(ERAS.packages, DB)},
  spec: {group: 'sql.org', names: {kind: 'Db', plural: 'dbs'}, scope: 'Namespaced', versions: []},
}
const NAMESPACE: KubernetesObject = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team'}}

const own = (content: KubernetesObject): SetObject => ({phase: 'identity', install: DB, object: content})
const SHARED: SetObject = {phase: 'crds', shared: 'crd', claims: [DB], object: CRD}

const setOf = (...objects: readonly SetObject[]): InstallSet => ({installs: [DB], objects, warnings: []})

/** The object in a cluster, as this program applied it, or as another field manager did. */
function live(
  content: KubernetesObject,
  {
    manager = CONTENT_MANAGER,
    uid = 'u1',
    ...metadata
  }: Partial<Record<'manager' | 'uid' | 'deletionTimestamp', string>> = {},
): KubernetesObject {
  const managedFields = [{manager, operation: 'Apply'}]
  return {...content, metadata: {...content.metadata, ...metadata, uid, managedFields}}
}

function inventoryOf(
  set: InstallSet,
  objects: readonly KubernetesObject[],
  more: Partial<Inventory> = {},
): Inventory {
  const desired = desiredObjects(set)
  return {
    install: DB,
    phase: 'complete',
    toolVersion: '1',
    objects: objects.map(each => {
      const {apiVersion, kind, metadata} = each
      const name = {
        apiVersion,
        kind,
        name: metadata.name,
        ...(metadata.namespace === undefined ? {} : {namespace: metadata.namespace}),
      }
      const found = desired.find(({key}) => key === objectKey(name))
      const hashes = found === undefined ? {} : {sent: found.sent, read: readHash(each, found.content)}
      return {...name, uid: 'u1', ...hashes, created: true}
    }),
    ...more,
  }
}

interface World {
  readonly live?: readonly KubernetesObject[]
  readonly dryRuns?: Readonly<Record<string, DryRun>>
  readonly inventories?: readonly Inventory[]
  readonly unserved?: readonly string[]
  readonly surveys?: readonly (readonly [string, InstanceSurvey])[]
}

function snapshot(
  set: InstallSet,
  {live: present = [], dryRuns = {}, inventories = [], unserved = [], surveys = []}: World,
): ClusterSnapshot {
  const keyOf = ({apiVersion, kind, metadata: {name, namespace}}: KubernetesObject) =>
    objectKey({apiVersion, kind, name, ...(namespace === undefined ? {} : {namespace})})
  const kinds = set.objects.map(each => `${each.object.apiVersion} ${each.object.kind}`)
  return {
    live: new Map([live(NAMESPACE), ...present].map(each => [keyOf(each), each])),
    dryRuns: new Map(
      desiredObjects(set).flatMap(({key, name}) =>
        dryRuns[name.name] === undefined ? [] : [[key, dryRuns[name.name]!]],
      ),
    ),
    states: new Map(),
    inventories,
    served: new Set(kinds.filter(kind => !unserved.includes(kind))),
    instances: new Map(),
    surveys: new Map(surveys),
    recorded: [],
  }
}

const NOTHING = {adopt: false, forceConflicts: false, replaceCrds: false, toolVersion: '1'}

function plan(set: InstallSet, world: World, options = {}): Plan {
  return planInstall(set, snapshot(set, world), {...NOTHING, ...options})
}

/** `apply Role db` for each operation. */
const shown = ({operations}: Plan) =>
  operations.map(({action, object: name}) => `${action} ${name?.kind} ${name?.name}`)
const rules = ({rejections}: Plan) => rejections.map(({rule}) => rule)
const on = ({operations}: Plan, name: string): Operation | undefined =>
  operations.find(each => each.object?.name === name)

const APPLIED = (content: KubernetesObject): DryRun => ({kind: 'applied', object: live(content)})

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

  it('is empty where all is as an inventory says', () => {
    const set = setOf(own(ACCOUNT), own(ROLE))
    const present = [live(ACCOUNT), live(ROLE)]
    expect(plan(set, {live: present, inventories: [inventoryOf(set, present)]})).toEqual({
      operations: [],
      unchanged: 2,
      rejections: [],
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

  it('remembers what it replaces as created, also if it was taken over', () => {
    const before = live({...BINDING, roleRef: {kind: 'Role', name: 'old'}}, {manager: 'kubectl'})
    const immutable: DryRun = {kind: 'rejected', message: 'cannot change roleRef', isImmutable: true}
    const planned = plan(setOf(own(BINDING)), {live: [before], dryRuns: {db: immutable}}, {adopt: true})
    expect(on(planned, 'crossplane-package.db')?.content).toContain('"created": true')
  })

  it('gives up the claims on a CRD before it is replaced, and claims it again', () => {
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

  it('deletes what left the set, by its uid, and only gives up the claim on a CRD', () => {
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

  it('leaves an object alone that was deleted and created again by others', () => {
    const set = setOf(own(ACCOUNT))
    const known = [live(ACCOUNT), live(ROLE)]
    const present = [live(ACCOUNT), live(ROLE, {uid: 'other', manager: 'kubectl'})]
    const planned = plan(set, {live: present, inventories: [inventoryOf(set, known)]})
    expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db'])
  })

  it('deletes nothing that does not show that it was applied for the install', () => {
    const set = setOf(own(ACCOUNT))
    const secret = object('Secret', 'db')
    const labels = recordLabels(ERAS.packages, {...DB, name: 'other'})
    const others = {...ROLE, metadata: {...ROLE.metadata, labels}}
    const present = [live(ACCOUNT), live(secret), live(others), live(BINDING, {manager: 'kubectl'})]
    const planned = plan(set, {live: present, inventories: [inventoryOf(set, present)]})
    expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db'])
  })

  it('waits again for what an interrupted run applied', () => {
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

  it('neither changes nor remembers what is created once for all', () => {
    const base: SetObject = {phase: 'identity', shared: 'base', object: {...ROLE, rules: [{verbs: ['get']}]}}
    const planned = plan(setOf(base, {phase: 'namespaces', shared: 'namespace', object: NAMESPACE}), {
      live: [live(ROLE, {manager: 'helm'})],
    })
    expect(shown(planned)).toEqual(['apply ConfigMap crossplane-package.db'])
    expect(planned.operations[0]?.content).toContain('"objects": []')
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
        live: [live(ROLE)],
        inventories: [inventoryOf(setOf(), [live(ROLE)], {install: {...DB, name: 'other'}})],
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
