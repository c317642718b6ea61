import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import type {Operation} from '../plan/plan.js'
import {type Applied, applyPlanned} from './apply-planned.js'
import {deleteCrd} from './delete-crd.js'
import {contentIn, isOnCrd, nameIn, uidIn} from './operation-parts.js'
import {migrateVersions} from './migrate-versions.js'
import {removeClaim, removeFinalizers} from './original-leftovers.js'

/** The dependencies of executing an operation: `wait` waits until objects are ready or gone, and throws `timeout`. */
interface OperationPorts {
  readonly api: ClusterApi
  readonly wait: (operations: readonly Operation[], signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** Executes one operation on an object. Throws `cluster-refused`, `timeout`, and the errors of the API. */
export async function applyOperation(operation: Operation, ports: OperationPorts): Promise<Applied> {
  const {api} = ports
  const {action, manager = CONTENT_MANAGER} = operation
  switch (action) {
    case 'create-only': {
      const made = await api.create(contentIn(operation), {manager})
      return made === 'exists' ? {change: 'unchanged'} : {change: 'created', object: made.object}
    }
    case 'apply':
      return await applyPlanned(operation, api)
    case 'claim': {
      const {object: claimed} = await api.apply(contentIn(operation), {manager, metadataOnly: true})
      return {change: 'claimed', object: claimed}
    }
    case 'unclaim':
      await removeClaim(operation, api)
      return {change: 'unclaimed'}
    case 'replace':
      return await replaced(operation, ports)
    case 'migrate':
      await migrateVersions(operation, ports)
      return {change: 'migrated'}
    case 'delete':
      await deleteObject(operation, api)
      return {change: 'deleted'}
    default:
      throw new RangeError(`${action} is not an operation on a cluster`)
  }
}

async function deleteObject(operation: Operation, api: ClusterApi): Promise<void> {
  if (isOnCrd(operation)) await deleteCrd(operation, api)
  else await api.delete(nameIn(operation), {uid: uidIn(operation), propagation: 'Background'})
  if (operation.finalizers !== undefined) await removeFinalizers(operation, api)
}

async function replaced(operation: Operation, ports: OperationPorts): Promise<Applied> {
  const {api} = ports
  if (isOnCrd(operation)) await removeCrd(operation, ports)
  else await deleteObject(operation, api)
  return {...(await applyPlanned({...operation, precondition: {absent: true}}, api)), change: 'replaced'}
}

/** Deletes a CRD and waits until it is gone: objects that are applied before that would be deleted with it. */
async function removeCrd(operation: Operation, {api, wait, signal}: OperationPorts): Promise<void> {
  await deleteCrd(operation, api)
  await wait([{...operation, action: 'wait', precondition: {absent: true}}], signal)
}
