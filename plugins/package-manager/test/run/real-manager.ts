import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted, until} from '../../../../test/cluster/kube.js'
import {openClusterWith, realClock} from '../../../../test/cluster/open-api.js'
import {runCli} from '../../../../test/run-cli.js'
import {
  asObject,
  asObjects,
  asText,
  type JsonObject,
  type JsonValue,
  isJsonObject,
  type LogEntry,
  packageInstaller,
  readYaml,
} from 'kubectl-crossplane/plugin'
import {managerObjects} from '../../src/manifests/manager-objects.js'
import type {Manager} from '../../src/run/pass-ports-of.js'
import {requestManager} from '../../src/run/run-manager.js'

/** A manager in this process, with the rights of a token. */
export interface RealManager {
  readonly log: readonly LogEntry[]
  /** The number of passes that it has completed. */
  passes(): number
  notReady(): string | undefined
  stop(): Promise<void>
}

const FLAGS = {
  'crossplane-version': 'v0.12',
  'solve-timeout': '30s',
  'no-cache': true,
  offline: false,
  'insecure-skip-tls-verify': false,
  'plain-http': false,
  'allow-core-permissions': false,
  'allow-full-deployment': false,
}

/**
 * Prepares a cluster for a manager: the namespaces, the kinds of the package API, and the service account that
 * `manager manifests` prints, with nothing more. Returns its token.
 */
export async function managedCluster(
  cluster: TestCluster,
  packages: string,
  namespaces: readonly string[],
): Promise<string> {
  const {kube} = cluster
  for (const name of namespaces)
    accepted(await kube.apply({apiVersion: 'v1', kind: 'Namespace', metadata: {name}}, {force: true}))
  await applyBase(cluster, packages, 'packages')
  await createAccount(cluster)
  return await managerToken(cluster)
}

/** Creates the kinds of the package API of an era, and waits until they are served. */
export async function applyBase(
  {kube}: TestCluster,
  packages: string,
  era: 'packages' | 'stacks',
): Promise<void> {
  const {stdout} = await runCli(
    ...[
      'package',
      'render',
      'example/queue:v1.0.0',
      '--packages',
      packages,
      '--with-package-api',
      '--no-dependencies',
    ],
    ...['--api', era],
  )
  for (const {value} of readYaml(Buffer.from(stdout), 'base')) {
    const object = asObject(value)
    const isBase = asText(asObject(object.metadata).name).endsWith(`.${era}.crossplane.io`)
    if (object.kind === 'CustomResourceDefinition' && isBase)
      accepted(await kube.apply(object, {force: true}))
  }
  await until(
    () => kube.send('GET', `/apis/${era}.crossplane.io/v1alpha1/${era}`),
    ({code}) => code === 200,
    20,
  )
}

/** Creates the service account that `manager manifests` prints, and nothing more. */
async function createAccount({kube}: TestCluster): Promise<void> {
  const objects = managerObjects({image: 'example.org/x:v1', namespace: 'crossplane-system', flags: []})
  for (const object of objects)
    if (!PROCESS.includes(object.kind)) accepted(await kube.apply(object, {force: true}))
}

/** Requests a token of the service account. */
export async function managerToken({kube}: TestCluster, spec: JsonObject = {}): Promise<string> {
  const path = '/api/v1/namespaces/crossplane-system/serviceaccounts/kubectl-crossplane-manager/token'
  const request = {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec}
  return asText(asObject(accepted(await kube.send('POST', path, request)).status).token)
}

/** The process of a suite takes the place of its Pods. */
const PROCESS = ['Deployment', 'PodDisruptionBudget']

/** The folder of the packages of a manager, or its indexes. */
export type ManagerPackages = string | {readonly index: readonly string[]}

/** Opens what a manager works with. */
export async function openManager(
  cluster: TestCluster,
  token: string,
  packages: ManagerPackages,
  reconciled: () => void = () => undefined,
): Promise<{readonly manager: Manager; readonly log: readonly LogEntry[]}> {
  const log: LogEntry[] = []
  const opened = openClusterWith(cluster, token)
  const metrics = {reconciled, queued: () => undefined}
  const requestMetrics = {requests: () => undefined}
  const process = {
    api: opened.api,
    clock: realClock,
    log: (entry: LogEntry) => log.push(entry),
    metrics,
    requestMetrics,
  }
  const places = typeof packages === 'string' ? {packages} : packages
  const flags = {...FLAGS, ...places} as unknown as Parameters<typeof packageInstaller>[0]
  const installer = await packageInstaller(flags, opened, 'v0.0.0')
  return {log, manager: {process, installer, systemNamespace: 'crossplane-system'}}
}

/** Starts a manager. */
export async function startManager(
  cluster: TestCluster,
  token: string,
  packages: ManagerPackages,
): Promise<RealManager> {
  const stop = new AbortController()
  let passes = 0
  const {manager: parts, log} = await openManager(cluster, token, packages, () => passes++)
  const manager = requestManager(parts)
  const ended = manager.run(stop.signal)
  return {
    log,
    passes: () => passes,
    notReady: () => manager.notReady(),
    stop: async () => {
      stop.abort()
      await ended
    },
  }
}

/** A condition of a request as `STATUS REASON MESSAGE`. */
export function conditionIn(object: JsonObject, type: 'Ready' | 'Synced'): string {
  const conditions = asObjects(asObject(asObject(object.status).conditionedStatus).conditions)
  const {status = '', reason = '', message = ''} = conditions.find(each => each.type === type) ?? {}
  return [status, reason, message].map(asText).join(' ').trim()
}

/** Reports whether a live value has everything of a rendered one; lists are compared by their elements. */
export function contains(live: JsonValue | undefined, rendered: JsonValue): boolean {
  if (Array.isArray(rendered)) {
    return (
      Array.isArray(live) &&
      rendered.length === live.length &&
      rendered.every((each, at) => contains(live[at] as JsonValue, each as JsonValue))
    )
  }
  if (!isJsonObject(rendered)) return live === rendered
  return Object.entries(rendered).every(([key, value]) => contains(asObject(live)[key], value))
}
