import {expect, it} from '@jest/globals'
import {holdLeases} from '../../../src/cluster/lease/hold-leases.js'
import type {Clock} from '../../../src/http/clock.js'
import {leaseServer} from './lease-server.js'

const HOUR = 60 * 60 * 1000
const NOW = Date.parse('2026-06-01T12:00:00Z')
const SECONDS = 1000

/** A clock that moves to the end of the next pause once nothing else is left to do, and is set by `jump` with each. */
function jumpingClock(jump: number): Clock {
  let [time, ahead] = [0, 0]
  const pauses = new Map<() => void, number>()
  const moveOn = () => {
    const [next] = [...pauses].sort(([, a], [, b]) => a - b)
    if (next === undefined) return
    const [end, at] = next
    ;[time, ahead] = [at, ahead + jump]
    end()
  }
  return {
    now: () => NOW + time + ahead,
    elapsed: () => time,
    sleep: (milliseconds, signal) =>
      new Promise(resolve => {
        const end = () => {
          pauses.delete(end)
          resolve()
        }
        pauses.set(end, time + milliseconds)
        signal?.addEventListener('abort', end, {once: true})
        setImmediate(moveOn)
      }),
    random: () => 0.5,
  }
}

/** Holds a Lease of 20 seconds that can be renewed some times; returns when it was lost, in milliseconds. */
async function lostAfter(jump: number, renewals: number): Promise<number> {
  const clock = jumpingClock(jump)
  const api = leaseServer(renewals, NOW)
  const {lost} = await holdLeases(['team'], {api, clock, holder: 'first', patience: 0})
  await new Promise(resolve => lost.addEventListener('abort', resolve))
  return clock.elapsed()
}

it.each([
  {name: 'stands still', jump: 0},
  {name: 'is set forward', jump: HOUR},
  {name: 'is set back', jump: -HOUR},
])(
  'a Lease is renewed, and lost 15 seconds after the last time, if the local clock $name',
  async ({jump}) => {
    // Renewed every 5 seconds; a failed renewal is repeated 5 seconds later.
    expect([await lostAfter(jump, 0), await lostAfter(jump, 3)]).toEqual([15 * SECONDS, 30 * SECONDS])
  },
)
