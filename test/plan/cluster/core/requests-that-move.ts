import {coreLock, coreRequest, coreRevision} from '../../../../src/plan/cluster/core/read-core-object.js'
import type {CoreState} from '../../../../src/plan/cluster/state/core-state.js'
import {MOVE} from '../../../../src/plan/cluster/state/move-state.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import type {Operation} from '../../../../src/plan/plan.js'
import {asObject, asText, type JsonObject} from '../../../../src/yaml/json-value.js'

export const API = 'pkg.crossplane.io/v1'
export const DIGEST = `sha256:0123456789ab${'0'.repeat(52)}`
export const HEX = '0123456789ab'

interface RequestOptions {
  readonly spec?: JsonObject
  readonly annotations?: JsonObject
  readonly labels?: JsonObject
  readonly deleted?: boolean
  /** The manager of the activation policy. */
  readonly holder?: string
}

/** A request as this program applied it. */
export function provider(
  name: string,
  repository: string,
  {spec, deleted, holder, ...more}: RequestOptions = {},
  kind = 'Provider',
) {
  const fieldsV1 = {'f:spec': {'f:revisionActivationPolicy': {}}}
  const metadata = {
    ...{name, uid: `of-${name}`, ...more},
    ...(deleted === true ? {deletionTimestamp: '2026-01-01T00:00:00Z'} : {}),
    managedFields: [
      {manager: 'crossplane-packages', operation: 'Apply'},
      ...(holder === undefined ? [] : [{manager: holder, operation: 'Apply', fieldsV1}]),
    ],
  }
  const object = {
    ...{apiVersion: API, kind, metadata, spec: {package: `${repository}:v1.0.0`, ...spec}},
    status: {currentRevision: `${name}-${HEX}`},
  }
  return coreRequest(kind as 'Provider', object as unknown as KubernetesObject)
}

/** The one revision of a request. */
export function revision(request: string, desiredState = 'Active', annotations: Record<string, string> = {}) {
  const name = `${request}-${HEX}`
  const labels = {'pkg.crossplane.io/package': request}
  return coreRevision('Provider', {
    ...{apiVersion: API, kind: 'ProviderRevision', metadata: {name, uid: `of-${name}`, labels, annotations}},
    spec: {desiredState, image: 'i', revision: 1},
  })
}

/** A Lock with entries of requests. */
export function lock(
  ...entries: readonly (readonly [request: string, repository: string, requires?: string])[]
) {
  return coreLock({
    packages: entries.map(([request, source, requires]) => ({
      ...{name: `${request}-${HEX}`, kind: 'Provider', source, version: 'v1.0.0'},
      dependencies: requires === undefined ? [] : [{kind: 'Provider', package: requires, constraints: '*'}],
    })),
  })
}

/** Each operation as a line. */
export const lines = (operations: readonly Operation[]) =>
  operations.map(({action, object, precondition, content}) => {
    const {spec, metadata} = asObject(content === undefined ? {} : (JSON.parse(content) as JsonObject))
    const {desiredState, revisionActivationPolicy: policy, package: reference} = asObject(spec)
    const isLocked = precondition !== undefined && 'locked' in precondition
    const what = isLocked ? `${precondition.locked ? '+' : '-'}${precondition.revision}` : object?.name
    const marks = MOVE in asObject(asObject(metadata).annotations) ? ['marked'] : []
    const values = [desiredState, policy, reference].map(asText)
    return [action, object?.kind, what, ...values, ...marks].filter(Boolean).join(' ')
  })

/** The state of a cluster. */
export const state = (
  requests: CoreState['requests'],
  revisions: CoreState['revisions'],
  own = lock(),
): CoreState => ({
  requests,
  revisions,
  lock: own,
})
