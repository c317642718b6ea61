import {describe, expect, it} from '@jest/globals'
import {getEventListeners} from 'node:events'
import type {JsonObject, KubernetesObject} from 'kubectl-crossplane/plugin'
import {settled} from '../../../../test/reconcile/manual-clock.js'
import type {ExternalCall, ExternalClient, Observation} from '../../src/services.js'
import {disk, IDLE, managedWorld} from './managed-world.js'

const METHODS = [
  {method: 'connect', says: 'connect failed', reason: 'CannotConnectToProvider'},
  {method: 'observe', says: 'observe failed', reason: 'CannotObserveExternalResource'},
  {method: 'create', says: 'create failed', reason: 'CannotCreateExternalResource'},
  {method: 'update', says: 'update failed', reason: 'CannotUpdateExternalResource'},
  {method: 'delete', says: 'delete failed', reason: 'CannotDeleteExternalResource'},
] as const

/** A world in which a method never returns for the managed resource `stuck`, and the calls that it got. */
function stuckWorld(method: (typeof METHODS)[number]['method']) {
  const calls: ExternalCall[] = []
  const hang = <Result>({metadata}: KubernetesObject, call: ExternalCall, result: Result) => {
    if (metadata.name !== 'stuck') return Promise.resolve(result)
    calls.push(call)
    return new Promise<Result>(() => undefined)
  }
  const clients: Readonly<Record<string, Partial<ExternalClient>>> = {
    observe: {observe: (managed, call) => hang(managed, call, {exists: true})},
    create: {
      observe: ({metadata}) => Promise.resolve({exists: metadata.name !== 'stuck'}),
      create: (managed, _generated, call) => hang(managed, call, {}),
    },
    update: {
      observe: ({metadata}) => Promise.resolve({exists: true, isUpToDate: metadata.name !== 'stuck'}),
      update: (managed, call) => hang(managed, call, {}),
    },
    delete: {delete: (managed, call) => hang(managed, call, undefined)},
  }
  const deletion: JsonObject = method === 'delete' ? {deletionTimestamp: '2026-01-01T00:00:00Z'} : {}
  const objects = [disk('stuck', {}, deletion), disk('other')]
  const connect = (managed: KubernetesObject, _input: unknown, call: ExternalCall) =>
    hang(managed, call, IDLE)
  return {
    ...managedWorld(clients[method] ?? {}, {objects, ...(method === 'connect' ? {connect} : {})}),
    calls,
  }
}

describe.each(METHODS)('$method that never returns', ({method, says, reason}) => {
  it('fails at its deadline, with a condition and an Event, and its signal is aborted', async () => {
    const {clock, store, condition, pass, calls} = stuckWorld(method)
    const ended = pass('stuck')
    await settled()
    expect(calls.map(({deadline, signal}) => [deadline - clock.now(), signal.aborted])).toEqual([
      [60_000, false],
    ])
    await clock.pass(60_000)
    expect(await ended).toEqual({result: 'error'})
    expect(condition('stuck', 'Synced')).toBe(`False ${says}: no result in 60s`)
    expect(store.events).toEqual([`${reason}: no result in 60s`])
    expect(calls.map(({signal}) => signal.aborted)).toEqual([true])
  })

  it('does not keep other managed resources from being served', async () => {
    const {condition, pass} = stuckWorld(method)
    void pass('stuck')
    expect(await pass('other')).toMatchObject({result: 'requeue'})
    expect([condition('other', 'Synced'), condition('other', 'Ready')]).toEqual(['True', 'True'])
  })

  it('ends when the runner stops, which is no failure of the external system', async () => {
    const {stop, store, condition, pass, calls} = stuckWorld(method)
    const ended = pass('stuck')
    await settled()
    stop.abort()
    expect(await ended).toEqual({result: 'error'})
    expect(calls.map(({signal}) => signal.aborted)).toEqual([true])
    expect([condition('stuck', 'Synced'), store.events]).toEqual(['', []])
  })
})

it('reports the deadline of a client that ends with an error of its own', async () => {
  const observe = (_managed: unknown, {signal}: ExternalCall) =>
    new Promise<Observation>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('This operation was aborted')))
    })
  const {clock, condition, pass} = managedWorld({observe}, {objects: [disk('slow')]})
  const ended = pass('slow')
  await settled()
  await clock.pass(60_000)
  await ended
  expect(condition('slow', 'Synced')).toBe('False observe failed: no result in 60s')
})

it('leaves no timer behind for a call that returned', async () => {
  const {clock, pass} = managedWorld({}, {objects: [disk('quick')]})
  await pass('quick')
  await settled()
  expect(clock.sleeping).toEqual([])
})

it('reports a client that throws at once, and leaves no timer behind', async () => {
  const observe = () => {
    throw new Error('no such region')
  }
  const {clock, condition, pass} = managedWorld({observe}, {objects: [disk('a')]})
  expect(await pass('a')).toEqual({result: 'error'})
  expect(condition('a', 'Synced')).toBe('False observe failed: no such region')
  await settled()
  expect(clock.sleeping).toEqual([])
})

it('ends the signal of each call with the call, and keeps none of them', async () => {
  const signals: AbortSignal[] = []
  const observe = (_managed: unknown, {signal}: ExternalCall) => {
    signals.push(signal)
    return Promise.resolve({exists: true})
  }
  const {stop, pass} = managedWorld({observe}, {objects: [disk('a')]})
  await pass('a')
  expect(signals.map(({aborted}) => aborted)).toEqual([true])
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})
