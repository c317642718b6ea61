import {
  type ControllerProcess,
  ERAS,
  type KubernetesObject,
  nameOf,
  type PackageInstaller,
  POLICY_MAP,
  requestKinds,
  timeText,
} from 'kubectl-crossplane/plugin'
import type {ChangesSince} from './joint-state.js'
import {managerPolicy} from './manager-policy.js'
import type {PassPorts} from './pass-ports.js'
import {rethrowOfApply} from './problem.js'
import {requestWrites} from './request-writes.js'
import {recordsByHand} from './written-records.js'

/** The parts of a manager that do not change. */
export interface Manager {
  readonly process: Pick<ControllerProcess, 'api' | 'clock' | 'log' | 'metrics' | 'requestMetrics'>
  readonly installer: PackageInstaller
  readonly systemNamespace: string
}

/** The ports of passes. @param others - has other requests looked at, and knows what changes meanwhile. */
export function passPorts(
  {process, installer, systemNamespace}: Manager,
  signal: AbortSignal,
  others: Pick<PassPorts, 'wake' | 'waits' | keyof ChangesSince>,
): PassPorts {
  const {api, clock} = process
  const policyMap = {apiVersion: 'v1', kind: 'ConfigMap', namespace: systemNamespace, name: POLICY_MAP}
  return {
    installer,
    systemNamespace,
    ...others,
    written: new Map(),
    joint: new Map(),
    isStopping: () => signal.aborted,
    policy: async () => managerPolicy(await api.get(policyMap)),
    writes: requestWrites(process),
    read: async object => await api.get(nameOf(object)),
    requests: async () => await listRequests(process),
    apply: async (change, gate) => {
      await change.apply(signal, gate).catch(rethrowOfApply)
    },
    now: () => timeText(clock.now()),
  }
}

/** Lists the records that users wrote in place of requests, as far as their kinds are served. */
export async function listWrittenRecords(
  {api}: Pick<ControllerProcess, 'api'>,
  requests: readonly KubernetesObject[],
): Promise<readonly KubernetesObject[]> {
  const records: KubernetesObject[] = []
  for (const {apiVersion, kinds} of Object.values(ERAS)) {
    for await (const record of api.list({apiVersion, kind: kinds.record})) records.push(record)
  }
  return recordsByHand(records, requests)
}

/** Why there are no requests. */
export const NOT_SERVED = 'the cluster serves no kind of request'

/** Returns the kinds of requests that a cluster serves. */
export async function servedKinds(
  api: Pick<ControllerProcess['api'], 'discover' | 'resource'>,
): Promise<ReturnType<typeof requestKinds>> {
  await api.discover(true)
  const kinds = requestKinds()
  const resources = await Promise.all(kinds.map(async kind => await api.resource(kind)))
  return kinds.filter((_, index) => resources[index] !== undefined)
}

/** Lists the requests of both eras, as far as their kinds are served. */
export async function listRequests({
  api,
}: Pick<ControllerProcess, 'api'>): Promise<readonly KubernetesObject[]> {
  const requests: KubernetesObject[] = []
  for (const kind of requestKinds()) {
    for await (const request of api.list(kind)) requests.push(request)
  }
  return requests
}
