import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'
import type {ClusterApi} from '../api/cluster-api.js'
import {failureOf} from '../api/cluster-failure.js'
import {heldLease, leaseIn, leaseName} from './lease-object.js'
import type {Lease} from './lease-object.js'

/** The holder of Leases and its timeouts. */
export interface LeaseOptions {
  readonly api: Pick<ClusterApi, 'get' | 'create' | 'update' | 'delete' | 'now'>
  readonly clock: Clock
  /** The name of the Lease: by default that which all commands that change a namespace hold. */
  readonly name?: string
  /** Identifies this run among all: user and host, process ID and a random part. */
  readonly holder: string
  /** The time to wait for another holder, in milliseconds. */
  readonly patience: number
  /** The time that a Lease lasts without renewal, in seconds; 20 by default. */
  readonly duration?: number
  /** Stops the wait. */
  readonly signal?: AbortSignal
  readonly report?: ((waiting: LeaseWaiting) => void) | undefined
}

/** A Lease that another run holds. */
export interface LeaseWaiting {
  readonly namespace: string
  /** Untrusted text. */
  readonly holder: string
}

const MANAGER = 'kubectl-crossplane'
const DURATION = 20
/** Milliseconds between two reads of a Lease that is held. */
const PAUSE = 1000

/**
 * Acquires the Lease of a namespace. One that another run holds is taken over when it was not renewed while this program
 * paused for its duration. As in the leader election of client-go, no clocks are compared: neither that of the holder, who
 * wrote the time of the renewal, nor that of the server, which an administrator can set. Throws `timeout`, naming the holder,
 * and the signal's reason when it is aborted.
 */
export async function acquireLease(namespace: string, options: LeaseOptions): Promise<Lease> {
  const {clock, signal} = options
  const start = clock.elapsed()
  const isHeld = holding()
  let paused = 0
  for (;;) {
    signal?.throwIfAborted()
    const lease = await readLease(namespace, options)
    if (lease?.holder === options.holder) return lease
    if (isHeld(lease, paused)) {
      paused += await waitForHolder(lease, clock.elapsed() - start, options)
    } else {
      const taken = await takeLease(namespace, lease, options)
      if (taken !== undefined) return taken
    }
  }
}

/**
 * Returns a function to call with each Lease that is read, and the milliseconds of all pauses: a Lease has expired once it
 * was the same for its duration. The sum of the pauses is never longer than that was, also if the local clock is set.
 */
function holding(): (lease: Lease | undefined, paused: number) => lease is Lease {
  let version = ''
  let since = 0
  return (lease, paused): lease is Lease => {
    if (lease === undefined || lease.holder === '') return false
    if (lease.resourceVersion !== version) [version, since] = [lease.resourceVersion, paused]
    return paused - since < lease.duration
  }
}

/** Returns the milliseconds of the pause. */
async function waitForHolder(lease: Lease, waited: number, options: LeaseOptions): Promise<number> {
  const {clock, patience, report, signal} = options
  if (waited >= patience) throw stillHeld(lease)
  report?.({namespace: lease.namespace, holder: lease.holder})
  const pause = PAUSE / 2 + clock.random() * PAUSE
  await clock.sleep(pause, signal)
  return pause
}

/** Reads the Lease of a namespace, if it exists. */
export async function readLease(namespace: string, {api, name}: LeaseOptions): Promise<Lease | undefined> {
  const object = await api.get(leaseName(namespace, name))
  return object === undefined ? undefined : leaseIn(object)
}

/** Writes a Lease for this run; undefined if another run was faster. */
export async function takeLease(
  namespace: string,
  previous: Lease | undefined,
  {api, holder, duration = DURATION, name}: LeaseOptions,
): Promise<Lease | undefined> {
  // Readers of the status compare the time with the clock of the server.
  const object = heldLease(namespace, {holder, duration, now: api.now(), ...present({name})}, previous)
  if (previous === undefined) {
    const created = await api.create(object, {manager: MANAGER})
    return created === 'exists' ? undefined : leaseIn(created.object)
  }
  try {
    return leaseIn((await api.update(object, {manager: MANAGER})).object)
  } catch (error) {
    // It changed, or is gone: read it again.
    if ([404, 409].includes(failureOf(error)?.status ?? 0)) return undefined
    throw error
  }
}

function stillHeld({namespace, holder}: Lease): CrossplaneError {
  const message = `cannot change packages in namespace ${quoted(namespace)}: another run holds its Lease: ${quoted(holder)}`
  return new CrossplaneError('timeout', message, {
    suggestions: ['Wait until that run has ended, and run the command again.'],
  })
}
