import {CrossplaneError, openController, reportFailure} from 'kubectl-crossplane/plugin'
import {leaseName} from './run/lease-name.js'
import type {Waits} from './managed/managed-ports.js'
import {DEFAULTS, serviceRunner} from './run/run-services.js'
import type {Service} from './services.js'

/** How services are run. */
export interface RunOptions {
  /** Of the provider; for the user agent of requests. */
  readonly version: string
  /** Default: as kubectl finds it; the service account in a Pod. */
  readonly kubeconfig?: string
  readonly context?: string
  /** `[HOST]:PORT` of health and metrics; absent: none. */
  readonly metricsAddress?: string
  /** Default: text. */
  readonly logFormat?: 'text' | 'json'
  /**
   * Whether to wait for the ConfigMap and the Lease of the leader, so that one of several processes makes changes; default: true.
   * Roles of packages have no rights on Leases: the ConfigMap is enough.
   */
  readonly leaderElect?: boolean
  /** The namespace of both; default: that of the context or Pod. */
  readonly leaseNamespace?: string
  /** The longest times between passes, in milliseconds; default: 30 s and 60 s. */
  readonly waits?: Waits
  /** The time limit of a call to the external system, in milliseconds; default: 60 s. */
  readonly callLimit?: number
  /** The number of objects of a kind that are worked on at a time; default: 8. */
  readonly workers?: number
}

/**
 * Runs services until SIGINT or SIGTERM; returns the exit status of the process. What the user can fix, such as a missing
 * kubeconfig or CRD, is reported on standard error as the commands report it.
 */
export async function runServices(services: readonly Service[], options: RunOptions): Promise<number> {
  try {
    return await run(services, options)
  } catch (error) {
    // Anything else is an error of the provider, whose stack helps its author.
    if (!(error instanceof CrossplaneError)) throw error
    return await reportFailure(error, clusterWords(options))
  }
}

/** What suggested commands need to reach the same cluster. */
function clusterWords({kubeconfig, context}: RunOptions): readonly string[] {
  return Object.entries({kubeconfig, context}).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  )
}

async function run(services: readonly Service[], options: RunOptions): Promise<number> {
  const {version, kubeconfig, context, metricsAddress, logFormat = 'text', leaderElect = true} = options
  const process = await openController(
    {
      'log-format': logFormat,
      'leader-elect': leaderElect,
      ...(kubeconfig === undefined ? {} : {kubeconfig}),
      ...(context === undefined ? {} : {context}),
      ...(metricsAddress === undefined ? {} : {'metrics-address': metricsAddress}),
    },
    version,
  )
  const {waits = DEFAULTS.waits, callLimit = DEFAULTS.callLimit, workers = DEFAULTS.workers} = options
  const runner = serviceRunner({process, services, waits, callLimit, workers})
  const lease = {
    namespace: options.leaseNamespace ?? process.namespace,
    name: leaseName(services),
    inConfigMap: true,
    optOut: 'with leaderElect: false in its options',
  }
  const notReady = () => runner.notReady()
  return await process.run({lease, notReady, memory: 'few-objects'}, signal => runner.run(signal))
}
