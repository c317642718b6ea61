import {
  CONTENT_MANAGER,
  grouped,
  groupOf,
  type InstallId,
  isAppliedBy,
  isOfRecord,
  type KubernetesObject,
  LABEL_LENGTH,
  recordEraOf,
  type SetInstall,
  truncate,
} from 'kubectl-crossplane/plugin'
import {textOf} from './dependencies.js'

/** The install of a request, or of a record. */
export function idOf({metadata}: KubernetesObject): InstallId {
  return {namespace: metadata.namespace ?? '', name: metadata.name}
}

/** Reports whether an object is a package record. */
export function isRecord(object: KubernetesObject): boolean {
  return recordEraOf(object) !== undefined
}

/**
 * Reports whether a user wrote a record in place of a request. Those of requests are applied by this program, or made by the
 * original package manager; one that is being deleted is released in any case.
 */
export function isByHand(record: KubernetesObject, requests: readonly KubernetesObject[]): boolean {
  return isByHandBeside(record, id => requests.some(request => textOf(idOf(request)) === textOf(id)))
}

/** The same of a record, if it is known which installs are requested. */
export function isByHandBeside(record: KubernetesObject, isRequested: (id: InstallId) => boolean): boolean {
  if (isAppliedBy({...record}, CONTENT_MANAGER)) return false
  return record.metadata.deletionTimestamp !== undefined || !isRequested(idOf(record))
}

/** Returns those of records that users wrote. Anyone can write many: their number must not multiply that of the requests. */
export function recordsByHand(
  records: readonly KubernetesObject[],
  requests: readonly KubernetesObject[],
): readonly KubernetesObject[] {
  const requested = new Set(requests.map(request => textOf(idOf(request))))
  return records.filter(record => isByHandBeside(record, id => requested.has(textOf(id))))
}

/** Returns the install of a request among those that exist. That of a record has no package: another one only has its name. */
export function installFor<Install extends Pick<SetInstall, 'namespace' | 'name' | 'era'>>(
  object: KubernetesObject,
  installs: readonly Install[],
): Install | undefined {
  const install = installs.find(each => textOf(each) === textOf(idOf(object)))
  return install === undefined || !isRecord(object) || isOfRecord(install, object) ? install : undefined
}

/** What a manager processes. */
export interface KnownRequests {
  /** The requests, and the records that users wrote in their place. */
  readonly all: readonly KubernetesObject[]
  /** The records alone. */
  readonly records: readonly KubernetesObject[]
  /** All by the label of a CRD that is their claim. */
  readonly byClaim: ReadonlyMap<string, readonly KubernetesObject[]>
  /** The same by the labels of what belongs to them, NAMESPACE/NAME, which are truncated. */
  readonly byLabels: ReadonlyMap<string, readonly KubernetesObject[]>
}

/** Returns the requests, and those of the records that count as such. */
export function knownRequests(
  requests: readonly KubernetesObject[],
  records: readonly KubernetesObject[],
): KnownRequests {
  const byHand = recordsByHand(records, requests)
  const all = [...requests, ...byHand]
  return {all, records: byHand, byLabels: grouped(all, labelsOf), byClaim: grouped(all, claimOf)}
}

function labelsOf(request: KubernetesObject): string {
  const {namespace, name} = idOf(request)
  return `${truncate(namespace, LABEL_LENGTH)}/${truncate(name, LABEL_LENGTH)}`
}

function claimOf(request: KubernetesObject): string {
  const {namespace, name} = idOf(request)
  const install = truncate(`${truncate(namespace, 32)}-${name}`, LABEL_LENGTH)
  return `parent.${groupOf(request.apiVersion)}/${install}`
}
