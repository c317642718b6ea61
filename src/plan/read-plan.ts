import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {present} from '../present.js'
import {count} from '../text.js'
import type {JsonObject} from '../yaml/json-value.js'
import {operationDiagnostics} from './operation-rules.js'
import type {Operation, Plan, PlanOrigin} from './plan.js'
import {PLAN} from './plan-shape.js'
import type {PlanDiagnostic} from './shape.js'

/** In bytes: far above the plan of the largest install set, and small enough for memory. */
export const MAX_PLAN_BYTES = 256 * 1024 * 1024

/**
 * Reads a saved plan from any source: the fields of the whole document are checked, and suggestions, which a user may
 * paste, are omitted. Each target checks which operations it accepts. Throws `input-invalid` with a diagnostic for each
 * wrong field.
 */
export function readPlan(bytes: Uint8Array, file: string): Plan {
  const document = objectIn(bytes, file)
  expectNone(PLAN(document, ''), file)
  const {operations, unchanged, origin} = document as unknown as PlanFields
  return present({operations: operations.map(withoutSuggestions), unchanged, rejections: [], origin})
}

/** The fields of a document that has the shape of a plan. */
interface PlanFields {
  readonly operations: readonly Operation[]
  readonly unchanged: number
  readonly origin?: PlanOrigin
}

function withoutSuggestions(operation: Operation): Operation {
  const {risks} = operation
  if (risks === undefined) return operation
  return {
    ...operation,
    risks: risks.map(({severity, rule, message}): Diagnostic => ({severity, rule, message})),
  }
}

/** Expects each operation to have exactly the fields of one that this program plans. Throws as `readPlan` does. */
export function expectWellFormed(operations: readonly Operation[], file: string): void {
  expectNone(operations.flatMap(operationDiagnostics), file)
}

function expectNone(diagnostics: readonly PlanDiagnostic[], file: string): void {
  if (diagnostics.length > 0) throw invalidPlan(file, diagnostics)
}

const MAX_DIAGNOSTICS = 20

/** Creates an `input-invalid` for a saved plan, with one diagnostic per invalid field. */
export function invalidPlan(file: string, diagnostics: readonly PlanDiagnostic[]): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot read the plan ${file}`, {
    diagnostics: planDiagnostics(file, diagnostics, 'plan-invalid'),
    suggestions: ['Save the plan again with --plan-out.'],
  })
}

/** Creates the error for operations that a plan cannot contain, although they are well-formed. */
export function refusedPlan(
  code: 'output-refused' | 'cluster-refused',
  file: string,
  diagnostics: readonly PlanDiagnostic[],
): CrossplaneError {
  const operations = count(diagnostics.length, 'operation')
  const isOne = diagnostics.length === 1
  return new CrossplaneError(
    code,
    `cannot apply the plan ${file}: ${operations} ${isOne ? 'is' : 'are'} not part of such a plan`,
    {
      diagnostics: planDiagnostics(file, diagnostics, 'plan-operation'),
      suggestions: ['Save the plan again with --plan-out, and review it.'],
    },
  )
}

function planDiagnostics(
  file: string,
  diagnostics: readonly PlanDiagnostic[],
  rule: string,
): readonly Diagnostic[] {
  const left = diagnostics.length - MAX_DIAGNOSTICS
  const shown = diagnostics.slice(0, MAX_DIAGNOSTICS).map(({field, message}): Diagnostic => {
    const place = field === '' ? '' : `${field}: `
    return {severity: 'error', rule, message: `${place}${message}`, file, field}
  })
  if (left <= 0) return shown
  return [...shown, {severity: 'error', rule, message: `${left} more are not shown`, file}]
}

function objectIn(bytes: Uint8Array, file: string): JsonObject {
  try {
    return parseJsonObject(bytes, file)
  } catch {
    throw invalidPlan(file, [{field: '', message: 'the text is not a JSON object'}])
  }
}
