import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {readAhead} from '../../../src/unpack/files/read-ahead.js'

/** A source that says when it was opened, how far it was read and that it was closed. */
function watched(name: string, items: readonly string[], log: string[], failure?: Error) {
  return async function* () {
    log.push(`open ${name}`)
    try {
      for (const item of items) {
        log.push(item)
        yield await Promise.resolve(item)
      }
      if (failure !== undefined) throw failure
    } finally {
      log.push(`close ${name}`)
    }
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('readAhead', () => {
  it('yields every item once and in order, for all sizes', async () => {
    const sources = fc.array(fc.array(fc.integer(), {maxLength: 12}), {maxLength: 8})
    await fc.assert(
      fc.asyncProperty(
        sources,
        fc.integer({min: 1, max: 4}),
        fc.integer({min: 1, max: 5}),
        async (lists, most, capacity) => {
          const opened = lists.map(
            list =>
              async function* () {
                for (const item of list) yield await Promise.resolve(item)
              },
          )
          expect(await all(readAhead(opened, {most, capacity}))).toEqual(lists.flat())
        },
      ),
    )
  })

  it('reads a limited number of later sources, each to a limit, while the first one waits', async () => {
    const log: string[] = []
    let open = (): void => undefined
    const gate = new Promise<void>(resolve => (open = resolve))
    async function* first() {
      await gate
      yield 'a1'
    }
    const items = (name: string) => [1, 2, 3, 4].map(number => `${name}${number}`)
    const reading = all(
      readAhead(
        [first, watched('b', items('b'), log), watched('c', items('c'), log), watched('d', items('d'), log)],
        {
          most: 3,
          capacity: 2,
        },
      ),
    )
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(log.sort()).toEqual(['b1', 'b2', 'c1', 'c2', 'open b', 'open c'])
    open()
    expect(await reading).toEqual(['a1', ...items('b'), ...items('c'), ...items('d')])
  })

  it('fails at the position of the error, and closes the other sources', async () => {
    const log: string[] = []
    const failure = new Error('the second is damaged')
    const reading = readAhead(
      [watched('a', ['a1'], log), watched('b', ['b1'], log, failure), watched('c', ['c1', 'c2', 'c3'], log)],
      {most: 3, capacity: 1},
    )
    const found: string[] = []
    const end = (async () => {
      for await (const item of reading) found.push(item)
    })()
    await expect(end).rejects.toBe(failure)
    expect(found).toEqual(['a1', 'b1'])
    expect(log.filter(line => line.startsWith('open')).length).toBe(3)
    expect(log.filter(line => line.startsWith('close')).length).toBe(3)
  })

  it('closes its open sources, and opens no more, when the reader stops', async () => {
    const log: string[] = []
    const sources = ['a', 'b', 'c', 'd'].map(name => watched(name, [`${name}1`, `${name}2`, `${name}3`], log))
    for await (const item of readAhead(sources, {most: 2, capacity: 1})) if (item === 'a1') break
    expect(log.filter(line => /^(open|close)/.test(line)).sort()).toEqual([
      'close a',
      'close b',
      'open a',
      'open b',
    ])
  })

  it('notifies a slow source that the reader has stopped', async () => {
    let asked = 0
    async function* endless(isWanted: () => boolean): AsyncGenerator<string, void> {
      for (; isWanted(); asked++) await Promise.resolve()
      yield await Promise.resolve('too late')
    }
    const failure = new Error('the first is damaged')
    const reading = readAhead([watched('a', ['a1'], [], failure), endless], {most: 2, capacity: 1})
    await expect(all(reading)).rejects.toBe(failure)
    expect(asked).toBeGreaterThan(0)
  })
})
