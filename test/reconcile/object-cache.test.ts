import {describe, expect, it} from '@jest/globals'
import type {WatchEvent, WatchOptions} from '../../src/cluster/api/cluster-api.js'
import {CrossplaneError} from '../../src/errors.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import type {LogEntry} from '../../src/reconcile/log.js'
import {watchObjects} from '../../src/reconcile/object-cache.js'
import {asText} from '../../src/yaml/json-value.js'
import {manualClock, settled} from './manual-clock.js'

const kind = {apiVersion: 'example.org/v1', kind: 'Thing'}

function thing(name: string, resourceVersion: string): KubernetesObject {
  return {...kind, metadata: {name, namespace: 'team', uid: name, resourceVersion}}
}

type Step = WatchEvent | 'listed' | CrossplaneError

/** Watches a cluster that reports these steps, one list for each time that the watch begins. */
function watched(...rounds: readonly (readonly Step[])[]) {
  const clock = manualClock(1)
  const changes: string[] = []
  const log: LogEntry[] = []
  let round = 0
  const watch = async function* (_kind: unknown, {listed}: WatchOptions) {
    for (const step of rounds[round++] ?? []) {
      await Promise.resolve()
      if (step === 'listed') listed?.()
      else if (step instanceof CrossplaneError) throw step
      else yield step
    }
  }
  const stop = new AbortController()
  const cache = watchObjects(
    {
      kind,
      changed: ({before, after}) =>
        changes.push(
          `${before === undefined ? '+' : ''}${after === undefined ? '-' : ''}${nameOf(after ?? before)}`,
        ),
    },
    {api: {watch}, clock, log: entry => log.push(entry)},
    stop.signal,
  )
  return {cache, clock, changes, log, stop}
}

function nameOf(object: KubernetesObject | undefined): string {
  return object === undefined ? '' : `${object.metadata.name}${asText(object.metadata.resourceVersion)}`
}

const denied = new CrossplaneError('cluster-denied', 'cannot list things: permission denied')
const added = (name: string, version: string): WatchEvent => ({type: 'ADDED', object: thing(name, version)})

describe('a cache', () => {
  it('follows a watch', async () => {
    const {cache, changes} = watched([
      added('a', '1'),
      added('b', '2'),
      'listed',
      {type: 'MODIFIED', object: thing('a', '3')},
      {type: 'DELETED', object: thing('b', '4')},
    ])
    const before = cache.isSynced
    await cache.settled
    await settled()
    expect({before, after: cache.isSynced, changes, list: cache.list().map(nameOf)}).toEqual({
      before: false,
      after: true,
      changes: ['+a1', '+b2', 'a3', '-b2'],
      list: ['a3'],
    })
  })

  it('begins again after a failure, and removes what is gone by then', async () => {
    const {cache, clock, changes, log} = watched(
      [added('a', '1'), added('b', '2'), 'listed', denied],
      [denied],
      [added('a', '1'), added('c', '5'), 'listed'],
    )
    await settled()
    const failed = {message: cache.failure?.message, list: cache.list().map(nameOf)}
    await clock.pass(3000)
    expect({failed, after: cache.failure, changes, list: cache.list().map(nameOf)}).toEqual({
      failed: {message: denied.message, list: ['a1', 'b2']},
      after: undefined,
      changes: ['+a1', '+b2', '+c5', '-b2'],
      list: ['a1', 'c5'],
    })
    expect(log).toEqual([{level: 'warning', message: denied.message}])
  })

  it('waits longer after each failure in a row, at most half a minute', async () => {
    const {clock} = watched(...Array.from({length: 10}, () => [denied]))
    const waits = []
    for (let count = 0; count < 7; count++) {
      await settled()
      waits.push(clock.sleeping[0])
      await clock.pass(clock.sleeping[0] ?? 0)
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  it('stores the response of a write, and then ignores the older event', async () => {
    const {cache, changes} = watched([added('a', '1'), 'listed', {type: 'MODIFIED', object: thing('a', '2')}])
    await cache.settled
    cache.put(thing('a', '3'))
    await settled()
    cache.put(thing('a', '2'))
    expect({list: cache.list().map(nameOf), changes}).toEqual({list: ['a3'], changes: ['+a1']})
  })

  it('does not bring an object back by the response of a write that comes after its deletion', async () => {
    const again = {...thing('a', '9'), metadata: {...thing('a', '9').metadata, uid: 'another'}}
    const {cache, changes} = watched([
      added('a', '1'),
      added('b', '2'),
      'listed',
      {type: 'DELETED', object: thing('a', '4')},
      {type: 'DELETED', object: thing('b', '5')},
      added('b', '6'),
    ])
    await cache.settled
    await settled()
    cache.put(thing('a', '3'))
    const gone = cache.get('a', 'team')
    cache.put(again)
    cache.put(thing('b', '7'))
    expect({gone, list: cache.list().map(nameOf), changes}).toEqual({
      gone: undefined,
      list: ['b7', 'a9'],
      changes: ['+a1', '+b2', '-a1', '-b2', '+b6'],
    })
  })

  it('keeps only the part of objects that is wanted, also of responses', async () => {
    const kept = ({spec: _spec, ...object}: KubernetesObject) => object
    const asked: WatchOptions['kept'][] = []
    const watch = async function* (_kind: unknown, options: WatchOptions) {
      await Promise.resolve()
      asked.push(options.kept)
      yield {type: 'ADDED', object: kept({...thing('a', '1'), spec: {size: 1}})} as const
      options.listed?.()
    }
    const changes: unknown[] = []
    const cache = watchObjects(
      {kind, kept, changed: change => changes.push(change)},
      {api: {watch}, clock: manualClock(), log: () => undefined},
      new AbortController().signal,
    )
    await cache.settled
    cache.put({...thing('b', '2'), spec: {size: 2}})
    expect(cache.list()).toEqual([thing('a', '1'), thing('b', '2')])
    expect(changes).toEqual([{after: thing('a', '1')}])
    expect(asked).toEqual([kept])
  })

  it.each([
    {name: 'before it begins', abort: true},
    {name: 'before all objects are listed', abort: false},
  ])('does not keep anyone waiting when it is stopped $name', async ({abort}) => {
    const stop = new AbortController()
    if (abort) stop.abort()
    const watch = async function* (_kind: unknown, {signal}: WatchOptions) {
      yield added('a', '1')
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), {once: true}))
    }
    const ports = {api: {watch}, clock: manualClock(), log: () => undefined}
    const cache = watchObjects({kind, changed: () => undefined}, ports, stop.signal)
    await settled()
    stop.abort()
    await cache.settled
    expect(cache.isSynced).toBe(false)
  })

  it('takes an object of the same name that was created anew', async () => {
    const {cache} = watched([added('a', '10'), 'listed'])
    await cache.settled
    const other = thing('a', '9')
    cache.put({...other, metadata: {...other.metadata, uid: 'new'}})
    expect(cache.get('a', 'team')?.metadata.uid).toBe('new')
  })
})
