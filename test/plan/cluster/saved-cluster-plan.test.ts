import {describe, expect, it} from '@jest/globals'
import {readClusterPlan} from '../../../src/plan/cluster/saved-cluster-plan.js'
import {UNKNOWN_CLUSTER} from '../../../src/plan/cluster/read-access.js'
import {unplannedChanges} from '../../../src/plan/cluster/unplanned-changes.js'
import {readFolderPlan} from '../../../src/plan/folder/saved-folder-plan.js'
import type {Operation, Plan, PlanOrigin} from '../../../src/plan/plan.js'
import {formatPlan} from '../../../src/plan/plan-document.js'
import {outcome} from '../../outcome.js'

const ORIGIN: PlanOrigin = {
  command: 'package install',
  arguments: ['example/app:v1', '--base'],
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
  content: '{"kind":"ServiceAccount"}',
}
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
    const edit = {action: 'replace', target, path: 'a.yaml', reason: 'r', content: 'a: b\n'} as const
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
    {name: 'arguments that are not texts', in: formatPlan(plan(APPLY)).replace('"--base"', '1')},
    {name: 'an origin without a server', in: formatPlan(plan(APPLY)).replace('"server"', '"host"')},
  ])('rejects $name', async ({in: text}) => {
    expect(await outcome(() => read(text))).toBe('input-invalid')
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
    expect(unplannedChanges(read(text).operations, [secret], UNKNOWN_CLUSTER)).toEqual([])
  })
})
