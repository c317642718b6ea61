import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {failureOf} from '../cluster/api/cluster-failure.js'
import {CONTENT_MANAGER, isAppliedBy} from '../cluster/claims.js'
import {CrossplaneError} from '../errors.js'
import {objectText} from '../kubernetes/object-key.js'
import {kubectlGet} from '../plan/cluster/objects/object-reasons.js'
import {contentHash, isSameContent} from '../plan/cluster/state/live-object.js'
import {isCreatedHere} from '../plan/cluster/state/ownership.js'
import type {Operation} from '../plan/plan.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {Change} from './change-report.js'
import {contentIn, expectsAbsence, isOnCrd, nameIn} from './operation-parts.js'

/** The result of an operation; `object` is as the server returned it. */
export interface Applied {
  readonly change: Change
  readonly object?: KubernetesObject
}

/**
 * A resourceVersion that no object has, because etcd begins with it. An apply with it creates the object or fails with
 * 409, where an apply without one would change an object that others have created in the meantime.
 */
const NO_VERSION = '1'

/** Only the status of a CRD changes between reading and applying it, and only rarely. */
const MAX_ATTEMPTS = 5

/**
 * Applies an object to the state that the plan was made for: a new object only if none exists, and a CRD only to the
 * content that passed the gate. Any other state is left as it is. Throws `cluster-refused` for that, and the errors of
 * the API.
 */
export async function applyPlanned(operation: Operation, api: ClusterApi): Promise<Applied> {
  for (let attempt = 1; ; attempt++) {
    const resourceVersion = await plannedVersion(operation, api)
    try {
      return await applied(operation, resourceVersion, api)
    } catch (error) {
      if (resourceVersion === undefined || !isOutdated(error)) throw error
      const object = await finished(operation, api)
      if (object !== undefined) return {change: 'unchanged', object}
      if (expectsAbsence(operation) || attempt >= MAX_ATTEMPTS) throw outdated(operation)
    }
  }
}

/** The resourceVersion of the planned state; undefined where any state will do. */
async function plannedVersion(operation: Operation, api: ClusterApi): Promise<string | undefined> {
  const {precondition} = operation
  if (expectsAbsence(operation)) return NO_VERSION
  if (!isOnCrd(operation) || precondition === undefined || !('sha256' in precondition)) return undefined
  const live = await api.get(nameIn(operation))
  if (live === undefined || contentHash(live) !== precondition.sha256) throw outdated(operation)
  return live.metadata.resourceVersion as string
}

async function applied(
  operation: Operation,
  resourceVersion: string | undefined,
  api: ClusterApi,
): Promise<Applied> {
  const {precondition, manager = CONTENT_MANAGER, force = false} = operation
  const content = contentIn(operation)
  const sent =
    resourceVersion === undefined ? content : {...content, metadata: {...content.metadata, resourceVersion}}
  // Only the metadata of a new CRD is recorded.
  const metadataOnly = expectsAbsence(operation) && isOnCrd(operation)
  const {object, created} = await api.apply(sent, {manager, metadataOnly, force})
  if (created) return {change: 'created', object}
  return {change: isStill(object, precondition) ? 'unchanged' : 'configured', object}
}

function isStill(object: KubernetesObject, precondition: Operation['precondition']): boolean {
  return precondition !== undefined && 'sha256' in precondition && contentHash(object) === precondition.sha256
}

/** Reports whether an error means that a resourceVersion is not that of the object. */
function isOutdated(error: unknown): boolean {
  const failure = failureOf(error)
  return failure?.reason === 'Conflict' && failure.conflicts.length === 0
}

/**
 * Returns the object if it already is in the state that the operation creates. A lost response is followed by a second
 * attempt, which finds the result of the first one, and a run for another namespace may have created the same shared
 * CRD.
 */
async function finished(operation: Operation, api: ClusterApi): Promise<KubernetesObject | undefined> {
  const live = await api.get(nameIn(operation))
  if (live === undefined || !isOurs(live, operation)) return undefined
  const {manager = CONTENT_MANAGER, force = false} = operation
  try {
    const {object} = await api.apply(contentIn(operation), {manager, force, dryRun: true})
    return isSameContent(live, object) ? live : undefined
  } catch (error) {
    if ([409, 422].includes(failureOf(error)?.status ?? 0)) return undefined
    throw error
  }
}

function isOurs(live: KubernetesObject, operation: Operation): boolean {
  if (live.metadata.deletionTimestamp !== undefined) return false
  return expectsAbsence(operation) ? isCreatedHere(live) : isAppliedBy(live, CONTENT_MANAGER)
}

function outdated(operation: Operation): CrossplaneError {
  const name = nameIn(operation)
  const [action, done] = expectsAbsence(operation) ? ['create', 'created'] : ['update', 'changed']
  const message = `cannot ${action} ${objectText(name)}: it was ${done} after the plan was made`
  return new CrossplaneError('cluster-refused', message, {suggestions: [kubectlGet(name)]})
}
