import {setMaxListeners} from 'node:events'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import type {HealthServer, Served} from '../../reconcile/health-server.js'
import type {Log} from '../../reconcile/log.js'
import type {ControllerMetrics, RequestMetrics} from '../../reconcile/metrics.js'
import {quoted} from '../../text.js'
import type {controllerFlags} from '../flags/controller.js'
import type {FlagValues} from '../flags/flag-values.js'
import {formatLogEntry} from '../output/text/format-log.js'
import {whileWatching} from '../process-events.js'
import {clock, prometheusMetrics, serveHealth} from '../wire.js'
import type {ClusterFlags} from '../ports/cluster.js'
import {holderName, openCluster, type OpenCluster} from '../ports/cluster-ports.js'
import type {Progress} from '../ports/progress.js'

/** What a controller works with. */
export interface ControllerProcess {
  /** Reads and changes the cluster. */
  readonly api: ClusterApi
  readonly clock: Clock
  /** Writes to standard error. */
  readonly log: Log
  readonly metrics: ControllerMetrics
  readonly requestMetrics: RequestMetrics
  /** The namespace of the context; `default` if it has none. */
  readonly namespace: string
  /** The same cluster, for what changes it as the commands do. */
  readonly cluster: OpenCluster
  /**
   * Works until SIGINT or SIGTERM aborts the signal; returns the exit status that stands for it. Serves health and metrics
   * with `--metrics-address`, and with `--leader-elect` waits for the Lease.
   */
  run(options: RunOptions, work: Work): Promise<number>
}

type Work = (signal: AbortSignal) => Promise<void>

interface RunOptions {
  /** The Lease of the leader. */
  readonly lease: {readonly namespace: string; readonly name: string}
  /** Returns why the controller is not ready; undefined if it is. */
  readonly notReady: Served['notReady']
}

type ControllerFlags = ClusterFlags & Omit<FlagValues<typeof controllerFlags>, 'dry-run' | 'output'>

/** Connects to the cluster that `clusterFlags` select, for a controller; sends nothing yet. */
export async function openController(flags: ControllerFlags, version: string): Promise<ControllerProcess> {
  const [cluster, time, metrics] = await Promise.all([
    openCluster(flags, version, SILENT),
    clock(),
    prometheusMetrics(),
  ])
  const {connection, api, interruption} = cluster
  const log: Log = entry => {
    const now = new Date(time.now()).toISOString()
    process.stderr.write(`${formatLogEntry(entry, flags['log-format'], now)}\n`)
  }
  const {namespace} = connection
  return {
    api,
    clock: time,
    log,
    metrics,
    requestMetrics: metrics,
    namespace,
    cluster,
    run: async ({lease, notReady}, work) => {
      const served = {notReady, metrics: () => metrics.text()}
      const server = await serverAt(flags['metrics-address'], served)
      if (server !== undefined) log({level: 'info', message: `serving at ${server.address}`})
      const election = {api, clock: time, log, ...lease}
      return await whileWatching(async signal => {
        signal.addEventListener('abort', () => interruption.abort(stopped()), {once: true})
        if (flags['leader-elect']) await whileLeading(election, work, signal)
        else await work(forWorkers(signal))
      }).finally(() => server?.close())
    },
  }
}

/** What a request fails with that would have been repeated. */
function stopped(): CrossplaneError {
  return new CrossplaneError('terminated', 'the controller is stopped')
}

interface Election {
  readonly api: ClusterApi
  readonly clock: Clock
  readonly log: Log
  readonly namespace: string
  readonly name: string
}

/** Works while this process holds the Lease; throws when it is lost, so that another process can continue. */
async function whileLeading(
  {log, namespace, ...lease}: Election,
  work: Work,
  signal: AbortSignal,
): Promise<void> {
  const {holdLeases} = await import('../../cluster/lease/hold-leases.js')
  const report = ({holder}: {readonly holder: string}) => {
    if (reported !== holder) log({level: 'info', message: `waiting for the Lease of ${quoted(holder)}`})
    reported = holder
  }
  let reported = ''
  const options = {...lease, holder: holderName(), patience: Infinity, signal, report}
  const leases = await holdLeases([namespace], options).catch((error: unknown) => {
    if (signal.aborted) return undefined
    throw withRule(error, namespace)
  })
  if (leases === undefined) return
  log({level: 'info', message: `this process holds the Lease ${lease.name}`})
  await work(forWorkers(AbortSignal.any([signal, leases.lost]))).finally(() => leases.release())
  leases.lost.throwIfAborted()
}

/** Every idle worker listens to the signal, which is more than Node.js expects, and no leak. */
function forWorkers(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}

/** Names the rule that the role of a controller lacks. */
function withRule(error: unknown, namespace: string): unknown {
  if (!(error instanceof CrossplaneError) || error.code !== 'cluster-denied') return error
  const rule =
    '{apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update", "delete"]}'
  return new CrossplaneError(error.code, error.message, {
    cause: error,
    suggestions: [
      `Add this rule to a Role in namespace ${quoted(namespace)}, and bind it to the service account: ${rule}`,
      'Run a single process without --leader-elect, or with --no-leader-elect where that is the default.',
    ],
  })
}

async function serverAt(address: string | undefined, served: Served): Promise<HealthServer | undefined> {
  if (address === undefined) return undefined
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(address) ?? []
  if (port === '') {
    throw new CrossplaneError('usage', `--metrics-address ${quoted(address)} is not an address`, {
      suggestions: ['Write it as [HOST]:PORT, such as 127.0.0.1:8080.'],
    })
  }
  const place = {host: host === '' ? '::' : host.replace(/^\[(.*)\]$/, '$1'), port: Number(port)}
  return await serveHealth(place, served).catch((cause: unknown) => {
    throw new CrossplaneError('usage', `cannot serve at ${quoted(address)}: ${causeOf(cause)}`, {cause})
  })
}

function causeOf(cause: unknown): string {
  const {code} = cause as {readonly code?: string}
  return code === 'EADDRINUSE' ? 'the address is in use' : (code ?? String(cause))
}

const ignore = () => undefined

const SILENT: Progress = {report: ignore, print: ignore, end: ignore, warn: ignore, pulled: ignore}
