import {expect, it} from '@jest/globals'
import {waitUntilLocked} from '../../../src/observe/core/wait-until-locked.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'

/** A Lock that loses its only entry once something was done as often as a core needs to see it. */
function lockThatLoses(needed: number) {
  let [time, done] = [0, 0]
  const lock = (): KubernetesObject => ({
    ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: {name: 'lock'}},
    packages: done >= needed ? [] : [{name: 'a-0', source: 'h.io/a', version: 'v1', dependencies: []}],
  })
  const api = {get: () => Promise.resolve(lock())}
  const clock = {
    elapsed: () => time,
    sleep: (milliseconds: number) => {
      time += milliseconds
      return Promise.resolve()
    },
  }
  const wait = async (locked: boolean) => {
    const again = () => Promise.resolve(void (done += 1))
    const options = {api, clock, timeout: 30_000} as unknown as Parameters<typeof waitUntilLocked>[1]
    await waitUntilLocked([{revision: 'a-0', locked, again}], options)
    return {done, time}
  }
  return wait
}

it('makes a revision inactive again that the core activated before it left the Lock', async () => {
  expect(await lockThatLoses(0)(false)).toEqual({done: 0, time: 0})
  expect(await lockThatLoses(3)(false)).toMatchObject({done: 3})
  await expect(lockThatLoses(99)(false)).rejects.toMatchObject({code: 'timeout'})
})

it('waits until a revision is in the Lock', async () => {
  expect(await lockThatLoses(1)(true)).toEqual({done: 0, time: 0})
  await expect(lockThatLoses(0)(true)).rejects.toMatchObject({code: 'timeout'})
})
