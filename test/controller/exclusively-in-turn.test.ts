import {describe, expect, it} from '@jest/globals'
import {exclusivelyInTurn} from '../../src/controller/exclusively-in-turn.js'

/** Leases, of which some are held by others until `give` is called. */
function leases(foreign: readonly string[]) {
  const log: string[] = []
  let give = () => {}
  const gate = new Promise<void>(resolve => (give = resolve))
  const held = new Set<string>()
  const exclusively = exclusivelyInTurn(async (namespaces, work) => {
    if (namespaces.some(each => foreign.includes(each))) await gate
    for (const each of namespaces) {
      if (held.has(each)) throw new Error(`this process holds the Lease of ${each}`)
      held.add(each)
    }
    await work(new AbortController().signal).finally(() => {
      for (const each of namespaces) held.delete(each)
    })
  })
  const change = async (
    name: string,
    namespaces: readonly string[],
    signal = new AbortController().signal,
  ) => {
    await exclusively(
      namespaces,
      async () => {
        log.push(`${name} begins`)
        await new Promise(setImmediate)
        log.push(`${name} ends`)
      },
      signal,
    )
  }
  return {log, change, give: () => give()}
}

describe('changes of one process', () => {
  it('are made one after another, also in namespaces that cross, in their order', async () => {
    const {log, change} = leases([])
    await Promise.all([change('one', ['a', 'b']), change('two', ['b', 'a']), change('three', ['c'])])
    const names = ['one', 'two', 'three']
    expect([...log].sort()).toEqual(names.flatMap(name => [`${name} begins`, `${name} ends`]).sort())
    for (const name of names) expect(log[log.indexOf(`${name} begins`) + 1]).toBe(`${name} ends`)
    expect(log.indexOf('one begins')).toBeLessThan(log.indexOf('two begins'))
  })

  it('do not wait for those that wait for a Lease in other namespaces', async () => {
    const {log, change, give} = leases(['tenant'])
    const waiting = [change('tenant', ['tenant']), change('second of tenant', ['tenant'])]
    await change('other', ['system'])
    expect(log).toEqual(['other begins', 'other ends'])
    give()
    await Promise.all(waiting)
    expect(log.slice(2)).toEqual([
      ...['tenant begins', 'tenant ends', 'second of tenant begins', 'second of tenant ends'],
    ])
  })

  it('continue after one that failed, and make none of those that are interrupted', async () => {
    const {log, change, give} = leases(['tenant'])
    const stop = new AbortController()
    const interrupted = change('interrupted', ['tenant'], stop.signal)
    stop.abort(new Error('stopped'))
    give()
    await expect(interrupted).rejects.toThrow('stopped')
    await change('next', ['tenant'])
    expect(log).toEqual(['next begins', 'next ends'])
  })
})
