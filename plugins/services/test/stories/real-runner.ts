import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {busyHttp} from '../../../../test/cluster/busy-http.js'
import {mortalApi} from '../../../../test/cluster/mortal-api.js'
import {openApiWith, realClock} from '../../../../test/cluster/open-api.js'
import type {ClusterApi, LogEntry} from 'kubectl-crossplane/plugin'
import {type ServiceRunner, serviceRunner} from '../../src/run/run-services.js'
import type {Service} from '../../src/services.js'

/** A runner in this process. */
export interface RealRunner {
  readonly log: readonly LogEntry[]
  notReady(): string | undefined
  stop(): Promise<void>
  /** Settles when it has ended. */
  readonly ended: Promise<void>
}

/** Short, so that stories do not take long. */
const WAITS = {short: 1000, long: 2000}

interface RunnerOptions {
  readonly token?: string
  readonly maxWrites?: number
  /** The API server is busy; receives the codes with which it rejects requests. */
  readonly busy?: (code: number) => void
  /** Changes the client. */
  readonly api?: (api: ClusterApi) => ClusterApi
}

/** Starts the controllers of some services; after `maxWrites` writes they end as a process that is killed. */
export function startRunner(
  cluster: TestCluster,
  services: readonly Service[],
  {token = cluster.tokens.admin, maxWrites = Infinity, busy, api = same => same}: RunnerOptions = {},
): RealRunner {
  const stop = new AbortController()
  const log: LogEntry[] = []
  const http = busy === undefined ? undefined : (each: Parameters<typeof busyHttp>[0]) => busyHttp(each, busy)
  const process = {
    api: api(mortalApi(openApiWith(cluster, token, http), maxWrites, stop)),
    clock: realClock,
    log: (entry: LogEntry) => log.push(entry),
    metrics: {reconciled: () => undefined, queued: () => undefined},
  }
  const runner = serviceRunner({process, services, waits: WAITS, callLimit: 10_000, workers: 8})
  const ended = runner.run(stop.signal)
  return {
    log,
    notReady: () => runner.notReady(),
    ended,
    stop: async () => {
      stop.abort()
      await ended
    },
  }
}

/** The parts of a runner, for single passes. */
export function runnerOf(cluster: TestCluster, services: readonly Service[]): ServiceRunner {
  const metrics = {reconciled: () => undefined, queued: () => undefined}
  const api = openApiWith(cluster, cluster.tokens.admin)
  const process = {api, clock: realClock, log: () => undefined, metrics}
  return {process, services, waits: WAITS, callLimit: 10_000, workers: 8}
}
