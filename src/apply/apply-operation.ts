import type {ClusterApi, Written} from '../cluster/api/cluster-api.js'
import {CONTENT_MANAGER, otherManagers} from '../cluster/claims.js'
import {CrossplaneError} from '../errors.js'
import {objectText} from '../kubernetes/object-key.js'
import {contentHash} from '../plan/cluster/live-object.js'
import {kubectlGet} from '../plan/cluster/judge-object.js'
import type {Operation} from '../plan/plan.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import type {Change} from './change-report.js'
import {deleteCrd} from './delete-crd.js'
import {contentIn, expectsAbsence, isOnCrd, nameIn, uidIn, withoutFields} from './operation-parts.js'

/** What an operation did; `object` is as the server returned it. */
export interface Applied {
  readonly change: Change
  readonly object?: KubernetesObject
}

/** What executing an operation needs: `wait` waits until objects are ready or gone, and throws `timeout`. */
interface OperationPorts {
  readonly api: ClusterApi
  readonly wait: (operations: readonly Operation[], signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** Executes one operation on an object. Throws `cluster-refused`, `timeout`, and what the API throws. */
export async function applyOperation(operation: Operation, ports: OperationPorts): Promise<Applied> {
  const {api} = ports
  const {action, manager = CONTENT_MANAGER} = operation
  const object = nameIn(operation)
  const uid = uidIn(operation)
  switch (action) {
    case 'create-only': {
      const made = await api.create(contentIn(operation), {manager})
      return made === 'exists' ? {change: 'unchanged'} : {change: 'created', object: made.object}
    }
    case 'apply':
      return await applied(operation, api)
    case 'claim': {
      const {object: claimed} = await api.apply(contentIn(operation), {manager, metadataOnly: true})
      return {change: 'claimed', object: claimed}
    }
    case 'unclaim':
      await api.apply(withoutFields(object), {manager, metadataOnly: true})
      return {change: 'unclaimed'}
    case 'replace':
      return await replaced(operation, ports)
    case 'delete':
      if (isOnCrd(operation)) await deleteCrd(operation, api)
      else await api.delete(object, {uid, propagation: 'Background'})
      return {change: 'deleted'}
    default:
      throw new RangeError(`${action} is not an operation on a cluster`)
  }
}

async function replaced(operation: Operation, ports: OperationPorts): Promise<Applied> {
  const {api} = ports
  const {manager = CONTENT_MANAGER} = operation
  if (isOnCrd(operation)) await removeCrd(operation, ports)
  else await api.delete(nameIn(operation), {uid: uidIn(operation), propagation: 'Background'})
  const {object} = await api.apply(contentIn(operation), {manager})
  return {change: 'replaced', object}
}

/** Deletes a CRD and waits until it is gone: what is applied before that would be deleted with it. */
async function removeCrd(operation: Operation, {api, wait, signal}: OperationPorts): Promise<void> {
  await deleteCrd(operation, api)
  await wait([{...operation, action: 'wait', precondition: {absent: true}}], signal)
}

async function applied(operation: Operation, api: ClusterApi): Promise<Applied> {
  const {precondition, manager = CONTENT_MANAGER, force} = operation
  const content = contentIn(operation)
  const isNew = expectsAbsence(operation)
  // The metadata of a new CRD is all that is remembered of it.
  const metadataOnly = isNew && isOnCrd(operation)
  const written = await api.apply(content, {manager, metadataOnly, ...(force === true ? {force} : {})})
  if (isNew && !written.created && !isExpected(written, operation)) {
    // An object without other managers belongs to another install: reverting would remove its fields, too.
    if (otherManagers(written.object).length > 0) {
      await api.apply(withoutFields(nameIn(operation)), {manager})
    }
    throw appeared(operation)
  }
  const {object, created} = written
  if (created) return {change: 'created', object}
  return {change: isStill(object, precondition) ? 'unchanged' : 'configured', object}
}

function isStill(object: KubernetesObject, precondition: Operation['precondition']): boolean {
  return precondition !== undefined && 'sha256' in precondition && contentHash(object) === precondition.sha256
}

/**
 * Reports whether an object that was planned as absent may exist. A lost response is followed by a second attempt, which
 * finds the object that the first one created. A CRD can be shared: a run for another namespace may have created it.
 */
function isExpected({repeated, object}: Written, operation: Operation): boolean {
  return (repeated || isOnCrd(operation)) && otherManagers(object).length === 0
}

function appeared(operation: Operation): CrossplaneError {
  const name = nameIn(operation)
  const message = `cannot create ${objectText(name)}: it was created by someone else meanwhile`
  return new CrossplaneError('cluster-refused', message, {suggestions: [kubectlGet(name)]})
}
