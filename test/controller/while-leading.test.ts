import {expect, it} from '@jest/globals'
import {type LeaderLease, whileLeading, type Work} from '../../src/controller/while-leading.js'
// It is loaded when it is first needed, which jest cannot do for two modules at a time.
import '../../src/cluster/lease/config-map-lease.js'
import '../../src/cluster/lease/hold-leases.js'
import type {ClusterApi} from '../../src/cluster/api/cluster-api.js'
import type {Clock} from '../../src/http/clock.js'
import {leaseServer, UNREACHABLE} from '../cluster/lease/lease-server.js'

const LEASE: LeaderLease = {namespace: 'system', name: 'leader', optOut: 'without --leader-elect'}

/** A clock whose pauses end at once, as long as they may. */
function fastClock(): Clock {
  let time = 0
  return {
    now: () => time,
    elapsed: () => time,
    sleep: async (milliseconds, signal) => {
      await new Promise(resolve => {
        setImmediate(resolve)
      })
      if (signal?.aborted !== true) time += milliseconds
    },
    random: () => 0.5,
  }
}

/** Works as the leader, with a server that accepts so many renewals before it is away. */
async function lead(renewals: number, work: Work): Promise<void> {
  const api = leaseServer(renewals, 0)
  const election = {...LEASE, api: api as ClusterApi, clock: fastClock(), log: () => undefined}
  await whileLeading(election, work, new AbortController().signal)
}

const failing: Work = async signal => {
  await new Promise(resolve => signal.addEventListener('abort', resolve))
  throw UNREACHABLE
}

it('names the lost Lease, and not the requests that failed with it', async () => {
  await expect(lead(1, failing)).rejects.toThrow('the Lease of namespace "system" was lost')
})

it('throws what its work throws while it is the leader', async () => {
  await expect(lead(Infinity, () => Promise.reject(UNREACHABLE))).rejects.toBe(UNREACHABLE)
})

it('throws for a lost Lease also if the work ends without an error', async () => {
  const stopping: Work = signal => new Promise(resolve => signal.addEventListener('abort', () => resolve()))
  await expect(lead(1, stopping)).rejects.toThrow('was lost')
})
