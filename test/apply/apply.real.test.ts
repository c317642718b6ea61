import {beforeAll, expect, it} from '@jest/globals'
import {systemClock} from '../../src/adapters/system-clock.js'
import {applyOperation} from '../../src/apply/apply-operation.js'
import {readInventories} from '../../src/apply/read-inventories.js'
import {waitFor} from '../../src/apply/wait-for.js'
import {removeInventory, writeInventory} from '../../src/apply/write-inventory.js'
import type {ClusterApi} from '../../src/cluster/api/cluster-api.js'
import {CONTENT_MANAGER, isAppliedBy} from '../../src/cluster/claims.js'
import type {Inventory} from '../../src/cluster/inventory/inventory.js'
import {uidOf} from '../../src/plan/cluster/ownership.js'
import type {Operation} from '../../src/plan/plan.js'
import type {KubernetesObject} from '../../src/unpack/kubernetes-object.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {openApi} from '../cluster/open-api.js'
import {outcome} from '../outcome.js'

const configMap = (name: string, data: Readonly<Record<string, string>> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {namespace: 'default', name},
  data,
})

const nameOf = (name: string) => ({apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name})

const operation = (action: Operation['action'], name: string, more: Partial<Operation> = {}): Operation => ({
  action,
  target: 'cluster',
  object: nameOf(name),
  reason: '',
  content: JSON.stringify(configMap(name, {ours: 'yes'})),
  ...more,
})

describeCluster('current', 'the execution of operations', cluster => {
  let api: ClusterApi
  beforeAll(() => {
    api = openApi(cluster())
  })

  const execute = async (each: Operation) => {
    const wait = () => Promise.resolve()
    return await applyOperation(each, {api, wait, signal: new AbortController().signal})
  }

  it('gives an object back that others created meanwhile', async () => {
    await api.apply(configMap('taken', {theirs: 'yes'}), {manager: 'helm'})
    const taken = operation('apply', 'taken', {precondition: {absent: true}})
    expect(await outcome(() => execute(taken))).toBe('cluster-refused')
    const live = await api.get(nameOf('taken'))
    expect({data: live?.data, ours: isAppliedBy(live!, CONTENT_MANAGER)}).toEqual({
      data: {theirs: 'yes'},
      ours: false,
    })
  })

  it('creates an object once, and says what became of it', async () => {
    const changes: string[] = []
    for (const each of [
      operation('create-only', 'once'),
      operation('create-only', 'once'),
      operation('apply', 'twice', {precondition: {absent: true}}),
      operation('apply', 'twice', {content: JSON.stringify(configMap('twice', {other: 'yes'}))}),
    ]) {
      changes.push((await execute(each)).change)
    }
    expect(changes).toEqual(['created', 'unchanged', 'created', 'configured'])
  })

  it('replaces and deletes an object of one uid only', async () => {
    const {object} = await api.apply(configMap('aged'), {manager: CONTENT_MANAGER})
    const uid = uidOf(object)
    for (const action of ['replace', 'delete'] as const) {
      const other = operation(action, 'aged', {precondition: {uid: `${uid.slice(0, -4)}0000`, sha256: ''}})
      expect(await outcome(() => execute(other))).toBe('cluster-rejected')
    }
    const replaced = await execute(operation('replace', 'aged', {precondition: {uid, sha256: ''}}))
    expect(replaced).toMatchObject({change: 'replaced', object: {data: {ours: 'yes'}}})
    expect(replaced.object?.metadata.uid).not.toBe(uid)
  })

  it('reports a deletion that does not end, with what it waits for', async () => {
    const held = {
      ...configMap('held'),
      metadata: {...configMap('held').metadata, finalizers: ['example.org/held']},
    }
    await api.apply(held, {manager: 'helm'})
    await api.delete(nameOf('held'))
    const gone = operation('wait', 'held', {precondition: {absent: true}})
    const options = {api, clock: systemClock, timeout: 300}
    expect(await outcome(() => waitFor([gone], options))).toBe('timeout')
    await api.apply({...configMap('held')}, {manager: 'helm'})
    await waitFor([gone], {...options, timeout: 20_000})
  })

  it('keeps an inventory of any size, and leaves nothing of it', async () => {
    const inventory = (objects: number): Inventory => ({
      install: {
        namespace: 'default',
        name: 'big',
        era: 'packages',
        scope: 'Namespaced',
        mode: 'requested',
        for: {},
      },
      phase: 'complete',
      toolVersion: '1',
      objects: Array.from({length: objects}, (_, index) => nameOf(`object-${index}`)),
    })
    for (const objects of [1, 9000, 6000, 2]) {
      await writeInventory(inventory(objects), api)
      expect((await readInventories(api)).inventories).toEqual([inventory(objects)])
    }
    await writeInventory(inventory(9000), api)
    await removeInventory(inventory(0).install, api)
    const left: string[] = []
    for await (const {metadata} of api.list(nameOf(''), {namespace: 'default'})) left.push(metadata.name)
    expect(left.filter(name => name.startsWith('crossplane-package.'))).toEqual([])
  }, 120_000)
})
