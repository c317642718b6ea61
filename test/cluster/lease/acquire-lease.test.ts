import {expect, it} from '@jest/globals'
import {acquireLease} from '../../../src/cluster/lease/acquire-lease.js'
import {heldLease, isHeld} from '../../../src/cluster/lease/lease-object.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {steadyClock} from '../../http/steady-clock.js'

const HOUR = 60 * 60 * 1000
const SERVER_NOW = Date.parse('2026-06-01T12:00:00Z')

/** The Lease of a run that renewed it, at a version. */
function leaseOf(holder: string, resourceVersion: string): KubernetesObject {
  const object = heldLease('team', {holder, duration: 20, now: SERVER_NOW})
  return {...object, metadata: {...object.metadata, uid: 'u1', resourceVersion}}
}

/** Acquires a Lease that the server has as told, read by read; returns what was read and written. */
async function acquired(reads: readonly KubernetesObject[], jump: number, patience = Infinity) {
  const steady = steadyClock()
  let ahead = 0
  const written: KubernetesObject[] = []
  let read = 0
  const clock = {
    ...steady,
    now: () => steady.now() + ahead,
    sleep: async (milliseconds: number) => {
      ahead += jump
      await steady.sleep(milliseconds)
    },
  }
  const write = (object: KubernetesObject) => {
    written.push(object)
    return Promise.resolve({object, created: false, warnings: []})
  }
  const api = {
    get: () => Promise.resolve(reads[Math.min(read++, reads.length - 1)]),
    create: write,
    update: write,
    delete: () => Promise.resolve('deleted' as const),
    now: () => SERVER_NOW,
  }
  const error = await acquireLease('team', {api, clock, holder: 'second', patience}).then(
    () => undefined,
    (caught: unknown) => caught,
  )
  return {read, written, slept: steady.slept, error}
}

const FIRST = ['1', '2', '3'].map(version => leaseOf('first', version))

it.each([
  {name: 'stands still', jump: 0},
  {name: 'is set forward', jump: HOUR},
  {name: 'is set back', jump: -HOUR},
])('a Lease expires when it is the same for its duration, also if the local clock $name', async ({jump}) => {
  const {read, slept} = await acquired(FIRST, jump)
  // The pauses after the last of the versions.
  const since = slept.slice(FIRST.length - 1).reduce((sum, each) => sum + each, 0)
  expect({read, since}).toEqual({read: FIRST.length + 20, since: 20_000})
})

it('a Lease has the time of the server, by which readers judge whether it is held', async () => {
  const {written} = await acquired([leaseOf('', '1')], HOUR)
  const held = (now: number) => written.map(each => isHeld(each, now))
  expect([held(SERVER_NOW), held(SERVER_NOW + HOUR)]).toEqual([[true], [false]])
})

it.each([
  {name: 'is set forward', jump: HOUR},
  {name: 'is set back', jump: -HOUR},
])('the wait for another holder is as long as requested, also if the local clock $name', async ({jump}) => {
  const {slept, error} = await acquired(FIRST, jump, 10_000)
  expect({slept: slept.length, error}).toMatchObject({slept: 10, error: {code: 'timeout'}})
})
