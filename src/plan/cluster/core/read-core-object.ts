import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {present} from '../../../present.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import {
  type CoreLock,
  CORE_MANAGER,
  type CoreReference,
  type CoreRequest,
  type CoreRevision,
  type LockDependency,
  type LockEntry,
  type RequestKind,
} from '../state/core-state.js'

/** Reads a request as the cluster has it. */
export function coreRequest(kind: RequestKind, object: KubernetesObject): CoreRequest {
  const {package: reference, skipDependencyResolution} = asObject(object.spec)
  const {currentRevision, resolvedPackage} = asObject(object.status)
  return {
    kind,
    ...identity(object),
    created: asText(object.metadata.creationTimestamp),
    reference: asText(reference),
    ...coreReference(asText(reference)),
    isResolved: skipDependencyResolution !== true,
    isByCore: isByCore(object),
    ...present({
      revision: asText(currentRevision) || undefined,
      resolved: asText(resolvedPackage) || undefined,
    }),
    object,
  }
}

/** What requests and revisions have in common. */
function identity({metadata}: KubernetesObject) {
  const {name, uid, deletionTimestamp} = metadata
  return {name, uid: asText(uid), isTerminating: deletionTimestamp !== undefined}
}

/** Returns the field managers that have set the package of a request. */
export function packageManagers({metadata}: KubernetesObject): readonly string[] {
  return asObjects(metadata.managedFields)
    .filter(({fieldsV1}) => asObject(asObject(fieldsV1)['f:spec'])['f:package'] !== undefined)
    .map(({manager}) => asText(manager))
}

function isByCore(object: KubernetesObject): boolean {
  const managers = packageManagers(object)
  return managers.length > 0 && managers.every(manager => manager === CORE_MANAGER)
}

/** The label of revisions with the name of their request. */
const REQUEST_LABEL = 'pkg.crossplane.io/package'

/** Reads a revision of a request of a kind. */
export function coreRevision(kind: RequestKind, object: KubernetesObject): CoreRevision {
  const {image, desiredState, revision} = asObject(object.spec)
  return {
    kind,
    ...identity(object),
    request: object.metadata.labels?.[REQUEST_LABEL] ?? '',
    ...coreReference(asText(image)),
    number: Number(revision ?? 0),
    isActive: desiredState === 'Active',
    objects: asObjects(asObject(object.status).objectRefs).map(reference => ({
      apiVersion: asText(reference.apiVersion),
      kind: asText(reference.kind),
      name: asText(reference.name),
    })),
    object,
  }
}

/** Reads the Lock; an empty one where the core has made none yet. */
export function coreLock(lock: JsonObject | undefined): CoreLock {
  const conditions = asObjects(asObject(lock?.status).conditions)
  const failed = conditions.find(({type, status}) => type === 'Resolved' && status === 'False')
  return {
    entries: asObjects(lock?.packages).map(lockEntry),
    ...present({problem: failed === undefined ? undefined : asText(failed.message)}),
  }
}

function lockEntry({name, kind, type, source, version, dependencies}: JsonObject): LockEntry {
  return {
    name: asText(name),
    kind: asText(kind) || asText(type),
    repository: asText(source),
    version: asText(version),
    dependencies: asObjects(dependencies).map(lockDependency),
  }
}

function lockDependency(dependency: JsonObject): LockDependency {
  const {kind, type, package: repository, constraints} = dependency
  return {
    kind: asText(kind) || asText(type),
    repository: asText(repository),
    constraint: asText(constraints),
  }
}

/** Splits a reference as the core does: neither a registry nor a tag is added. */
export function coreReference(text: string): CoreReference {
  const at = text.indexOf('@')
  const digest = at === -1 ? undefined : text.slice(at + 1)
  const before = at === -1 ? text : text.slice(0, at)
  const colon = before.indexOf(':', before.lastIndexOf('/') + 1)
  if (colon === -1) return {repository: before, ...present({digest})}
  return {repository: before.slice(0, colon), tag: before.slice(colon + 1), ...present({digest})}
}
