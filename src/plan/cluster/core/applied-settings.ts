import {appliedEntry, CONTENT_MANAGER} from '../../../cluster/claims.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, type JsonObject} from '../../../yaml/json-value.js'

/** Returns the settings of a request that this program applied, besides its package. */
export function appliedSettings(live: KubernetesObject): JsonObject {
  const has = asObject(live.spec)
  const kept = appliedFields(live).filter(field => SETTINGS.includes(field))
  return Object.fromEntries(kept.map(field => [field, has[field] ?? null]))
}

const SETTINGS = [
  'packagePullPolicy',
  'packagePullSecrets',
  'revisionActivationPolicy',
  'revisionHistoryLimit',
  'runtimeConfigRef',
]

/** The fields of the spec that this program applied. */
function appliedFields(live: KubernetesObject): readonly string[] {
  const fields = appliedEntry(live, CONTENT_MANAGER)?.fieldsV1
  return Object.keys(asObject(asObject(fields)['f:spec'])).map(field => field.replace(/^f:/, ''))
}
