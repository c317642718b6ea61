import {describe, expect, it} from '@jest/globals'
import {asObject, asText, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import type {Observation, ReferenceCall} from '../../src/services.js'
import {disk, managedWorld} from './managed-world.js'

const NETWORK = {apiVersion: 'disk.example.org/v1alpha1', kind: 'Network', name: 'main'}

/** Resolves `networkRef` to the ID of a network. */
async function networkOf({spec}: KubernetesObject, {get}: ReferenceCall) {
  const name = asText(asObject(asObject(asObject(spec).forProvider).networkRef).name)
  if (name === '') return undefined
  const network = await get({...NETWORK, name})
  const id = asText(asObject(network?.status).id)
  if (network === undefined) throw new Error(`Network "${name}" not found`)
  if (id === '') throw new Error(`Network "${name}" has no ID yet`)
  return {networkId: id}
}

/** A disk that refers to a network, the network if it exists, and the parameters that disks were created with. */
function referring(...networks: readonly KubernetesObject[]) {
  const created: unknown[] = []
  const world = managedWorld(
    {
      observe: () => Promise.resolve({exists: created.length > 0}),
      create: ({spec}) => {
        created.push(asObject(asObject(spec).forProvider).networkId)
        return Promise.resolve({})
      },
    },
    {objects: [disk('db', {networkRef: {name: 'main'}}), ...networks], resolveReferences: networkOf},
  )
  return {...world, created}
}

const network = (status?: {id: string}): KubernetesObject => ({
  ...NETWORK,
  metadata: {name: 'main'},
  ...(status === undefined ? {} : {status}),
})
const networkIdIn = ({spec}: KubernetesObject) => asObject(asObject(spec).forProvider).networkId

describe('references of a managed resource', () => {
  it('are resolved and stored before the external resource is created', async () => {
    const {created, pass, read} = referring(network({id: 'n-1'}))
    await pass('db')
    expect([created, networkIdIn(read('db'))]).toEqual([['n-1'], 'n-1'])
  })

  it.each([
    {name: 'no such object', objects: [], want: 'False Network "main" not found'},
    {name: 'an object that is not ready', objects: [network()], want: 'False Network "main" has no ID yet'},
  ])('that cannot be resolved are reported, and nothing is created: $name', async ({objects, want}) => {
    const {created, pass, condition, store} = referring(...objects)
    expect(await pass('db')).toEqual({result: 'error'})
    expect([condition('db', 'Synced'), created]).toEqual([want, []])
    expect(store.events).toEqual([`CannotResolveResourceReferences: ${want.replace('False ', '')}`])
  })

  it('are resolved when the object is there', async () => {
    const {created, pass, condition, store} = referring()
    await pass('db')
    store.put(network({id: 'n-1'}))
    await pass('db')
    expect([created, condition('db', 'Synced')]).toEqual([['n-1'], 'True'])
  })

  it('follow the object, and are written only if they change', async () => {
    const {pass, read, store} = referring(network({id: 'n-1'}))
    for (let count = 0; count < 3; count++) await pass('db')
    expect(store.patches).toEqual([{spec: {forProvider: {networkId: 'n-1'}}}, expect.anything()])
    store.put(network({id: 'n-2'}))
    await pass('db')
    expect(networkIdIn(read('db'))).toBe('n-2')
  })

  it('are not resolved for a deletion', async () => {
    const deleted = disk('db', {networkRef: {name: 'main'}}, {deletionTimestamp: '2026-01-01T00:00:00Z'})
    const {pass, condition} = managedWorld({}, {objects: [deleted], resolveReferences: networkOf})
    await pass('db')
    expect(condition('db', 'Synced')).toBe('True')
  })
})

/** A disk whose external system has selected values, and its parameters. */
function lateWorld(forProvider: Parameters<typeof disk>[1], observation: Omit<Observation, 'exists'>) {
  const world = managedWorld(
    {observe: () => Promise.resolve({exists: true, ...observation})},
    {objects: [disk('db', forProvider)]},
  )
  return {...world, parameters: () => asObject(asObject(world.read('db').spec).forProvider)}
}

describe('late initialization', () => {
  const selected = {lateInitialized: {zone: 'b', encryption: {on: true, key: 'k-1'}, tags: ['x']}}

  it.each<{name: string; in: JsonObject; want: JsonObject}>([
    {name: 'fields that are absent', in: {size: 1}, want: {size: 1, ...selected.lateInitialized}},
    {
      name: 'fields that are absent in an object',
      in: {zone: 'b', encryption: {on: true}, tags: ['x']},
      want: selected.lateInitialized,
    },
    {
      name: 'not what the user set',
      in: {zone: 'a', encryption: {on: false}, tags: []},
      want: {zone: 'a', encryption: {on: false, key: 'k-1'}, tags: []},
    },
    {
      name: 'no part of a value of another type',
      in: {zone: {x: 1}, encryption: 'off', tags: ['y']},
      want: {},
    },
  ])('sets $name', async ({in: before, want}) => {
    const {pass, parameters} = lateWorld(before, selected)
    await pass('db')
    expect(parameters()).toEqual({...before, ...want})
  })

  it('writes once, however often the system reports it', async () => {
    const {pass, store} = lateWorld({}, selected)
    for (let count = 0; count < 4; count++) await pass('db')
    expect(store.patches).toEqual([{spec: {forProvider: selected.lateInitialized}}])
  })

  it('leaves a value that the user sets while the system is asked', async () => {
    const world = managedWorld(
      {
        observe: managed => {
          if (asks++ === 0)
            world.store.put({...managed, spec: {...asObject(managed.spec), forProvider: {zone: 'a'}}})
          return Promise.resolve({exists: true, lateInitialized: {zone: 'b'}})
        },
      },
      {objects: [disk('db')]},
    )
    let asks = 0
    expect(await world.pass('db')).toEqual({result: 'requeue', again: 200})
    await world.pass('db')
    expect(asObject(asObject(world.read('db').spec).forProvider)).toEqual({zone: 'a'})
    // The conflict is no failure: nothing was reported.
    expect(world.store.events).toEqual([])
  })
})
