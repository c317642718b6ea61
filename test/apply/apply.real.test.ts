import {beforeAll, describe, expect, it} from '@jest/globals'
import {systemClock} from '../../src/adapters/system-clock.js'
import {applyOperation} from '../../src/apply/apply-operation.js'
import {inventoryIn} from '../../src/observe/installs/named-inventories.js'
import {readShownInventories} from '../../src/observe/installs/read-inventories.js'
import {waitFor} from '../../src/apply/wait-for.js'
import {removeInventory, writeInventory} from '../../src/apply/write-inventory.js'
import type {ClusterApi} from '../../src/cluster/api/cluster-api.js'
import {CONTENT_MANAGER} from '../../src/cluster/claims.js'
import {inventoryConfigMaps} from '../../src/cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../../src/cluster/inventory/inventory.js'
import {nameOf as objectName} from '../../src/kubernetes/object-key.js'
import {contentHash} from '../../src/plan/cluster/state/live-object.js'
import {uidOf} from '../../src/plan/cluster/state/ownership.js'
import {CrossplaneError} from '../../src/errors.js'
import type {Operation} from '../../src/plan/plan.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {asObject} from '../../src/yaml/json-value.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {accepted, until} from '../cluster/kube.js'
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

  it('does not change an object that another manager created in the meantime', async () => {
    const {object} = await api.apply(configMap('taken', {theirs: 'yes'}), {manager: 'helm'})
    const taken = operation('apply', 'taken', {precondition: {absent: true}})
    expect(await outcome(() => execute(taken))).toBe('cluster-refused')
    expect(await api.get(nameOf('taken'))).toEqual(object)
  })

  it('does not change an object that another install created in the meantime', async () => {
    const {object} = await api.apply(configMap('common', {ours: 'no'}), {manager: CONTENT_MANAGER})
    const common = operation('apply', 'common', {precondition: {absent: true}})
    expect(await outcome(() => execute(common))).toBe('cluster-refused')
    expect(await api.get(nameOf('common'))).toEqual(object)
  })

  it('accepts an object that was created by an attempt whose response was lost', async () => {
    await api.apply(configMap('lost', {ours: 'yes'}), {manager: CONTENT_MANAGER})
    const lost = operation('apply', 'lost', {precondition: {absent: true}})
    expect(await execute(lost)).toMatchObject({change: 'unchanged', object: {data: {ours: 'yes'}}})
  })

  describe('a CRD', () => {
    const name = objectName(CRD)
    const onCrd = (crd: KubernetesObject, precondition: Operation['precondition']): Operation => ({
      ...operation('apply', ''),
      object: name,
      content: JSON.stringify(crd),
      precondition,
    })
    const other = {
      ...CRD,
      spec: {...asObject(CRD.spec), conversion: {strategy: 'None'}, preserveUnknownFields: false},
    }
    const changed = {
      ...CRD,
      spec: {...asObject(CRD.spec), names: {...asObject(asObject(CRD.spec).names), shortNames: ['th']}},
    }

    it('is shared with a run for another namespace that created it in the meantime', async () => {
      await api.apply(other, {manager: CONTENT_MANAGER})
      const {spec: _spec, ...claimed} = CRD
      const labels = {'example.org/claim': 'yes'}
      await api.apply(
        {...claimed, metadata: {...CRD.metadata, labels}},
        {manager: `${CONTENT_MANAGER}:other/things`},
      )
      expect(await execute(onCrd(other, {absent: true}))).toMatchObject({change: 'unchanged'})
      expect(await api.get(name)).toMatchObject({metadata: {labels}, spec: {group: 'demo.example.org'}})
    })

    it('keeps the schema with which another run created it in the meantime', async () => {
      const before = await api.get(name)
      expect(await outcome(() => execute(onCrd(changed, {absent: true})))).toBe('cluster-refused')
      expect(await api.get(name)).toEqual(before)
    })

    it('keeps a change that another run made after the plan', async () => {
      const before = (await api.get(name))!
      const planned = onCrd(changed, {uid: uidOf(before), sha256: contentHash(before)})
      await api.apply(
        {...other, metadata: {...CRD.metadata, annotations: {by: 'other'}}},
        {manager: CONTENT_MANAGER},
      )
      expect(await outcome(() => execute(planned))).toBe('cluster-refused')
      const current = (await api.get(name))!
      expect(asObject(asObject(current.spec).names).shortNames).toBeUndefined()
      const again = onCrd(changed, {uid: uidOf(current), sha256: contentHash(current)})
      expect(await execute(again)).toMatchObject({
        change: 'configured',
        object: {spec: {names: {shortNames: ['th']}}},
      })
    })
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
      expect(await inventoryIn(BIG, api)).toEqual(inventoryOf(objects))
      expect(await inventoryParts()).toHaveLength(inventoryConfigMaps(inventoryOf(objects)).length)
    }
    await removeInventory(inventoryOf(2), api)
  }, 120_000)

  it('reads an inventory of any size with the permission to list', async () => {
    await writeInventory(inventoryOf(6000), api)
    const reader = openApi(cluster(), 'nobody')
    expect(await outcome(() => readShownInventories(reader))).toBe('cluster-denied')
    const rbac = 'rbac.authorization.k8s.io'
    const rules = [{apiGroups: [''], resources: ['configmaps'], verbs: ['list']}]
    accepted(
      await cluster().kube.create({
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRole',
        metadata: {name: 'lister'},
        rules,
      }),
    )
    accepted(
      await cluster().kube.create({
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: {name: 'lister'},
        roleRef: {apiGroup: rbac, kind: 'ClusterRole', name: 'lister'},
        subjects: [{apiGroup: rbac, kind: 'User', name: 'nobody'}],
      }),
    )
    const read = await until(
      () => outcome(() => readShownInventories(reader)),
      each => typeof each !== 'string',
      20,
    )
    expect(read).toMatchObject({inventories: [inventoryOf(6000)], unreadable: [], ignored: []})
    await removeInventory(inventoryOf(6000), api)
  }, 60_000)

  it('completes the removal of an inventory that was interrupted at any write', async () => {
    let isInterrupted = true
    for (let writes = 0; isInterrupted; writes++) {
      await writeInventory(inventoryOf(6000), api)
      isInterrupted =
        (await outcome(() => removeInventory(inventoryOf(6000), ending(api, writes)))) === 'interrupted'
      const left = await inventoryIn(BIG, api)
      if (left !== undefined && !('message' in left)) await removeInventory(left, api)
      expect({writes, left: await inventoryParts()}).toEqual({writes, left: []})
    }
  }, 120_000)

  async function inventoryParts(): Promise<readonly string[]> {
    const names: string[] = []
    for await (const {metadata} of api.list(nameOf(''), {namespace: 'default'})) names.push(metadata.name)
    return names.filter(name => name.startsWith('crossplane-package.'))
  }
})

const BIG = {namespace: 'default', name: 'big'}

const inventoryOf = (objects: number): Inventory => ({
  install: {
    ...BIG,
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
