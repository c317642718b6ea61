import {randomBytes} from 'node:crypto'
import {hostname, userInfo} from 'node:os'
import {expectsAbsence} from '../../apply/operation-parts.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Connection} from '../../cluster/connection.js'
import type {RevisionAuthor} from '../../cluster/inventory/revisions.js'
import type {Patience} from '../../http/patience.js'
import type {WaitOptions} from '../../observe/readiness/wait.js'
import type {ChangePorts} from '../../pipeline/cluster/cluster-change.js'
import {type ClusterFlags, clusterConnection} from './cluster-connection.js'
import type {changeFlags} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {parseDuration} from '../shell/flags/duration.js'
import type {Progress} from '../shell/progress/step-event.js'
import {reportedConnection} from '../shell/progress/reported-waits.js'
import {waitText} from './wait-text.js'
import {clock} from '../wire.js'
import type {LeaseWaiting} from '../../cluster/lease/acquire-lease.js'
import {escaped, quoted} from '../../text.js'

type WaitFlags = Pick<FlagValues<typeof changeFlags>, 'no-wait' | 'timeout'> & {
  readonly quiet: boolean
  /** How long to wait for the Leases of other runs, in milliseconds; by default, `timeout`. */
  readonly leasePatience?: number
  /** How long to wait until deleted objects are gone, in milliseconds; by default, `timeout`. */
  readonly deletionPatience?: number
}

/** An open cluster. */
export interface OpenCluster {
  readonly connection: Connection
  readonly api: ClusterApi
  /** Aborted when the user interrupts a change: then `api` repeats no failed request. */
  readonly interruption: AbortController
  /** Receives requests, retries and waits. */
  readonly progress: Progress
}

/** The ports of commands that change a cluster, except for reporting, and the signal that interrupts them. */
export type ClusterPorts = Omit<ChangePorts, 'report' | 'reportFile' | 'signal'> &
  Pick<OpenCluster, 'interruption' | 'progress'>

/** How a cluster is waited for. */
interface OpenOptions {
  readonly patience?: Patience
  /** Whether the server may start later, as beside a controller. */
  readonly waitsForServer?: boolean
}

/** Connects to the cluster that the flags select; sends nothing yet. */
export async function openCluster(
  flags: ClusterFlags,
  version: string,
  progress: Progress,
  {patience, waitsForServer = false}: OpenOptions = {},
): Promise<OpenCluster> {
  const [connection, {openClusterApi}, time] = await Promise.all([
    clusterConnection(flags, process.env, patience),
    import('../../cluster/api/open-cluster-api.js'),
    clock(),
  ])
  const interruption = new AbortController()
  const {report} = progress
  const {signal} = interruption
  const api = openClusterApi(reportedConnection(connection, report), {
    clock: time,
    userAgent: `kubectl-crossplane/${version}`,
    attempts: patience?.attempts,
    waitsForServer,
    report: ({done, total}) =>
      report({kind: 'step', name: `Contacting the cluster again: attempt ${done} of ${total} failed`}),
    signal,
  })
  return {connection, api, interruption, progress}
}

/** The ports for executing a change, from the flags of the command. */
export async function changePorts(
  {api, interruption, connection, progress}: OpenCluster,
  flags: WaitFlags,
): Promise<ClusterPorts> {
  const time = await clock()
  const timeout = parseDuration(flags.timeout, '--timeout')
  const [{waitFor}, {holdLeases}] = await Promise.all([
    import('../../apply/wait-for.js'),
    import('../../cluster/lease/hold-leases.js'),
  ])
  return {
    api,
    interruption,
    progress,
    author: () => authorOf(api, connection),
    settle: signal => time.sleep(SETTLED, signal),
    waitsForAll: !flags['no-wait'],
    wait: async (operations, signal) => {
      const report: WaitOptions['report'] = pending =>
        progress.report({kind: 'wait', task: 'objects', name: waitText(pending)})
      const patience = operations.every(expectsAbsence) ? (flags.deletionPatience ?? timeout) : timeout
      await waitFor(operations, {api, clock: time, timeout: patience, signal, report}).finally(() =>
        progress.report({kind: 'wait-end', task: 'objects'}),
      )
    },
    exclusively: async (namespaces, work, signal) => {
      const patience = flags.leasePatience ?? timeout
      const report = flags.quiet ? undefined : leaseNotice(progress.print)
      const options = {api, clock: time, holder: holderName(), patience, signal, report}
      const leases = await holdLeases(namespaces, options)
      try {
        await work(leases.lost)
      } finally {
        await leases.release()
      }
    },
  }
}

/** In milliseconds: as long as API servers themselves wait until a new CRD is known to all of them. */
const SETTLED = 5000

/** The user by the name that the server knows, else that of the kubeconfig. The name is never a reason to stop. */
async function authorOf(api: ClusterApi, {user}: Connection): Promise<RevisionAuthor> {
  const name = (await api.user().catch(() => undefined)) ?? user
  const time = new Date(api.now()).toISOString()
  return {time, ...(name === undefined ? {} : {user: name.slice(0, MAX_USER_LENGTH)})}
}

const MAX_USER_LENGTH = 256

/** Identifies this run to others that wait for it. */
export function holderName(): string {
  return `${userName()}@${hostname()}, process ${process.pid}, ${randomBytes(4).toString('hex')}`
}

/** Returns the name of the user, or the ID of one without an entry in /etc/passwd, as in many containers. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Returns a function that names the holder of a Lease, each holder once. */
function leaseNotice(print: (line: string) => void): (waiting: LeaseWaiting) => void {
  const shown = new Set<string>()
  return ({namespace, holder}) => {
    const line = `Waiting for the Lease of namespace ${escaped(namespace)}, held by ${quoted(holder)}`
    if (!shown.has(line)) print(line)
    shown.add(line)
  }
}
