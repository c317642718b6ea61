import {API_VERSION} from '../api-version.js'
import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {parseJsonObject} from '../fetch/json-document.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {present} from '../present.js'
import {PHASES} from '../render/install-set.js'
import {quoted} from '../text.js'
import {asObjects, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {ACTIONS, type Operation, type Plan, type PlanOrigin, type Precondition} from './plan.js'
import {PLAN_KIND} from './plan-document.js'

/** In bytes: far above the plan of the largest install set, and small enough for memory. */
export const MAX_PLAN_BYTES = 256 * 1024 * 1024

/**
 * Reads a saved plan from any source: its fields are checked, and suggestions, which a user may paste, are omitted. Each
 * target checks which operations it accepts. Throws `input-invalid` with a diagnostic for each wrong field.
 */
export function readPlan(bytes: Uint8Array, file: string): Plan {
  const document = objectIn(bytes, file)
  if (document.apiVersion !== API_VERSION || document.kind !== PLAN_KIND) {
    throw invalidPlan(file, [
      {field: 'kind', message: `the document is not a ${PLAN_KIND} of ${API_VERSION}`},
    ])
  }
  const operations = isJsonArray(document.operations) ? document.operations.map(operationIn) : []
  const origin = originIn(document.origin)
  const diagnostics: PlanDiagnostic[] = [
    ...fieldDiagnostics(document),
    ...operations.flatMap((operation, index) =>
      typeof operation === 'string' ? [{field: `operations[${index}]`, message: operation}] : [],
    ),
    ...(origin === null ? [{field: 'origin', message: 'the field does not show how the plan was made'}] : []),
  ]
  if (diagnostics.length > 0) throw invalidPlan(file, diagnostics)
  return {
    operations: operations.filter(operation => typeof operation !== 'string'),
    unchanged: Number(document.unchanged),
    rejections: [],
    ...(origin === null || origin === undefined ? {} : {origin}),
  }
}

function fieldDiagnostics({operations, unchanged, rejections = []}: JsonObject): PlanDiagnostic[] {
  return [
    ...(isJsonArray(operations) ? [] : [{field: 'operations', message: 'the field is not a list'}]),
    ...(isCount(unchanged) ? [] : [{field: 'unchanged', message: 'the field is not a count'}]),
    ...(asObjects(rejections).length > 0
      ? [{field: 'rejections', message: 'a plan with rejections cannot be executed'}]
      : []),
  ]
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
  const {action} = value
  const known = ACTIONS.find(text => text === action)
  if (known === undefined) return `unknown action ${quoted(JSON.stringify(action ?? null))}`
  const texts = textsIn(value)
  if (texts === null) return 'target, path, reason or content is not a string'
  const precondition = preconditionIn(value.precondition)
  if (precondition === null) return 'precondition is neither {"absent": true} nor a sha256 or uid'
  const object = objectNameIn(value.object)
  if (object === null) return 'object lacks apiVersion, kind or name'
  const risks = risksIn(value.risks)
  if (risks === null) return 'risks are not a list of warnings'
  const applied = appliedIn(value)
  if (applied === null) return 'phase, manager, force, labels or finalizers is invalid'
  return {action: known, ...texts, object, ...applied, risks, precondition}
}

/** Returns `null` for values that are not texts. */
function textsIn({
  target,
  path,
  reason,
  content,
}: JsonObject): Pick<Operation, 'target' | 'path' | 'reason' | 'content'> | null {
  if (typeof target !== 'string' || typeof reason !== 'string') return null
  return isTextOrAbsent(path) && isTextOrAbsent(content) ? {target, path, reason, content} : null
}

/** The fields of an operation on a cluster. Returns `null` for values that they cannot have. */
function appliedIn({
  phase,
  manager,
  force,
  labels,
  finalizers,
}: JsonObject): Pick<Operation, 'phase' | 'manager' | 'force' | 'labels' | 'finalizers'> | null {
  const known = PHASES.find(text => text === phase)
  if (phase !== undefined && known === undefined) return null
  if (!isTextOrAbsent(manager) || (force !== undefined && typeof force !== 'boolean')) return null
  if (!areTextsOrAbsent(labels) || !areTextsOrAbsent(finalizers)) return null
  return {
    phase: known,
    manager,
    force,
    ...present({labels, finalizers}),
  }
}

/** Returns `null` for a value that is not a list of risks. */
function risksIn(value: JsonValue | undefined): readonly Diagnostic[] | undefined | null {
  if (value === undefined) return undefined
  if (!isJsonArray(value)) return null
  const risks = value.map(riskIn)
  return risks.includes(null) ? null : risks.filter(diagnostic => diagnostic !== null)
}

function riskIn(value: JsonValue): Diagnostic | null {
  if (!isJsonObject(value)) return null
  const {severity, rule, message} = value
  if (severity !== 'warning' || typeof rule !== 'string' || typeof message !== 'string') return null
  return {severity, rule, message}
}

/** Returns `null` for a value that is not the origin of a plan. */
function originIn(value: JsonValue | undefined): PlanOrigin | undefined | null {
  if (value === undefined) return undefined
  if (!isJsonObject(value)) return null
  const {command, arguments: words, context, server, toolVersion} = value
  if (typeof command !== 'string' || typeof toolVersion !== 'string') return null
  if (typeof context !== 'string' || typeof server !== 'string' || !isJsonArray(words)) return null
  const texts = words.filter(word => typeof word === 'string')
  if (texts.length < words.length) return null
  return {command, arguments: texts, context, server, toolVersion}
}

/** Returns `null` for a value that is not a precondition. */
function preconditionIn(value: JsonValue | undefined): Precondition | undefined | null {
  if (value === undefined) return undefined
  if (!isJsonObject(value)) return null
  const {absent, sha256, uid} = value
  if (!isTextOrAbsent(uid)) return null
  const same = uid === undefined ? {} : {uid}
  if (absent === undefined) return stateIn(sha256, uid)
  return absent === true && sha256 === undefined ? {absent, ...same} : null
}

/** The precondition on an object that exists. */
function stateIn(sha256: JsonValue | undefined, uid: string | undefined): Precondition | null {
  if (uid === undefined) return isSha256(sha256) ? {sha256} : null
  if (sha256 === undefined) return {uid}
  return isSha256(sha256) ? {sha256, uid} : null
}

function isSha256(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

/** Returns `null` for a value that does not identify an object. */
function objectNameIn(value: JsonValue | undefined): ObjectName | undefined | null {
  if (value === undefined) return undefined
  if (!isJsonObject(value)) return null
  const {apiVersion, kind, namespace, name} = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return null
  if (!isTextOrAbsent(namespace)) return null
  return {apiVersion, kind, ...present({namespace}), name}
}

function isTextOrAbsent(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function areTextsOrAbsent(value: JsonValue | undefined): value is readonly string[] | undefined {
  return value === undefined || (isJsonArray(value) && value.every(item => typeof item === 'string'))
}

function isCount(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
