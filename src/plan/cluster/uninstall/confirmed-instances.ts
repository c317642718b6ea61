import {requestEraOf} from '../../../render/era.js'
import {asObject, asText, type JsonObject} from '../../../yaml/json-value.js'
import type {Operation} from '../../plan.js'
import {sha256Of} from '../../sha256.js'
import {type ConfirmedInstances, isInstanceRemoval} from '../objects/instance-removal.js'
import {isInventoryOperation} from '../inventories/inventory-operations.js'

/** Returns the instances of a list of uids. */
export function confirmedInstances(uids: readonly string[]): ConfirmedInstances {
  const confirmed = new Set(uids)
  return {count: uids.length, has: uid => confirmed.has(uid)}
}

/** The annotation of a request with the hashes of the uids of instances, separated by spaces. */
const ANNOTATION = 'kubectl-crossplane.dev/confirmed-deletions'

/** Hexadecimal digits of a hash. Uids are random, so that this tells those of one cluster apart. */
const DIGITS = 16

/** Kubernetes allows 256 KiB of annotations. */
const MAX_INSTANCES = 12_000

/** Reads the instances that were confirmed from a request; anyone who can edit the request can have written them. */
export function readConfirmed({metadata}: JsonObject): ConfirmedInstances | undefined {
  const text = asText(asObject(asObject(metadata).annotations)[ANNOTATION])
  if (text === '') return undefined
  const {count, has} = confirmedInstances(text.split(' '))
  return {count, has: uid => has(hashed(uid))}
}

/** Returns the annotations that record instances on a request. Undefined if there are too many for an annotation. */
export function confirmedAnnotations(uids: readonly string[]): JsonObject | undefined {
  return uids.length > MAX_INSTANCES ? undefined : {[ANNOTATION]: uids.map(hashed).join(' ')}
}

function hashed(uid: string): string {
  return sha256Of(uid).slice(0, DIGITS)
}

/**
 * Returns the deletion of the request on which a plan records the instances that it deletes: that of an install without an
 * inventory, which its package manager removes. Undefined if there is none, or if no instances are deleted.
 */
export function annotatedRequest(operations: readonly Operation[]): Operation | undefined {
  if (!operations.some(isInstanceRemoval) || operations.some(isInventoryOperation)) return undefined
  return operations.find(
    ({action, object}) => action === 'delete' && object !== undefined && requestEraOf(object) !== undefined,
  )
}
