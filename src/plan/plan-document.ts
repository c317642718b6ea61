import {API_VERSION} from '../api-version.js'
import type {Diagnostic} from '../diagnostic.js'
import {parseExactJson} from '../yaml/exact-json.js'
import type {JsonObject, JsonValue} from '../yaml/json-value.js'
import {CLUSTER_TARGET} from './cluster/state/cluster-target-name.js'
import {maskSecrets} from './cluster/state/mask-secrets.js'
import type {KeptObject, Operation, Plan} from './plan.js'
import type {LostInstance, UninstallImpact} from './uninstall-impact.js'

/** The kind of the document. */
const PLAN_KIND = 'Plan'

/** Formats a plan as JSON with sorted keys. */
export function formatPlan(plan: Plan): string {
  const document = {apiVersion: API_VERSION, ...planDocument(plan)}
  return `${JSON.stringify(document, (_, value: unknown) => (isPlainObject(value) ? sorted(value) : value), 2)}\n`
}

/** Returns the same as a value, without `apiVersion`. The values of a cluster's Secrets are masked. */
export function planDocument({
  operations,
  unchanged,
  rejections,
  origin,
  kept = [],
  impact,
}: Plan): JsonObject & {readonly kind: string} {
  return {
    kind: PLAN_KIND,
    ...(origin === undefined ? {} : {origin: {...origin}}),
    operations: operations.map(operation => defined(withoutSecrets(operation))),
    unchanged,
    rejections: rejections.map(defined),
    ...(kept.length === 0 ? {} : {kept: kept.map(defined)}),
    ...(impact === undefined ? {} : {impact: impactDocument(impact)}),
  }
}

function impactDocument({crds, dependents}: UninstallImpact): JsonObject {
  return {
    crds: crds.map(({first, ...crd}) => ({...crd, first: first.map(defined)})),
    dependents: dependents.map(dependent => ({...dependent})),
  }
}

/**
 * Masks the data of Secrets in a cluster: a plan of a cluster is made again before it is executed, so it needs no
 * secrets. The plan of a file must contain its content.
 */
function withoutSecrets(operation: Operation): Operation {
  const {target, object, content} = operation
  if (target !== CLUSTER_TARGET || object?.kind !== 'Secret' || content === undefined) return operation
  const {after} = maskSecrets({after: parseExactJson(content) as JsonObject})
  return {...operation, content: JSON.stringify(after)}
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(value: object): unknown {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Omits fields that are undefined: they would be written as null. */
function defined(value: Operation | Diagnostic | KeptObject | LostInstance): JsonObject {
  return Object.fromEntries<JsonValue>(Object.entries(value).filter(([, field]) => field !== undefined))
}
