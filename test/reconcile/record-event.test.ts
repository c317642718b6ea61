import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import type {LogEntry} from '../../src/reconcile/log.js'
import {type Occurrence, recordEvent} from '../../src/reconcile/record-event.js'

const object: KubernetesObject = {
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: {name: 'a', namespace: 'team', uid: 'u1', resourceVersion: '7'},
}
const failed: Occurrence = {object, type: 'Warning', reason: 'ApplyFailed', message: 'cannot apply it'}

/** Records Events in memory. */
async function recorded(occurrences: readonly Occurrence[], denies = false) {
  const events = new Map<string, KubernetesObject>()
  const log: LogEntry[] = []
  const written = (event: KubernetesObject) => Promise.resolve({object: event, created: true, warnings: []})
  const api = {
    now: () => Date.UTC(2026, 0, 1),
    create: (event: KubernetesObject) => {
      if (denies) return Promise.reject(new CrossplaneError('cluster-denied', 'cannot create it'))
      if (events.has(event.metadata.name)) return Promise.resolve('exists' as const)
      events.set(event.metadata.name, event)
      return written(event)
    },
    get: ({name}: {readonly name: string}) => Promise.resolve(events.get(name)),
    mergePatch: ({name}: {readonly name: string}, patch: object) => {
      const event = {...events.get(name), ...patch} as KubernetesObject
      events.set(name, event)
      return written(event)
    },
  }
  for (const each of occurrences) {
    await recordEvent(each, {api, log: entry => log.push(entry), component: 'test'})
  }
  return {events: [...events.values()], log}
}

describe('an Event', () => {
  it('is counted when it happens again', async () => {
    const {events} = await recorded([failed, failed, {...failed, message: 'another'}])
    expect(events.map(({count, message}) => ({count, message}))).toEqual([
      {count: 2, message: 'cannot apply it'},
      {count: 1, message: 'another'},
    ])
  })

  it('is about the object, in its namespace or in default', async () => {
    const cluster = {...object, metadata: {name: 'a', uid: 'u2', resourceVersion: '7'}}
    const {events} = await recorded([failed, {...failed, object: cluster}])
    expect(events.map(({metadata, involvedObject}) => [metadata.namespace, involvedObject])).toEqual([
      ['team', {...kindOf(object), name: 'a', namespace: 'team', uid: 'u1', resourceVersion: '7'}],
      ['default', {...kindOf(object), name: 'a', uid: 'u2', resourceVersion: '7'}],
    ])
  })

  it('says that its message is cut', async () => {
    const messages = ['a'.repeat(1024), 'a'.repeat(1025), 'é'.repeat(513)]
    const {events} = await recorded(messages.map(message => ({...failed, message})))
    expect(events.map(({message}) => message)).toEqual([
      messages[0],
      `${'a'.repeat(1021)}…`,
      `${'é'.repeat(510)}…`,
    ])
  })

  it('that cannot be written is logged', async () => {
    expect((await recorded([failed], true)).log).toEqual([{level: 'warning', message: 'cannot create it'}])
  })
})

function kindOf({apiVersion, kind}: KubernetesObject) {
  return {apiVersion, kind}
}
