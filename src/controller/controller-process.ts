import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CrossplaneError} from '../errors.js'
import type {Clock} from '../http/clock.js'
import type {HealthServer, Served} from '../reconcile/health-server.js'
import type {Log, LogEntry} from '../reconcile/log.js'
import type {ControllerMetrics, Metrics, RequestMetrics} from '../reconcile/metrics.js'
import {quoted} from '../text.js'
import type {controllerFlags, LOG_FORMATS} from './controller-flags.js'
import type {FlagValues} from '../cli/shell/flags/flag-values.js'
import {whileWatching} from '../cli/shell/process-events.js'
import {clock, limitHeap, prometheusMetrics, serveHealth} from '../cli/wire.js'
import type {ClusterFlags} from '../cli/cluster/cluster-connection.js'
import {openCluster, type OpenCluster} from '../cli/cluster/cluster-ports.js'
import type {Progress} from '../cli/shell/progress/step-event.js'
import {forWorkers, type LeaderLease, whileLeading, type Work} from './while-leading.js'
import {plainText} from '../cli/shell/text/plain-text.js'

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

interface RunOptions {
  /** The Lease of the leader. */
  readonly lease: LeaderLease
  /** Returns why the controller is not ready; undefined if it is. */
  readonly notReady: Served['notReady']
  /** How the process runs with less memory; absent: as V8 does it. */
  readonly memory?: Parameters<typeof limitHeap>[0]
}

type ControllerFlags = ClusterFlags & Omit<FlagValues<typeof controllerFlags>, 'dry-run' | 'output'>

/** Connects to the cluster that `clusterFlags` select, for a controller; sends nothing yet. */
export async function openController(flags: ControllerFlags, version: string): Promise<ControllerProcess> {
  const [cluster, time, metrics] = await Promise.all([
    openCluster(flags, version, SILENT, {waitsForServer: true}),
    clock(),
    flags['metrics-address'] === undefined ? UNSERVED : prometheusMetrics(),
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
    run: async ({lease, notReady, memory}, work) => {
      if (memory !== undefined) await limitHeap(memory)
      const served = {notReady, metrics: () => metrics.text()}
      const server = await serverAt(flags['metrics-address'], served)
      if (server !== undefined) log({level: 'info', message: `serving at ${server.address}`})
      const election = {api, clock: time, log, ...lease}
      try {
        return await whileWatching(async signal => {
          signal.addEventListener('abort', () => interruption.abort(stopped()), {once: true})
          if (flags['leader-elect']) await whileLeading(election, work, signal)
          else await work(forWorkers(signal))
        })
      } finally {
        await server?.close()
      }
    },
  }
}

/** What a request fails with that would have been repeated. */
function stopped(): CrossplaneError {
  return new CrossplaneError('terminated', 'the controller is stopped')
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

/** Metrics that are not served: those of Prometheus measure the process a hundred times in a second. */
const UNSERVED: Metrics = {
  reconciled: ignore,
  queued: ignore,
  requests: ignore,
  text: () => Promise.resolve({type: 'text/plain', text: ''}),
}

/** Formats an entry of a log as one line. `time` is in the format of Kubernetes. */
function formatLogEntry(
  {level, message, fields = {}}: LogEntry,
  format: (typeof LOG_FORMATS)[number],
  time: string,
): string {
  if (format === 'json') return JSON.stringify({time, level, message, ...fields})
  const parts = Object.entries(fields).map(([key, value]) => ` ${key}=${plainText(String(value))}`)
  return `${time} ${level.toUpperCase()} ${plainText(message)}${parts.join('')}`
}
