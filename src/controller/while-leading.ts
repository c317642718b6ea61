import {setMaxListeners} from 'node:events'
import type {ClusterApi} from '../cluster/api/cluster-api.js'
import type {HeldLeases} from '../cluster/lease/hold-leases.js'
import {CrossplaneError} from '../errors.js'
import type {Clock} from '../http/clock.js'
import type {Log} from '../reconcile/log.js'
import {quoted} from '../text.js'
import {holderName} from '../cli/cluster/cluster-ports.js'

/** What a controller does until its signal is aborted. */
export type Work = (signal: AbortSignal) => Promise<void>

/** The Lease of the leader among several processes of a controller. */
export interface LeaderLease {
  readonly namespace: string
  readonly name: string
  /** Whether a ConfigMap of this name is held too, and without rights on Leases alone. */
  readonly inConfigMap?: boolean
  /** How a user runs a process without it. */
  readonly optOut: string
}

interface Election extends LeaderLease {
  readonly api: ClusterApi
  readonly clock: Clock
  readonly log: Log
}

/** Works while this process is the leader; throws when it no longer is, so that another process can continue. */
export async function whileLeading(election: Election, work: Work, signal: AbortSignal): Promise<void> {
  const leases: HeldLeases[] = []
  try {
    if (!(await becomeLeader(election, signal, leases))) return
    await work(forWorkers(leading(signal, leases)))
  } catch (error) {
    // A process that cannot reach the server loses its Lease, and its other requests fail for the same reason.
    throwIfLost(leases)
    throw error
  } finally {
    await Promise.all(leases.map(lease => lease.release()))
  }
  throwIfLost(leases)
}

function throwIfLost(leases: readonly HeldLeases[]): void {
  for (const {lost} of leases) lost.throwIfAborted()
}

function leading(signal: AbortSignal, leases: readonly HeldLeases[]): AbortSignal {
  return AbortSignal.any([signal, ...leases.map(({lost}) => lost)])
}

/** Adds what it acquires to `leases`; returns false if the signal was aborted before it is the leader. */
async function becomeLeader(election: Election, signal: AbortSignal, leases: HeldLeases[]): Promise<boolean> {
  try {
    if (election.inConfigMap === true) leases.push(await heldAs('ConfigMap', election, signal))
    leases.push(await heldAs('Lease', election, leading(signal, leases)))
    return true
  } catch (error) {
    if (signal.aborted) return false
    if (leases.length === 0 || !isDenied(error)) throw error
    const message = `this process has no rights on Leases: the ConfigMap ${election.name} is enough`
    election.log({level: 'info', message})
    return true
  }
}

/** Waits for the Lease, or the ConfigMap in its place. */
async function heldAs(
  kind: 'Lease' | 'ConfigMap',
  {api, log, namespace, ...election}: Election,
  signal: AbortSignal,
): Promise<HeldLeases> {
  const [{holdLeases}, {configMapLeases}] = await Promise.all([
    import('../cluster/lease/hold-leases.js'),
    import('../cluster/lease/config-map-lease.js'),
  ])
  let reported = ''
  const report = ({holder}: {readonly holder: string}) => {
    if (reported !== holder) log({level: 'info', message: `waiting for the ${kind} of ${quoted(holder)}`})
    reported = holder
  }
  const own = kind === 'Lease' ? api : configMapLeases(api)
  const options = {...election, api: own, holder: holderName(), patience: Infinity, signal, report}
  const leases = await holdLeases([namespace], options).catch((error: unknown) => {
    throw isDenied(error) ? withRule(error, kind, {namespace, optOut: election.optOut}) : error
  })
  log({level: 'info', message: `this process holds the ${kind} ${election.name}`})
  return leases
}

function isDenied(error: unknown): error is CrossplaneError {
  return error instanceof CrossplaneError && error.code === 'cluster-denied'
}

/** Allows every idle worker to listen to the signal, which is more than Node.js expects, and no leak. */
export function forWorkers(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}

const RULES = {
  Lease:
    '{apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update", "delete"]}',
  ConfigMap: '{apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create", "update", "delete"]}',
}

/** Names the rule that the role of a controller lacks. */
function withRule(
  error: CrossplaneError,
  kind: keyof typeof RULES,
  {namespace, optOut}: Pick<LeaderLease, 'namespace' | 'optOut'>,
): CrossplaneError {
  return new CrossplaneError(error.code, error.message, {
    cause: error,
    suggestions: [
      `Add this rule to a Role in namespace ${quoted(namespace)}, and bind it to the service account: ${RULES[kind]}`,
      `Run a single process, ${optOut}.`,
    ],
  })
}
