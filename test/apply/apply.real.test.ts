import {beforeAll, expect, it} from '@jest/globals'
import {systemClock} from '../../src/adapters/system-clock.js'
import {applyOperation} from '../../src/apply/apply-operation.js'
import {readInventories} from '../../src/apply/read-inventories.js'
import {waitFor} from '../../src/apply/wait-for.js'
import {removeInventory, writeInventory} from '../../src/apply/write-inventory.js'
import type {ClusterApi} from '../../src/cluster/api/cluster-api.js'
import {CONTENT_MANAGER, isAppliedBy} from '../../src/cluster/claims.js'
import {inventoryConfigMaps} from '../../src/cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../../src/cluster/inventory/inventory.js'
import {nameOf as objectName} from '../../src/kubernetes/object-key.js'
import {uidOf} from '../../src/plan/cluster/ownership.js'
import {CrossplaneError} from '../../src/errors.js'
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

const CRD: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'things.demo.example.org'},
  spec: {
    group: 'demo.example.org',
    scope: 'Namespaced',
    names: {plural: 'things', kind: 'Thing', listKind: 'ThingList'},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
}

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

  it('reverts the apply of an object that another manager created meanwhile', async () => {
    await api.apply(configMap('taken', {theirs: 'yes'}), {manager: 'helm'})
    const taken = operation('apply', 'taken', {precondition: {absent: true}})
    expect(await outcome(() => execute(taken))).toBe('cluster-refused')
    const live = await api.get(nameOf('taken'))
    expect({data: live?.data, ours: isAppliedBy(live!, CONTENT_MANAGER)}).toEqual({
      data: {theirs: 'yes'},
      ours: false,
    })
  })

  it('keeps the fields of an object that another install created meanwhile', async () => {
    await api.apply(configMap('common', {ours: 'yes'}), {manager: CONTENT_MANAGER})
    const common = operation('apply', 'common', {precondition: {absent: true}})
    expect(await outcome(() => execute(common))).toBe('cluster-refused')
    expect(await api.get(nameOf('common'))).toMatchObject({data: {ours: 'yes'}})
  })

  it('shares a CRD that a run for another namespace created meanwhile', async () => {
    await api.apply(CRD, {manager: CONTENT_MANAGER})
    const {spec: _spec, ...claimed} = CRD
    const labels = {'example.org/claim': 'yes'}
    await api.apply(
      {...claimed, metadata: {...CRD.metadata, labels}},
      {manager: `${CONTENT_MANAGER}:other/things`},
    )
    const name = objectName(CRD)
    const shared: Operation = {
      ...operation('apply', ''),
      object: name,
      content: JSON.stringify(CRD),
      precondition: {absent: true},
    }
    expect(await execute(shared)).toMatchObject({change: 'configured'})
    expect(await api.get(name)).toMatchObject({metadata: {labels}, spec: {group: 'demo.example.org'}})
  })

  it('reports whether it created an object', async () => {
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

  it('reports a deletion that does not end, with its cause', async () => {
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

  it('writes an inventory of any size, without a ConfigMap of the previous one', async () => {
    for (const objects of [1, 9000, 6000, 2]) {
      await writeInventory(inventoryOf(objects), api)
      expect((await readInventories(api)).inventories).toEqual([inventoryOf(objects)])
      expect(await inventoryParts()).toHaveLength(inventoryConfigMaps(inventoryOf(objects)).length)
    }
    await removeInventory(inventoryOf(2), api)
  }, 120_000)

  it('completes the removal of an inventory that was interrupted at any write', async () => {
    let isInterrupted = true
    for (let writes = 0; isInterrupted; writes++) {
      await writeInventory(inventoryOf(6000), api)
      isInterrupted =
        (await outcome(() => removeInventory(inventoryOf(6000), ending(api, writes)))) === 'interrupted'
      for (const left of (await readInventories(api)).inventories) await removeInventory(left, api)
      expect({writes, left: await inventoryParts()}).toEqual({writes, left: []})
    }
  }, 120_000)

  async function inventoryParts(): Promise<readonly string[]> {
    const names: string[] = []
    for await (const {metadata} of api.list(nameOf(''), {namespace: 'default'})) names.push(metadata.name)
    return names.filter(name => name.startsWith('crossplane-package.'))
  }
})

const inventoryOf = (objects: number): Inventory => ({
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

/** A client that fails after a number of writes, as if the run ended. */
function ending(api: ClusterApi, writes: number): ClusterApi {
  let left = writes
  const write = () => {
    if (left-- === 0) throw new CrossplaneError('interrupted', '')
  }
  return {
    ...api,
    apply: async (...args) => (write(), api.apply(...args)),
    delete: async (...args) => (write(), api.delete(...args)),
  }
}
