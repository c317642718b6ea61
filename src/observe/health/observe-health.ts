import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {isHeld, leaseName} from '../../cluster/lease/lease-object.js'
import {isOfKind, recordedKinds} from '../../health/check-crds.js'
import {expectedObjects, listExpected} from '../../health/expected-objects.js'
import type {HealthSnapshot} from '../../health/health-snapshot.js'
import {observedObject, type ObservedObject} from '../../health/observed-object.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {present} from '../../present.js'
import {ERAS} from '../../render/era.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject} from '../../yaml/json-value.js'
import {DeniedReads, ifAllowed} from '../objects/denied-reads.js'
import type {FoundInstall} from '../installs/find-installs.js'
import {readLive} from '../objects/read-live.js'
import {readControllers} from './observe-controller.js'
import type {SharedReads} from './shared-reads.js'

/**
 * Reads the state for judging the health of an install; changes nothing. Throws the errors of the API, except denials.
 */
export async function observeHealth(install: FoundInstall, shared: SharedReads): Promise<HealthSnapshot> {
  const {api, now, lock} = shared
  const reads = new DeniedReads()
  const {namespace, name, era, inventory, ignored, unreadable, request, claim} = install
  const record = install.record ?? (await readRecord(install, api, reads))
  const [crds, live, context] = await Promise.all([
    readCrds(install, record, shared, reads),
    readObserved(namesOf(install, record), api, reads),
    readContext(install, record, shared, reads),
  ])
  const parts = await readControllers(record, live, shared, reads)
  return {
    install: {namespace, name},
    era,
    now,
    crds,
    live,
    parts,
    ...context,
    ...present({inventory}),
    ...(ignored === undefined ? {} : {ignored: {standing: ignored.standing, configMap: ignored.configMap}}),
    ...(unreadable === undefined
      ? {}
      : {unreadable: {configMap: unreadable.configMap, message: unreadable.message}}),
    ...present({request, record, lock, claim}),
    denials: reads.sortedDenials,
  }
}

function recordName({namespace, name, era}: FoundInstall): ObjectName {
  const {apiVersion, kinds} = ERAS[era]
  return {apiVersion, kind: kinds.record, namespace, name}
}

async function readRecord(
  install: FoundInstall,
  api: ClusterApi,
  reads: DeniedReads,
): Promise<KubernetesObject | undefined> {
  return await reads.attempt('record', () => api.get(recordName(install)))
}

/** Reads whether a program is at work on the install. */
async function readContext(
  install: FoundInstall,
  record: KubernetesObject | undefined,
  {api, manager: managerOf, now}: SharedReads,
  reads: DeniedReads,
): Promise<
  Pick<
    HealthSnapshot,
    'isBeingChanged' | 'namespace' | 'servesRecords' | 'servesCore' | 'isManaged' | 'manager' | 'job'
  >
> {
  const {namespace: name, era, inventory, ignored, request} = install
  const namespace = await ifAllowed(() => api.get({apiVersion: 'v1', kind: 'Namespace', name}), undefined)
  const isChanging = inventory?.phase === 'changing' || ignored !== undefined
  const lease = isChanging ? await reads.attempt('lease', () => api.get(leaseName(name))) : undefined
  const isUnprocessed = inventory === undefined && record === undefined && request !== undefined
  const job = isUnprocessed
    ? await ifAllowed(() => api.get({...install, apiVersion: 'batch/v1', kind: 'Job'}), undefined)
    : undefined
  return {
    isBeingChanged: lease !== undefined && isHeld(lease, now),
    servesRecords: (await api.resource(recordName(install))) !== undefined,
    servesCore: (await api.resource({apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider'})) !== undefined,
    ...(await managedBy(isUnprocessed)),
    ...present({namespace, job}),
  }

  /** No manager is responsible for an install with an inventory. */
  async function managedBy(isDecisive: boolean): Promise<Pick<HealthSnapshot, 'isManaged' | 'manager'>> {
    if (inventory !== undefined || ignored?.inventory !== undefined) return {isManaged: false}
    const read = async () => {
      const manager = await managerOf(era)
      return manager === undefined ? {isManaged: false} : {isManaged: true, manager}
    }
    const unknown = {isManaged: undefined}
    if (isDecisive) return (await reads.attempt('manager', read)) ?? unknown
    return await ifAllowed<Pick<HealthSnapshot, 'isManaged' | 'manager'>>(read, unknown)
  }
}

/** The maximum number of CRDs to read one by one; more are read by a list of all CRDs of the cluster. */
const MAX_SINGLE_CRDS = 10

async function readCrds(
  {inventory}: FoundInstall,
  record: KubernetesObject | undefined,
  {api, crds}: SharedReads,
  reads: DeniedReads,
): Promise<readonly ObservedObject[]> {
  const names = (inventory?.objects ?? []).filter(isCrd)
  if (names.length > 0 && names.length <= MAX_SINGLE_CRDS) {
    return [...(await readObserved(names, api, reads)).values()]
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
  const names = [...(inventory?.objects ?? []).filter(object => !isCrd(object)), ...expected]
  return [...new Map(names.map(name => [objectKey(name), name])).values()]
}

/** Reads objects as far as they exist and may be read. */
async function readObserved(
  names: readonly ObjectName[],
  api: ClusterApi,
  reads: DeniedReads,
): Promise<ReadonlyMap<string, ObservedObject>> {
  return await readLive(names, async name => {
    const object = await reads.attempt(objectKey(name), () => api.get(name))
    return object && observedObject(object)
  })
}
