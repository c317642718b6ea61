import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {
  CORE_API,
  CORE_KINDS,
  type CoreLock,
  type CoreLockEntry,
  type CoreRequest,
  type CoreRevision,
  type CoreState,
} from '../../plan/core/core-state.js'
import {present} from '../../present.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'

/**
 * Reads what the package manager of a current Crossplane has; undefined if the cluster does not serve its kinds. Throws
 * the errors of the API.
 */
export async function readCoreState(
  api: Pick<ClusterApi, 'get' | 'list' | 'resource'>,
): Promise<CoreState | undefined> {
  if ((await api.resource({apiVersion: CORE_API, kind: CORE_KINDS[0]})) === undefined) return undefined
  const [requests, revisions, lock] = await Promise.all([
    ofKinds(api, '', requestIn),
    ofKinds(api, 'Revision', revisionIn),
    api.get({apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', name: 'lock'}),
  ])
  return {requests, revisions, ...(lock === undefined ? {} : {lock: lockIn(lock)})}
}

async function ofKinds<T>(
  api: Pick<ClusterApi, 'list'>,
  suffix: string,
  read: (object: KubernetesObject, kind: string) => T,
): Promise<readonly T[]> {
  const all: T[] = []
  for (const kind of CORE_KINDS)
    for await (const object of api.list({apiVersion: CORE_API, kind: `${kind}${suffix}`}))
      all.push(read(object, kind))
  return all
}

function requestIn(object: KubernetesObject, kind: string): CoreRequest {
  const {name, uid, creationTimestamp, deletionTimestamp} = object.metadata
  const reference = asText(asObject(object.spec).package)
  return {
    kind,
    name,
    uid: asText(uid),
    repository: repositoryIn(reference),
    reference,
    created: asText(creationTimestamp),
    isByCore: isByCore(object),
    isTerminating: deletionTimestamp !== undefined,
    object,
  }
}

/** A tag has no slash; a port does. */
function repositoryIn(reference: string): string {
  return reference.replace(/@.*$/, '').replace(/:[^:/]*$/, '')
}

const CORE_MANAGER = 'crossplane'

/** A request of anyone else has another manager of its spec. */
function isByCore({metadata}: KubernetesObject): boolean {
  const managers = asObjects(metadata.managedFields)
    .filter(({fieldsV1}) => asObject(asObject(fieldsV1)['f:spec'])['f:package'] !== undefined)
    .map(({manager}) => asText(manager))
  return managers.length > 0 && managers.every(manager => manager === CORE_MANAGER)
}

function revisionIn(object: KubernetesObject, kind: string): CoreRevision {
  const {name, uid, labels = {}, deletionTimestamp} = object.metadata
  const {revision, desiredState} = asObject(object.spec)
  return {
    kind,
    name,
    uid: asText(uid),
    request: labels['pkg.crossplane.io/package'] ?? '',
    number: Number(revision ?? 0),
    desiredState: asText(desiredState),
    isTerminating: deletionTimestamp !== undefined,
    object,
  }
}

function lockIn({packages, status}: KubernetesObject): CoreLock {
  const failed = asObjects(asObject(status).conditions).find(
    condition => condition.type === 'Resolved' && condition.status === 'False',
  )
  const failure = failed === undefined ? undefined : asText(failed.message)
  return {packages: asObjects(packages).map(entryIn), ...present({failure})}
}

function entryIn({kind, type, name, source, version, dependencies}: JsonObject): CoreLockEntry {
  return {
    kind: asText(kind ?? type),
    revision: asText(name),
    source: asText(source),
    version: asText(version),
    dependencies: asObjects(dependencies).map(dependency => ({
      repository: asText(dependency.package),
      constraints: asText(dependency.constraints),
    })),
  }
}
