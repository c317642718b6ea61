import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type Change,
  ERAS,
  groupOf,
  jsonEqual,
  type JsonObject,
  type KubernetesObject,
  nameOf,
  objectText,
  type ResourceKind,
} from 'kubectl-crossplane/plugin'
import {lastState} from './request-status.js'
import {isRecord} from './written-records.js'

/** Reports whether a change is of the CRD of a kind of requests. */
export function isRequestCrd({before, after}: Change): boolean {
  const {name = ''} = (after ?? before)?.metadata ?? {}
  return Object.values(ERAS).some(({group}) => name.endsWith(`.${group}`))
}

/** Returns the eras of kinds that are served. */
export function erasOf(served: readonly {readonly apiVersion: string}[]) {
  return Object.values(ERAS).filter(({apiVersion}) => served.some(each => each.apiVersion === apiVersion))
}

/** Identifies a kind. */
export function keyOfKind({apiVersion, kind}: ResourceKind): string {
  return `${apiVersion} ${kind}`
}

/** Reports whether a record may name a CRD, of which it knows the group. A CRD is not defined yet when it is created. */
export function mayName({spec, ...record}: KubernetesObject, crd: string): boolean {
  const named = isRecord(record) ? asObjects(asObject(spec).customresourcedefinitions) : []
  return named.some(({apiVersion}) => crd.endsWith(`.${asText(apiVersion).split('/', 1)[0] ?? ''}`))
}

/** Reports whether users or finalizers changed a request: its status is written by the manager itself. */
export function isChanged(
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): boolean {
  const finalizers = (object?: KubernetesObject) => asTexts(object?.metadata.finalizers)
  return isEdited(before, after) || !jsonEqual(finalizers(before), finalizers(after))
}

/** Reports whether a user changed a request: its status and its finalizer are written by the manager itself. */
export function isEdited(before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean {
  if (before === undefined || after === undefined) return true
  const parts = ({metadata, spec = {}}: KubernetesObject) => ({
    spec,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    deletion: asText(metadata.deletionTimestamp),
  })
  return !jsonEqual(parts(before), parts(after))
}

/** Returns the conditions of a request on which others wait. */
export function statesOf(request: KubernetesObject | undefined): readonly JsonObject[] {
  return request === undefined ? [] : (['Ready', 'Synced'] as const).map(type => lastState(request, type))
}

/** Identifies a request: `Kind NAMESPACE/NAME`, which the log shows. */
export function keyOf(object: KubernetesObject): string {
  return objectText({...nameOf(object), kind: `${object.kind}.${groupOf(object.apiVersion)}`})
}

/** Returns the namespace in a key: the requests of one must not delay those of others. */
export function namespaceIn(key: string): string {
  return key.split(' ')[1]?.split('/', 1)[0] ?? ''
}
