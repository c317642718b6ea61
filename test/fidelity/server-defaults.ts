import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'

/** Fields that an API server fills in where a Deployment leaves them out. */
const DEFAULTS = new Set([
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'dnsPolicy',
  'restartPolicy',
  'schedulerName',
  'terminationGracePeriodSeconds',
  'serviceAccount',
  'revisionHistoryLimit',
  'progressDeadlineSeconds',
  'replicas',
])

/** A Deployment as it was asked for: without defaults that ours does not give. */
export function withoutServerDefaults(document: JsonObject, ours: JsonObject | undefined): JsonObject {
  if (document.kind !== 'Deployment' || ours === undefined) return document
  return strip(document, ours, '') as JsonObject
}

function strip(theirs: JsonValue, ours: JsonValue | undefined, parent: string): JsonValue {
  if (Array.isArray(theirs)) {
    const items = Array.isArray(ours) ? (ours as readonly JsonValue[]) : []
    return theirs.map((item: JsonValue, index) => strip(item, items[index], parent))
  }
  if (typeof theirs !== 'object' || theirs === null) return theirs
  const mine = (typeof ours === 'object' && ours !== null ? ours : {}) as JsonObject
  const kept = Object.entries(theirs).filter(([key, item]) => key in mine || !isDefault(key, item, parent))
  return Object.fromEntries(kept.map(([key, item]) => [key, strip(item, mine[key], key)]))
}

function isDefault(key: string, value: JsonValue, parent: string): boolean {
  if (key === 'securityContext') return JSON.stringify(value) === '{}'
  return DEFAULTS.has(key) || parent === 'strategy' || (parent === 'fieldRef' && key === 'apiVersion')
}
