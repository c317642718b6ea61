import {describe, expect, it} from '@jest/globals'
import {type WorkQueue, workQueue} from '../../src/reconcile/work-queue.js'
import {manualClock, settled} from './manual-clock.js'

const never = new AbortController().signal

/** Takes what is ready now. */
async function taken(queue: WorkQueue): Promise<readonly (string | undefined)[]> {
  const keys = []
  while (queue.depth > 0) keys.push(await queue.take(never))
  return keys
}

describe('the queue', () => {
  it('has each key once, in the order in which they were added', async () => {
    const queue = workQueue(manualClock())
    for (const key of ['b', 'a', 'b', 'c']) queue.add(key)
    expect(await taken(queue)).toEqual(['b', 'a', 'c'])
  })

  it('takes turns among groups, first those with fewer keys at work', async () => {
    const queue = workQueue(manualClock(), key => key.charAt(0))
    for (const key of ['a1', 'a2', 'a3', 'b1', 'c1']) queue.add(key)
    const first = [await queue.take(never), await queue.take(never)]
    queue.done('b1')
    queue.add('b2')
    const depth = queue.depth
    expect({first, depth, others: await taken(queue)}).toEqual({
      first: ['a1', 'b1'],
      depth: 4,
      others: ['c1', 'b2', 'a2', 'a3'],
    })
  })

  it('gives a key to one worker at a time, and again afterwards if it was added meanwhile', async () => {
    const queue = workQueue(manualClock())
    queue.add('a')
    await queue.take(never)
    queue.add('a')
    queue.add('a')
    const during = queue.depth
    queue.done('a')
    const after = await taken(queue)
    queue.done('a')
    expect({during, after, end: queue.depth}).toEqual({during: 0, after: ['a'], end: 0})
  })

  it('leaves a worker to others, however many keys of a group are at work', async () => {
    const queue = workQueue(manualClock(), key => key.slice(0, 1), 2)
    for (const key of ['a1', 'a2', 'a3']) queue.add(key)
    const slow = [await queue.take(never), await queue.take(never)]
    const waiting = [queue.take(never), queue.take(never)]
    queue.add('b1')
    const other = await waiting[0]
    queue.done('a1')
    expect({slow, other, next: await waiting[1]}).toEqual({slow: ['a1', 'a2'], other: 'b1', next: 'a3'})
  })

  it('gives keys to workers that wait', async () => {
    const queue = workQueue(manualClock())
    const waiting = [queue.take(never), queue.take(never)]
    queue.add('a')
    queue.add('b')
    expect(await Promise.all(waiting)).toEqual(['a', 'b'])
  })

  it.each([
    {name: 'a delay', delays: [1000], want: {before: 0, after: ['a']}},
    {name: 'the earlier of two delays', delays: [5000, 1000], want: {before: 0, after: ['a']}},
    {
      name: 'the earlier of two delays in the other order',
      delays: [1000, 5000],
      want: {before: 0, after: ['a']},
    },
    {name: 'no delay that is later', delays: [1001], want: {before: 0, after: []}},
  ])('has a key after $name', async ({delays, want}) => {
    const clock = manualClock()
    const queue = workQueue(clock)
    for (const delay of delays) queue.addAfter('a', delay)
    await clock.pass(999)
    const before = queue.depth
    await clock.pass(1)
    expect({before, after: await taken(queue)}).toEqual(want)
  })

  it('waits once for all delays, and has long ones of the same second together', async () => {
    const clock = manualClock()
    const queue = workQueue(clock)
    for (const [key, delay] of Object.entries({a: 59_100, b: 59_900, c: 30})) queue.addAfter(key, delay)
    const {sleeping} = clock
    await clock.pass(30)
    const short = await taken(queue)
    queue.done('c')
    const then = clock.sleeping
    await clock.pass(59_969)
    const before = queue.depth
    await clock.pass(1)
    expect({sleeping, short, then, before, long: await taken(queue)}).toEqual({
      sleeping: [30],
      short: ['c'],
      then: [59_970],
      before: 0,
      long: ['a', 'b'],
    })
  })

  it('waits for the others after the first of several delays was forgotten', async () => {
    const clock = manualClock()
    const queue = workQueue(clock)
    queue.addAfter('a', 1000)
    queue.addAfter('b', 2000)
    queue.add('a')
    await taken(queue)
    await clock.pass(2000)
    expect({keys: await taken(queue), sleeping: clock.sleeping}).toEqual({keys: ['b'], sleeping: []})
  })

  it('forgets a delay when the key is added at once', async () => {
    const clock = manualClock()
    const queue = workQueue(clock)
    queue.addAfter('a', 1000)
    queue.add('a')
    queue.addAfter('a', 500)
    const first = await taken(queue)
    queue.done('a')
    await clock.pass(5000)
    expect({first, later: queue.depth, sleeping: clock.sleeping}).toEqual({
      first: ['a'],
      later: 0,
      sleeping: [],
    })
  })

  it('ends the wait of workers, and its delays, when the signal is aborted', async () => {
    const clock = manualClock()
    const queue = workQueue(clock)
    const stop = new AbortController()
    queue.addAfter('a', 1000)
    const waiting = queue.take(stop.signal)
    stop.abort()
    expect({key: await waiting, sleeping: (await settled(), clock.sleeping)}).toEqual({
      key: undefined,
      sleeping: [],
    })
  })
})
