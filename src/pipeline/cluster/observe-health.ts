import {CONCURRENCY} from '../../apply/observe-cluster.js'
import {runningManager} from '../../apply/running-managers.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {isHeld, leaseName} from '../../cluster/lease/lease-object.js'
import {deploymentFailure, type DeploymentParts} from '../../cluster/readiness/deployment-failure.js'
import {readParts} from '../../cluster/readiness/explain.js'
import {readinessOf} from '../../cluster/readiness/readiness.js'
import type {LockedPackage} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import {isOfKind, recordedKinds} from '../../health/check-crds.js'
import {expectedObjects, listExpected} from '../../health/expected-objects.js'
import type {ControllerParts, HealthSnapshot} from '../../health/health-snapshot.js'
import {observedObject, type ObservedObject} from '../../health/observed-object.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {mapConcurrent} from '../../registry/map-concurrent.js'
import {type EraName, ERAS} from '../../render/era.js'
import type {KubernetesObject} from '../../unpack/kubernetes-object.js'
import {asObject, asObjects} from '../../yaml/json-value.js'
import {DeniedReads, ifAllowed} from './denied-reads.js'
import type {FoundInstall} from './find-installs.js'

/** What several installs have in common, read at most once. */
export interface SharedReads {
  readonly api: ClusterApi
  /** All CRDs of the cluster. */
  readonly crds: () => Promise<readonly ObservedObject[]>
  /** Whether an original package manager of an era runs. */
  readonly isManaged: (era: EraName) => Promise<boolean>
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly lock?: readonly LockedPackage[]
}

/** Shares reads between the installs of one look at a cluster. */
export function sharedReads(api: ClusterApi, {now, lock}: Pick<SharedReads, 'now' | 'lock'>): SharedReads {
  let crds: Promise<readonly ObservedObject[]> | undefined
  const managers = new Map<EraName, Promise<boolean>>()
  return {
    api,
    now,
    ...(lock === undefined ? {} : {lock}),
    crds: () => (crds ??= listCrds(api)),
    isManaged: era => {
      const known = managers.get(era) ?? runningManager(ERAS[era], api).then(found => found !== undefined)
      managers.set(era, known)
      return known
    },
  }
}

const CRD = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}

async function listCrds(api: ClusterApi): Promise<readonly ObservedObject[]> {
  const crds: ObservedObject[] = []
  // Schemas are large: each is dropped when it is read.
  for await (const crd of api.list(CRD)) crds.push(observedObject(crd))
  return crds
}

/** Reads all that judging the health of an install takes; changes nothing. Throws what the API throws but for denials. */
export async function observeHealth(found: FoundInstall, shared: SharedReads): Promise<HealthSnapshot> {
  const {api, now, lock} = shared
  const reads = new DeniedReads()
  const {namespace, name, era, inventory, unreadable, request} = found
  const record = found.record ?? (await readRecord(found, api, reads))
  const [crds, live, context] = await Promise.all([
    readCrds(found, record, shared, reads),
    readLive(namesOf(found, record), api, reads),
    readContext(found, record, shared, reads),
  ])
  const parts = await readControllers(record, live, api, reads)
  return {
    install: {namespace, name},
    era,
    now,
    crds,
    live,
    parts,
    ...context,
    ...(inventory === undefined ? {} : {inventory}),
    ...(unreadable === undefined
      ? {}
      : {unreadable: {configMap: unreadable.configMap, message: unreadable.message}}),
    ...(request === undefined ? {} : {request}),
    ...(record === undefined ? {} : {record}),
    ...(lock === undefined ? {} : {lock}),
    denials: reads.denials,
  }
}

function recordName({namespace, name, era}: FoundInstall): ObjectName {
  const {apiVersion, kinds} = ERAS[era]
  return {apiVersion, kind: kinds.record, namespace, name}
}

async function readRecord(
  found: FoundInstall,
  api: ClusterApi,
  reads: DeniedReads,
): Promise<KubernetesObject | undefined> {
  return await reads.attempt('record', () => api.get(recordName(found)))
}

/** What else decides: whether a program is at work on the install. */
async function readContext(
  found: FoundInstall,
  record: KubernetesObject | undefined,
  {api, isManaged, now}: SharedReads,
  reads: DeniedReads,
): Promise<Pick<HealthSnapshot, 'isBeingChanged' | 'namespace' | 'servesRecords' | 'isManaged' | 'job'>> {
  const {namespace: name, era, inventory, request} = found
  const namespace = await ifAllowed(() => api.get({apiVersion: 'v1', kind: 'Namespace', name}), undefined)
  const isChanging = inventory?.phase === 'changing'
  const lease = isChanging ? await reads.attempt('lease', () => api.get(leaseName(name))) : undefined
  const isUnprocessed = inventory === undefined && record === undefined && request !== undefined
  const job = isUnprocessed
    ? await ifAllowed(() => api.get({...found, apiVersion: 'batch/v1', kind: 'Job'}), undefined)
    : undefined
  return {
    isBeingChanged: lease !== undefined && isHeld(lease, now),
    servesRecords: (await api.resource(recordName(found))) !== undefined,
    isManaged: await managedBy(isUnprocessed),
    ...(namespace === undefined ? {} : {namespace}),
    ...(job === undefined ? {} : {job}),
  }

  /** Of an install with an inventory, no manager has to do anything. */
  async function managedBy(isDecisive: boolean): Promise<boolean | undefined> {
    if (inventory !== undefined) return false
    if (isDecisive) return await reads.attempt('manager', () => isManaged(era))
    return await ifAllowed<boolean | undefined>(() => isManaged(era), undefined)
  }
}

/** So many CRDs are read one by one; more with a list of all that the cluster has. */
const MAX_SINGLE_CRDS = 10

async function readCrds(
  {inventory}: FoundInstall,
  record: KubernetesObject | undefined,
  {api, crds}: SharedReads,
  reads: DeniedReads,
): Promise<readonly ObservedObject[]> {
  const names = (inventory?.objects ?? []).filter(({kind}) => kind === CRD.kind)
  if (names.length > 0 && names.length <= MAX_SINGLE_CRDS) {
    return [...(await readLive(names, api, reads)).values()]
  }
  const kinds = recordedKinds(record)
  if (names.length + kinds.length === 0) return []
  const sought = new Set(names.map(({name}) => name))
  const isSought = ({object: {metadata, spec}}: ObservedObject) =>
    sought.size > 0
      ? sought.has(metadata.name)
      : kinds.some(({apiVersion, kind}) => isOfKind(asObject(spec), apiVersion, kind))
  return ((await reads.attempt('crds', crds)) ?? []).filter(isSought)
}

/** The objects of the inventory and those that the record expands to, without CRDs, each once. */
function namesOf({inventory}: FoundInstall, record: KubernetesObject | undefined): readonly ObjectName[] {
  const expected = record === undefined ? [] : listExpected(expectedObjects(record)).map(nameOf)
  const names = [...(inventory?.objects ?? []).filter(({kind}) => kind !== CRD.kind), ...expected]
  return [...new Map(names.map(name => [objectKey(name), name])).values()]
}

async function readLive(
  names: readonly ObjectName[],
  api: ClusterApi,
  reads: DeniedReads,
): Promise<ReadonlyMap<string, ObservedObject>> {
  const live = new Map<string, ObservedObject>()
  await mapConcurrent(names, CONCURRENCY, async name => {
    const key = objectKey(name)
    const object = await reads.attempt(key, () => api.get(name))
    if (object !== undefined) live.set(key, observedObject(object))
  })
  // In the order of their names, whichever response came first.
  return new Map(
    names.flatMap(name => {
      const [key, object] = [objectKey(name), live.get(objectKey(name))]
      return object === undefined ? [] : [[key, object]]
    }),
  )
}

/** Reads what a Deployment that is not available owns. */
async function readControllers(
  record: KubernetesObject | undefined,
  live: ReadonlyMap<string, ObservedObject>,
  api: ClusterApi,
  reads: DeniedReads,
): Promise<ReadonlyMap<string, ControllerParts>> {
  const {deployment: want} = record === undefined ? {} : expectedObjects(record)
  const key = want === undefined ? '' : objectKey(nameOf(want))
  const deployment = live.get(key)?.object
  if (deployment === undefined || readinessOf(deployment).ready) return new Map()
  const owned = await reads.attempt(`pods of ${key}`, () => readParts(api, deployment))
  if (owned === undefined) return new Map()
  const {replicaSets, pods} = owned
  const lastOutput = await readOutput(owned, api)
  const output = lastOutput === '' ? {} : {lastOutput}
  return new Map([[key, {replicaSets, pods, events: await readEvents(deployment, api), ...output}]])
}

const MAX_EVENTS = 500

/** Warnings in the namespace of a Deployment, the newest last; none if they must not be read. */
async function readEvents(
  {metadata}: KubernetesObject,
  api: ClusterApi,
): Promise<readonly KubernetesObject[]> {
  const {namespace} = metadata
  const events: KubernetesObject[] = []
  const read = async () => {
    const options = {namespace, fieldSelector: 'type=Warning'}
    for await (const event of api.list({apiVersion: 'v1', kind: 'Event'}, options)) {
      events.push(event)
      if (events.length >= MAX_EVENTS) break
    }
    return events
  }
  return await ifAllowed(read, [])
}

const LOG_LINES = 3

/** The end of the log of a container that crashed, unless the kubelet reports it; empty if it cannot be read. */
async function readOutput(parts: DeploymentParts, api: ClusterApi): Promise<string> {
  const problem = deploymentFailure(parts)
  if (problem?.container === undefined || problem.kind !== 'crash' || problem.output !== undefined) return ''
  const {object: pod, container} = problem
  const statuses = asObjects(asObject(pod.status).containerStatuses)
  const state = asObject(statuses.find(({name}) => name === container)?.state)
  const previous = state.terminated === undefined
  try {
    return (await api.log(nameOf(pod), {container, previous, lines: LOG_LINES})).trim()
  } catch (error) {
    // The output is only help: a kubelet that does not answer must not hide the crash.
    if (error instanceof CrossplaneError) return ''
    throw error
  }
}
