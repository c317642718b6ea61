import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {acquireLease, readLease, takeLease} from './acquire-lease.js'
import type {LeaseOptions} from './acquire-lease.js'
import {leaseName} from './lease-object.js'
import type {Lease} from './lease-object.js'

/** Leases that are renewed until they are released. */
export interface HeldLeases {
  /** Aborted, with a `CrossplaneError`, when a Lease is lost: no further change may be made. */
  readonly lost: AbortSignal
  /** Deletes the Leases that this run still holds. A failure is ignored: they expire. A second call changes nothing. */
  release(): Promise<void>
}

/**
 * The parts of the duration after which a Lease is renewed, and after which it counts as lost, before others take it.
 */
const RENEW_AFTER = 1 / 4
const LOST_AFTER = 3 / 4

/** Acquires the Leases of namespaces in the order of their names. Releases all if one fails. */
export async function holdLeases(namespaces: readonly string[], options: LeaseOptions): Promise<HeldLeases> {
  const lost = new AbortController()
  const keepers: Keeper[] = []
  const release = async () => {
    await Promise.all(keepers.splice(0).map(keeper => keeper.release()))
  }
  try {
    for (const namespace of [...new Set(namespaces)].sort()) {
      const lease = await acquireLease(namespace, options)
      keepers.push(keepLease(lease, options, lost))
    }
  } catch (error) {
    await release()
    throw error
  }
  return {lost: lost.signal, release}
}

interface Keeper {
  release(): Promise<void>
}

function keepLease(first: Lease, options: LeaseOptions, lost: AbortController): Keeper {
  const stop = new AbortController()
  const state = {lease: first, renewed: options.clock.elapsed()}
  const end = (isOurs: boolean, reason: unknown) => {
    if (!isOurs) lost.abort(reason)
    return isOurs
  }
  const ended = renewUntil(stop.signal, state, options).then(
    isOurs => end(isOurs, lostError(first.namespace)),
    (error: unknown) => end(false, error),
  )
  return {
    async release() {
      stop.abort()
      if (await ended) await deleteLease(state.lease, options)
    },
  }
}

interface KeptLease {
  lease: Lease
  /** When it was last written, before the request. */
  renewed: number
}

/** Renews a Lease until the signal is aborted, which returns true, or until it is lost, which returns false. */
async function renewUntil(stop: AbortSignal, state: KeptLease, options: LeaseOptions): Promise<boolean> {
  const {clock} = options
  const {duration} = state.lease
  for (;;) {
    await clock.sleep(duration * RENEW_AFTER, stop)
    if (stop.aborted) return true
    const now = clock.elapsed()
    const left = state.renewed + duration * LOST_AFTER - now
    const inTime = new AbortController()
    const late = clock.sleep(Math.max(0, left), inTime.signal).then(() => 'late' as const)
    const renewed = await Promise.race([renew(state.lease, options), late])
    inTime.abort()
    if (renewed === 'lost' || renewed === 'late') return false
    // A failed renewal does not lose the Lease yet: the next round tries again until it expires.
    if (renewed !== 'failed') Object.assign(state, {lease: renewed, renewed: now})
    else if (clock.elapsed() - state.renewed >= duration * LOST_AFTER) return false
  }
}

async function renew(lease: Lease, options: LeaseOptions): Promise<Lease | 'lost' | 'failed'> {
  try {
    const taken = await takeLease(lease.namespace, lease, options)
    if (taken !== undefined) return taken
    // The response to an earlier renewal may have been lost.
    const current = await readLease(lease.namespace, options)
    return current?.holder === options.holder ? current : 'lost'
  } catch (error) {
    if (error instanceof CrossplaneError) return 'failed'
    throw error
  }
}

async function deleteLease(
  {namespace, uid, resourceVersion}: Lease,
  {api, name}: LeaseOptions,
): Promise<void> {
  try {
    await api.delete(leaseName(namespace, name), {uid, resourceVersion})
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
  }
}

function lostError(namespace: string): CrossplaneError {
  const message = `cannot continue: the Lease of namespace ${quoted(namespace)} was lost`
  return new CrossplaneError('cluster-failed', message, {suggestions: ['Run the command again.']})
}
