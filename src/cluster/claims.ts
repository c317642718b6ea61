import type {InstallId} from '../render/install-set.js'
import {truncate} from '../render/truncate.js'
import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'

/**
 * The field manager of everything but claims. None may begin with `kubectl`: Flux removes the fields of those from what it applies. Only
 * those for revisions do, which Crossplane makes and no controller of a tree applies: `kubectl-crossplane-resolver` and
 * `kubectl-crossplane-repair`.
 */
export const CONTENT_MANAGER = 'crossplane-packages'

/** The field manager of the original package managers, which do not use server-side apply. */
export const ORIGINAL_MANAGER = 'crossplane'

/** https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers */
const MAX_MANAGER_LENGTH = 128

/** The field manager of an install, which owns its claims on shared CRDs and nothing else. */
export function claimManager({namespace, name}: InstallId): string {
  return truncate(`${CONTENT_MANAGER}:${namespace}/${name}`, MAX_MANAGER_LENGTH)
}

/** The other managers of fields of an object, except those of subresources such as its status. */
export function otherManagers({metadata}: JsonObject): readonly string[] {
  return asObjects(asObject(metadata).managedFields)
    .filter(({subresource}) => subresource === undefined)
    .map(({manager}) => asText(manager))
    .filter(manager => manager !== CONTENT_MANAGER && !manager.startsWith(`${CONTENT_MANAGER}:`))
}

/** Reports whether a manager has applied fields of an object by server-side apply. */
export function isAppliedBy(object: JsonObject, manager: string): boolean {
  return appliedEntry(object, manager) !== undefined
}

/** Returns what the server says of the fields that a manager has applied, with `fieldsV1`. */
export function appliedEntry({metadata}: JsonObject, manager: string): JsonObject | undefined {
  return asObjects(asObject(metadata).managedFields).find(
    entry => entry.manager === manager && entry.operation === 'Apply',
  )
}
