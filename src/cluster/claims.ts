import type {InstallId} from '../render/install-set.js'
import {truncate} from '../render/truncate.js'
import {asObject, asObjects, type JsonObject} from '../yaml/json-value.js'

/** The field manager of everything but claims. None may begin with `kubectl`: Flux removes the fields of those. */
export const CONTENT_MANAGER = 'crossplane-packages'

/** https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers */
const MAX_MANAGER_LENGTH = 128

/** The field manager of an install, which owns its claims on shared CRDs and nothing else. */
export function claimManager({namespace, name}: InstallId): string {
  return truncate(`${CONTENT_MANAGER}:${namespace}/${name}`, MAX_MANAGER_LENGTH)
}

/** Reports whether a manager has applied fields of an object by server-side apply. */
export function isAppliedBy({metadata}: JsonObject, manager: string): boolean {
  return asObjects(asObject(metadata).managedFields).some(
    entry => entry.manager === manager && entry.operation === 'Apply',
  )
}
