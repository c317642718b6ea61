import {beforeAll, describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {outputFolder} from '../../src/adapters/output-folder.js'
import {fileChanges, judgeChanges, pathsOfChanges} from '../../src/commit/file-changes.js'
import {previewFolder, previewPlan, writeFolder} from '../../src/commit/write-folder.js'
import {objectKey} from '../../src/kubernetes/object-key.js'
import {foreignOperations} from '../../src/plan/cluster/contained-operations.js'
import {planUninstall} from '../../src/plan/cluster/uninstall/plan-uninstall.js'
import {readClusterPlan} from '../../src/plan/cluster/saved-cluster-plan.js'
import {unplannedChanges} from '../../src/plan/cluster/objects/unplanned-changes.js'
import {readFolderPlan} from '../../src/plan/folder/saved-folder-plan.js'
import type {Operation, Plan} from '../../src/plan/plan.js'
import {formatPlan} from '../../src/plan/plan-document.js'
import {sha256Of} from '../../src/plan/sha256.js'
import {outcome} from '../outcome.js'
import {random, SEED} from '../shuffled.js'
import {temporaryFolder} from '../temporary-folder.js'
import {
  ACCOUNT,
  BINDING,
  CRD,
  DB,
  inventoryOf,
  live,
  own,
  plan,
  ROLE,
  setOf,
  SHARED,
  snapshot,
} from './cluster/install-world.js'

// Anyone can edit a saved plan. Each edit of a genuine one is rejected with a code, or changes nothing of what is done.

const ROUNDS = 2000
type Json = Record<string, unknown> | unknown[]

/** Every object and list in a document. */
function parts(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Json, ...Object.values(value).flatMap(parts)]
}

const VALUES: readonly unknown[] = [
  ...['', 'team-b', 'Namespace', 'Secret', 'delete', 'cluster', 'folder', '../x', 'own.yaml', '0'.repeat(64)],
  ...[null, true, 1, -1, [], {}, {absent: true}, {uid: 'u'}, ['x']],
]

/** Returns a document with some random edits, of any of its fields or by one of the operations. */
function mutated(text: string, added: readonly object[], chance: () => number): string {
  const below = (count: number) => Math.floor(chance() * count)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
  const document = JSON.parse(text) as {operations: object[]}
  for (let edits = 1 + below(3); edits > 0; edits -= 1) {
    const part = pick(parts(document)) as Record<string, unknown>
    const key = pick([...Object.keys(part), 'other'])
    const edit = below(6)
    if (edit === 0 && Array.isArray(part)) part.splice(below(part.length), 1)
    else if (edit === 0) Reflect.deleteProperty(part, key)
    else if (edit === 1) part[key] = structuredClone(pick(VALUES))
    else if (edit === 2) part[key] = `${String(part[key])}x`
    else if (!Array.isArray(document.operations)) return JSON.stringify(document)
    else if (edit === 3)
      document.operations.splice(below(document.operations.length + 1), 0, structuredClone(pick(added)))
    else if (edit === 4) document.operations.push(structuredClone(pick(document.operations)))
    else document.operations.splice(below(document.operations.length), 1)
  }
  return JSON.stringify(document)
}

/** Judges edited texts, of which most must be rejected. A judge expects of an accepted one that it changes nothing else. */
function repeated(judge: (text: string) => Promise<unknown>, text: string, added: readonly object[]) {
  return async () => {
    const chance = random(SEED)
    let accepted = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const edited = mutated(text, added, chance)
      const result = await outcome(() => judge(edited))
      if (typeof result !== 'string') accepted += 1
    }
    expect(accepted).toBeLessThan(ROUNDS / 2)
  }
}

describe(`an edited plan of an output folder (SEED=${SEED})`, () => {
  const root = join(temporaryFolder(), 'out')
  const folder = outputFolder(root)
  const OWN = 'kind: Own\n'
  const file = (name: string, note: string) => {
    const object = {
      ...{apiVersion: 'v1', kind: 'ServiceAccount'},
      metadata: {name, namespace: 'team', annotations: {note}},
    }
    return {path: `installs/team.db/${name}.yaml`, content: `${JSON.stringify(object)}\n`, object}
  }
  const ADDED: readonly object[] = [
    {action: 'replace', path: 'own.yaml', content: OWN.toLowerCase(), precondition: {sha256: sha256Of(OWN)}},
    {action: 'delete', path: 'own.yaml', precondition: {sha256: sha256Of(OWN)}},
    {action: 'delete', path: 'own.yaml'},
    {action: 'create-only', path: 'evil.yaml', content: 'kind: Secret\n', precondition: {absent: true}},
    {
      action: 'create-only',
      path: 'evil.yaml',
      content: file('evil', '').content,
      precondition: {absent: true},
    },
  ].map(each => ({target: 'folder', reason: 'because', ...each}))
  let text = ''
  let genuine: unknown
  /** What a plan would change; a file that is deleted already is not among it. */
  const changesOf = async (each: Plan) => {
    const changes = fileChanges(each)
    const {remaining} = judgeChanges(changes, await folder.look(pathsOfChanges(changes)))
    return [...remaining].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  beforeAll(async () => {
    await writeFolder([file('a', 'old'), file('b', 'old')], folder)
    writeFileSync(join(root, 'own.yaml'), OWN)
    const {plan: planned} = await previewFolder([file('a', 'new'), file('c', 'new')], folder)
    text = formatPlan(planned)
    genuine = await changesOf(planned)
    expect(
      (await previewPlan(readFolderPlan(Buffer.from(text), 'plan.json'), folder)).plan.rejections,
    ).toEqual([])
  })

  it('is rejected, or makes the same changes', async () => {
    const judge = async (edited: string) => {
      const read = readFolderPlan(Buffer.from(edited), 'plan.json')
      const preview = await previewPlan(read, folder)
      if (preview.plan.rejections.length > 0) return 'rejected'
      const changes = await changesOf(preview.plan)
      // Without any operation, nothing is changed.
      if (changes.length > 0) expect({edited, changes}).toEqual({edited, changes: genuine})
      return undefined
    }
    await repeated(judge, text, ADDED)()
  })
})

describe(`an edited plan for a cluster (SEED=${SEED})`, () => {
  const before = setOf(SHARED, own(ACCOUNT), own(ROLE), own(BINDING))
  const after = setOf(SHARED, own(ACCOUNT))
  const origin = {
    ...{command: 'package upgrade', arguments: ['example/db'], context: 'kind', server: 'https://127.0.0.1/'},
    toolVersion: '1.0.0',
  }
  const inventory = inventoryOf(before, [CRD, ACCOUNT, ROLE, BINDING])
  const world = {live: [live(ROLE), live(BINDING)], inventories: [inventory]}
  const removal = {customResources: 'abort', withUnusedDependencies: false, adopt: false} as const
  const seen = snapshot(after, world)
  const ADDED: readonly object[] = [
    {
      action: 'delete',
      object: {apiVersion: 'v1', kind: 'Namespace', name: 'team-b'},
      precondition: {absent: true},
    },
    {
      action: 'delete',
      object: {apiVersion: 'v1', kind: 'Namespace', name: 'team-b'},
      precondition: {uid: 'u'},
    },
    {
      ...{action: 'delete', object: {apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'b', name: 'x'}},
      precondition: {uid: 'u', sha256: 'a'.repeat(64)},
    },
    {
      ...{action: 'unclaim', object: {apiVersion: CRD.apiVersion, kind: CRD.kind, name: 'as.b.org'}},
      manager: 'crossplane-packages:b/x',
    },
    {action: 'wait', object: {apiVersion: 'v1', kind: 'Pod', namespace: 'b', name: 'x'}},
  ].map(each => ({target: 'cluster', reason: 'because', ...each}))
  const named = ({action, object}: Operation) => `${action} ${object === undefined ? '' : objectKey(object)}`

  it.each([
    {name: 'upgrade', command: 'package upgrade', planned: plan(after, world), snapshot: seen},
    {
      ...{name: 'first install', command: 'package install'},
      ...{planned: plan(before, {}), snapshot: snapshot(before, {})},
    },
    {
      ...{name: 'uninstall', command: 'package uninstall'},
      ...{planned: planUninstall([inventory], seen, removal as never), snapshot: seen},
    },
  ])('of the $name is rejected, or names nothing else', async ({command, planned, snapshot: current}) => {
    expect(planned.rejections).toEqual([])
    expect(planned.operations.length).toBeGreaterThan(2)
    const genuine = new Set(planned.operations.map(named))
    const judge = (edited: string) => {
      const {operations} = readClusterPlan(Buffer.from(edited), 'plan.json')
      const scope = {
        operations: planned.operations,
        snapshot: current,
        installs: [DB],
        removesDependencies: false,
      }
      if (foreignOperations(operations, scope).length > 0) return Promise.resolve('foreign')
      if (unplannedChanges(operations, planned.operations, current).length > 0)
        return Promise.resolve('unplanned')
      const others = operations.map(named).filter(each => !genuine.has(each))
      expect({edited, others}).toEqual({edited, others: []})
      return Promise.resolve(undefined)
    }
    const text = formatPlan({...planned, origin: {...origin, command}})
    expect(await judge(text)).toBeUndefined()
    await repeated(judge, text, ADDED)()
  })
})
