import {API_VERSION} from '../api-version.js'
import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {parseJsonObject} from '../fetch/json-document.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {quoted} from '../text.js'
import {asObjects, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {ACTIONS, type Operation, type Plan, type Precondition} from './plan.js'

const KIND = 'Plan'

/** In bytes: far above the plan of the largest install set, and small enough for memory. */
export const MAX_PLAN_BYTES = 256 * 1024 * 1024

/** Formats a plan as JSON with sorted keys. */
export function formatPlan(plan: Plan): string {
  const document = {apiVersion: API_VERSION, ...planDocument(plan)}
  return `${JSON.stringify(document, (_, value: unknown) => (isPlainObject(value) ? sorted(value) : value), 2)}\n`
}

/** Returns the same as a value, without `apiVersion`. */
export function planDocument({
  operations,
  unchanged,
  rejections,
}: Plan): JsonObject & {readonly kind: string} {
  return {
    kind: KIND,
    operations: operations.map(defined),
    unchanged,
    rejections: rejections.map(defined),
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(value: object): unknown {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Without the fields that are undefined: they would be written as null. */
function defined(value: Operation | Diagnostic): JsonObject {
  return Object.fromEntries<JsonValue>(Object.entries(value).filter(([, field]) => field !== undefined))
}

/**
 * Reads a saved plan from any source: fields that are executed are checked, risks and their suggestions are omitted.
 * Each target checks which operations it accepts. Throws `input-invalid` with a diagnostic for each wrong field.
 */
export function readPlan(bytes: Uint8Array, file: string): Plan {
  const {apiVersion, kind, operations, unchanged, rejections = []} = objectIn(bytes, file)
  if (apiVersion !== API_VERSION || kind !== KIND) {
    throw invalidPlan(file, [{field: 'kind', message: `the document is not a ${KIND} of ${API_VERSION}`}])
  }
  const read = (isJsonArray(operations) ? operations : []).map(operationIn)
  const diagnostics: PlanDiagnostic[] = [
    ...(isJsonArray(operations) ? [] : [{field: 'operations', message: 'the field is not a list'}]),
    ...read.flatMap((each, index) =>
      typeof each === 'string' ? [{field: `operations[${index}]`, message: each}] : [],
    ),
    ...(isCount(unchanged) ? [] : [{field: 'unchanged', message: 'the field is not a count'}]),
    ...(asObjects(rejections).length > 0
      ? [{field: 'rejections', message: 'a plan with rejections cannot be executed'}]
      : []),
  ]
  if (diagnostics.length > 0) throw invalidPlan(file, diagnostics)
  return {
    operations: read.filter((each): each is Operation => typeof each !== 'string'),
    unchanged: Number(unchanged),
    rejections: [],
  }
}

/** A field of a saved plan and the reason why it is invalid. */
export interface PlanDiagnostic {
  readonly field: string
  readonly message: string
}

/** Creates an `input-invalid` for a saved plan, with one diagnostic per invalid field. */
export function invalidPlan(file: string, diagnostics: readonly PlanDiagnostic[]): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot read the plan ${file}`, {
    diagnostics: diagnostics.map(({field, message}) => ({
      severity: 'error',
      rule: 'plan-invalid',
      message,
      file,
      field,
    })),
    suggestions: ['Save the plan again with --plan-out.'],
  })
}

function objectIn(bytes: Uint8Array, file: string): JsonObject {
  try {
    return parseJsonObject(bytes, file)
  } catch {
    throw invalidPlan(file, [{field: '', message: 'the text is not a JSON object'}])
  }
}

/** Returns the operation, or the reason why it is invalid. */
function operationIn(value: JsonValue): Operation | string {
  if (!isJsonObject(value)) return 'the operation is not an object'
  const {action, target, path, object, reason, precondition, content} = value
  const known = ACTIONS.find(each => each === action)
  if (known === undefined) return `unknown action ${quoted(JSON.stringify(action ?? null))}`
  if (typeof target !== 'string') return 'target is not a string'
  if (!isTextOrAbsent(path) || !isTextOrAbsent(content)) return 'path or content is not a string'
  if (typeof reason !== 'string') return 'reason is not a string'
  const condition = preconditionIn(precondition)
  if (condition === null) return 'precondition is neither {"absent": true} nor a sha256'
  const name = objectNameIn(object)
  if (name === null) return 'object lacks apiVersion, kind or name'
  return {action: known, target, path, object: name, reason, precondition: condition, content}
}

/** Returns `null` for a value that is not a precondition. */
function preconditionIn(value: JsonValue | undefined): Precondition | undefined | null {
  if (value === undefined) return undefined
  if (!isJsonObject(value)) return null
  const {absent, sha256, uid} = value
  if (absent === true && sha256 === undefined) return {absent}
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256) || absent !== undefined) return null
  if (!isTextOrAbsent(uid)) return null
  return uid === undefined ? {sha256} : {sha256, uid}
}

/** Returns `null` for a value that does not identify an object. */
function objectNameIn(value: JsonValue | undefined): ObjectName | undefined | null {
  if (value === undefined) return undefined
  if (!isJsonObject(value)) return null
  const {apiVersion, kind, namespace, name} = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return null
  if (!isTextOrAbsent(namespace)) return null
  return {apiVersion, kind, ...(namespace === undefined ? {} : {namespace}), name}
}

function isTextOrAbsent(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function isCount(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
