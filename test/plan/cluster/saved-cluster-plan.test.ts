import {describe, expect, it} from '@jest/globals'
import {readClusterPlan} from '../../../src/plan/cluster/saved-cluster-plan.js'
import {foreignOperations} from '../../../src/plan/cluster/contained-operations.js'
import {UNKNOWN_CLUSTER} from '../../../src/plan/cluster/access/read-access.js'
import {unplannedChanges} from '../../../src/plan/cluster/objects/unplanned-changes.js'
import {readFolderPlan} from '../../../src/plan/folder/saved-folder-plan.js'
import type {Operation, Plan, PlanOrigin} from '../../../src/plan/plan.js'
import {formatPlan} from '../../../src/plan/plan-document.js'
import {readPlan} from '../../../src/plan/read-plan.js'
import {outcome} from '../../outcome.js'

const ORIGIN: PlanOrigin = {
  command: 'package install',
  arguments: ['example/app:v1', '--with-package-api'],
  context: 'kind',
  server: 'https://127.0.0.1:6443/',
  toolVersion: '1.0.0',
}
const APPLY: Operation = {
  action: 'apply',
  target: 'cluster',
  object: {apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'team', name: 'a'},
  phase: 'identity',
  manager: 'crossplane-packages',
  force: true,
  reason: 'fields are taken over',
  risks: [{severity: 'warning', rule: 'fields-pruned', message: 'will lose a field'}],
  precondition: {uid: 'u', sha256: 'a'.repeat(64)},
  content: '{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"a","namespace":"team"}}',
}
const STATE = {uid: 'u', sha256: 'a'.repeat(64)}
const removal = (
  object: Operation['object'],
  precondition: Operation['precondition'] = STATE,
): Operation => ({
  ...{action: 'delete', target: 'cluster', object, reason: 'r', precondition},
})
const plan = (...operations: readonly Operation[]): Plan & {readonly origin: PlanOrigin} => ({
  operations,
  unchanged: 2,
  rejections: [],
  origin: ORIGIN,
})
const read = (text: string) => readClusterPlan(Buffer.from(text), 'plan.json')

describe('readClusterPlan', () => {
  it('reads a saved plan', () => {
    expect(read(formatPlan(plan(APPLY)))).toEqual({...plan(APPLY), file: 'plan.json'})
  })

  it.each(['declaration', 'lock-file'])('reads the edit of a %s', target => {
    const edit = {
      action: 'replace',
      target,
      path: 'a.yaml',
      reason: 'r',
      content: 'a: b\n',
      precondition: {sha256: 'b'.repeat(64)},
    } as const
    expect(read(formatPlan(plan(edit, APPLY)))).toMatchObject({operations: [edit, APPLY]})
    expect(unplannedChanges([APPLY], [edit, APPLY], UNKNOWN_CLUSTER)).toEqual(['a.yaml'])
    expect(unplannedChanges([edit, APPLY], [edit, APPLY], UNKNOWN_CLUSTER)).toEqual([])
  })

  it.each([
    {name: 'a plan that does not show how it was made', in: formatPlan({...plan(APPLY), origin: undefined})},
    {name: 'a plan of another target', in: formatPlan(plan({...APPLY, target: 'folder', path: 'a.yaml'}))},
    {
      name: 'an edit without a path',
      in: formatPlan(plan({...APPLY, target: 'declaration', object: undefined})),
    },
    {name: 'an operation without an object', in: formatPlan(plan({...APPLY, object: undefined}))},
    {name: 'an unknown phase', in: formatPlan(plan(APPLY)).replace('identity', 'later')},
    {name: 'a manager that is not a text', in: formatPlan(plan(APPLY)).replace('"crossplane-packages"', '1')},
    {name: 'a force that is not a boolean', in: formatPlan(plan(APPLY)).replace('true', '"yes"')},
    {name: 'risks that are not warnings', in: formatPlan(plan(APPLY)).replace('"warning"', '"note"')},
    {name: 'arguments that are not texts', in: formatPlan(plan(APPLY)).replace('"--with-package-api"', '1')},
    {name: 'an origin without a server', in: formatPlan(plan(APPLY)).replace('"server"', '"host"')},
  ])('rejects $name', async ({in: text}) => {
    expect(await outcome(() => read(text))).toBe('input-invalid')
  })
})

describe('the operations of a command', () => {
  const NAMESPACE = {apiVersion: 'v1', kind: 'Namespace', name: 'team-b'}
  const CRD = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'as.x.org'}
  const INVENTORY = {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team', name: 'crossplane-package.a'}
  const CLAIM: Operation = {
    ...{action: 'claim', target: 'cluster', object: CRD, phase: 'crds', reason: 'r'},
    ...{manager: 'crossplane-packages:team/a'},
    content: JSON.stringify({apiVersion: CRD.apiVersion, kind: CRD.kind, metadata: {name: CRD.name}}),
  }
  const MIGRATE: Operation = {
    ...{action: 'migrate', target: 'cluster', object: CRD, phase: 'crds', reason: 'r', precondition: STATE},
    content: JSON.stringify({from: ['v1alpha1'], kind: 'A', to: 'v1', total: 1}),
  }
  const SECRET = {apiVersion: 'v1', kind: 'Secret', namespace: 'team', name: 'a'}

  it.each([
    {name: 'delete a Namespace that does not exist', in: removal(NAMESPACE, {absent: true})},
    {name: 'delete a Namespace', in: removal(NAMESPACE)},
    {name: 'delete a CRD', in: removal(CRD)},
    {name: 'delete an object by its uid alone', in: removal(APPLY.object, {uid: 'u'})},
    {name: 'delete an inventory', in: removal(INVENTORY, undefined)},
    {name: 'delete a Secret', in: removal(SECRET)},
    {name: 'delete without a precondition', in: {...removal(APPLY.object), precondition: undefined}},
    {name: 'apply a Secret', in: {...APPLY, object: SECRET}},
    {
      name: 'apply another object than they name',
      in: {...APPLY, object: {...APPLY.object, name: 'b'} as never},
    },
    {name: 'apply what is not JSON', in: {...APPLY, content: '{'}},
    {name: 'apply as another field manager', in: {...APPLY, manager: 'helm'}},
    {name: 'claim as another field manager', in: {...CLAIM, manager: 'helm'}},
    {name: 'migrate a ServiceAccount', in: {...MIGRATE, object: APPLY.object}},
    {name: 'claim a ServiceAccount', in: {...CLAIM, object: APPLY.object}},
  ])('of an install never $name', ({in: operation}) => {
    const act = () => read(formatPlan(plan(APPLY, operation)))
    const field = 'operations[1]'
    expect(act).toThrow(
      expect.objectContaining({
        code: 'cluster-refused',
        diagnostics: [expect.objectContaining({file: 'plan.json', field})],
      }),
    )
  })

  it.each([
    {name: 'delete a CRD', in: removal(CRD)},
    {
      name: 'delete a custom resource by its uid alone',
      in: removal({...SECRET, apiVersion: 'x.org/v1'}, {uid: 'u'}),
    },
    {name: 'delete an inventory', in: {...removal(INVENTORY), precondition: undefined}},
    {name: 'delete an object', in: removal(APPLY.object)},
  ])('of an uninstall $name', ({in: operation}) => {
    const uninstall = {...plan(operation), origin: {...ORIGIN, command: 'package uninstall'}}
    expect(read(formatPlan(uninstall)).operations).toEqual([operation])
  })

  it.each([
    {name: 'applies an object', in: APPLY},
    {name: 'deletes a Namespace', in: removal(NAMESPACE)},
    {name: 'deletes an object of Kubernetes by its uid alone', in: removal(SECRET, {uid: 'u'})},
  ])('of an uninstall never $name', async ({in: operation}) => {
    const uninstall = {...plan(operation), origin: {...ORIGIN, command: 'package uninstall'}}
    expect(await outcome(() => read(formatPlan(uninstall)))).toBe('cluster-refused')
  })

  const SCOPE = {
    operations: [APPLY],
    snapshot: UNKNOWN_CLUSTER,
    installs: [{namespace: 'team', name: 'a'}],
    removesDependencies: false,
  }
  const RBAC = 'rbac.authorization.k8s.io/v1'
  it.each([
    {name: 'that the command has now', in: APPLY, want: 0},
    {
      name: 'on a role of the install',
      in: removal({apiVersion: RBAC, kind: 'ClusterRole', name: 'package:team:a:v1:system'}),
      want: 0,
    },
    {
      name: 'on a role of another',
      in: removal({apiVersion: RBAC, kind: 'ClusterRole', name: 'package:team:b:v1:system'}),
      want: 1,
    },
    {name: 'on its binding', in: removal({apiVersion: RBAC, kind: 'ClusterRoleBinding', name: 'a'}), want: 0},
    {
      name: 'on another binding',
      in: removal({apiVersion: RBAC, kind: 'ClusterRoleBinding', name: 'admins'}),
      want: 1,
    },
    {
      name: 'on an object of another namespace',
      in: removal({...SECRET, kind: 'ServiceAccount', namespace: 'b'}),
      want: 1,
    },
    {name: 'on a claim of the install', in: CLAIM, want: 0},
    {name: 'on a claim of another', in: {...CLAIM, manager: 'crossplane-packages:team/b'}, want: 1},
    {name: 'on its inventory', in: {...APPLY, object: INVENTORY}, want: 0},
    {name: 'on the inventory of another', in: {...APPLY, object: {...INVENTORY, namespace: 'b'}}, want: 1},
    {name: 'on a CRD that nothing names', in: {...APPLY, object: CRD}, want: 1},
  ])('$name: $want are foreign', ({in: operation, want}) => {
    expect(foreignOperations([operation], SCOPE)).toHaveLength(want)
  })
})

describe('a plan for a cluster', () => {
  it('is not a plan for an output folder, even without operations', async () => {
    const bytes = Buffer.from(formatPlan(plan()))
    expect(await outcome(() => readFolderPlan(bytes, 'plan.json'))).toBe('input-invalid')
  })

  it('is saved without the values of Secrets, and is still the same plan', () => {
    const content = '{"apiVersion":"v1","data":{"key":"czNjcjN0"},"kind":"Secret","metadata":{"name":"a"}}'
    const secret: Operation = {...APPLY, object: {apiVersion: 'v1', kind: 'Secret', name: 'a'}, content}
    const text = formatPlan(plan(secret))
    expect(text).not.toContain('czNjcjN0')
    const {operations} = readPlan(Buffer.from(text), 'plan.json')
    expect(unplannedChanges(operations, [secret], UNKNOWN_CLUSTER)).toEqual([])
  })
})
