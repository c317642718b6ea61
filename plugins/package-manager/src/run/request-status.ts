import {
  asObject,
  asObjects,
  asText,
  type Condition,
  eraOf,
  jsonEqual,
  type JsonObject,
  type KubernetesObject,
  type SetInstall,
  withCondition,
} from 'kubectl-crossplane/plugin'
import {isRecord} from './written-records.js'

/** The reason of Ready where all is installed, and does not run. */
export const UNAVAILABLE = 'Unavailable'

/** A condition without its type. */
export type State = Pick<Condition, 'status' | 'reason' | 'message'>

/** An install and its package. */
type Installed = Pick<SetInstall, 'namespace' | 'name' | 'package'>

/** What a pass knows about its request. */
export interface RequestState {
  /** Absent: it stays as it is. */
  readonly ready?: State
  readonly synced: State
  /** What is installed; absent: it stays as it is. */
  readonly installed?: Installed
  /** The installs that it depends on. */
  readonly dependencies?: readonly Installed[]
  /** What a request became, which is a record, and a record, which is a Deployment. */
  readonly result?: KubernetesObject
}

/** Returns the status that a request gets; undefined if it has it already. */
export function nextStatus(
  request: KubernetesObject,
  state: RequestState,
  now: string,
): JsonObject | undefined {
  const before = asObject(request.status)
  const {generation} = request.metadata
  const observed: JsonObject = typeof generation === 'number' ? {observedGeneration: generation} : {}
  const conditions = (
    [
      ['Ready', state.ready],
      ['Synced', state.synced],
    ] as const
  ).reduce(
    (all, [type, next]) => (next === undefined ? all : withCondition(all, {type, ...next}, now)),
    asObjects(asObject(before.conditionedStatus).conditions),
  )
  const {package: selected} = state.installed ?? {}
  const resolved: JsonObject = selected === undefined ? {} : {resolved: resolvedIn(selected)}
  const dependencies: JsonObject =
    state.dependencies === undefined ? {} : {dependencies: state.dependencies.map(dependencyOf)}
  const after: JsonObject = {
    ...before,
    ...observed,
    conditionedStatus: {...asObject(before.conditionedStatus), conditions},
    ...resultField(request, state.result),
    ...resolved,
    ...dependencies,
  }
  return jsonEqual(before, after) ? undefined : after
}

/** The condition of a request from an earlier pass. */
export function lastState({status}: KubernetesObject, type: 'Ready' | 'Synced'): JsonObject {
  return (
    asObjects(asObject(asObject(status).conditionedStatus).conditions).find(each => each.type === type) ?? {}
  )
}

/** Returns the milliseconds for which a request has waited for nothing but the Pods of its Deployment; 0 if it has not. */
export function podsAwaited(
  request: KubernetesObject,
  {ready, synced}: Pick<RequestState, 'ready' | 'synced'>,
  now: string,
): number {
  const {reason, lastTransitionTime} = lastState(request, 'Ready')
  const isOnlyThat = [reason, ready?.reason].every(text => text === UNAVAILABLE) && synced.status === 'True'
  return isOnlyThat ? Date.parse(now) - Date.parse(asText(lastTransitionTime)) || 0 : 0
}

/** Reports whether something was installed for a request. The CRDs of the original have no field for what. */
export function isInstalled({apiVersion, status}: KubernetesObject): boolean {
  const {resolved, controllerRef, [eraOf(apiVersion)?.recordField ?? '']: record} = asObject(status)
  return [resolved, controllerRef, record].some(each => each !== undefined)
}

function resultField(request: KubernetesObject, result: KubernetesObject | undefined): JsonObject {
  const field = isRecord(request) ? 'controllerRef' : eraOf(request.apiVersion)?.recordField
  if (result === undefined || field === undefined) return {}
  const {name, namespace = '', uid = ''} = result.metadata
  return {[field]: {apiVersion: result.apiVersion, kind: result.kind, name, namespace, uid: asText(uid)}}
}

function resolvedIn({identity, tag, version, digest}: NonNullable<Installed['package']>): JsonObject {
  return {package: `${identity}:${tag}`, version, ...(digest === undefined ? {} : {digest})}
}

function dependencyOf({namespace, name, package: selected}: Installed): JsonObject {
  return {
    namespace,
    name,
    ...(selected === undefined ? {} : {package: `${selected.identity}:${selected.tag}`}),
  }
}
