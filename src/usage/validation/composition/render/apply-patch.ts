import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../../../yaml/json-value.js'
import {isJsonArray, isJsonObject} from '../../../../yaml/json-value.js'
import type {PlacedPatch} from '../composition-finding.js'
import {parsePath, type PathStep} from '../schema-path.js'
import type {PatchSource} from './composite-source.js'
import {expandedPaths, readAt, writeAt} from './field-values.js'
import {goFormat} from './go-text.js'
import {mergedValue} from './merge-values.js'
import type {TransformOutcome} from './outcome.js'
import {type PatternReader, transformedValue} from './transform-value.js'

/** A field that a patch writes, or would write if it were certain. */
interface PatchWrite {
  readonly steps: readonly PathStep[]
  readonly place: FieldPath
}

/** An object that patches write. */
export interface PatchTarget {
  readonly object: JsonValue
  readonly writes: readonly PatchWrite[]
  /** Fields of which the value is not certain. */
  readonly open: readonly (readonly PathStep[])[]
  /** Fields that a patch does not set, because its source has no value. */
  readonly skipped: readonly PatchWrite[]
  /** Whether whole numbers are written as int64: patches of the same step read them again. */
  readonly keepsWhole?: true
}

/** Why a patch fails, and where. */
export interface PatchFailure {
  readonly place: FieldPath
  readonly message: string
}

/** What a patch does: it changes the target, has no source, or fails. */
export type PatchResult =
  | {readonly target: PatchTarget; readonly missing?: string}
  | {readonly failure: PatchFailure}

/** Applies a patch as function-patch-and-transform does. */
export function appliedPatch(
  placed: PlacedPatch,
  source: PatchSource,
  target: PatchTarget,
  reader: PatternReader,
): PatchResult {
  const {patch, place} = placed
  const input = inputOf(patch, source)
  if ('error' in input) return failureAt([...place, ...input.below], input.error)
  const to = targetPath(patch)
  if ('missing' in input)
    return {target: skippedTarget(target, {steps: to.steps, place}), missing: input.missing}
  const output = transformedInput(input, patch, reader)
  if ('error' in output) return failureAt([...place, 'transforms', output.index ?? 0], output.error)
  if ('isUncertain' in output) return {target: {...target, open: [...target.open, to.steps]}}
  const result = to.error ?? writtenTarget(target, output.value, {...placed, steps: to.steps})
  if (typeof result === 'object' && 'missing' in result)
    return {target: skippedTarget(target, {steps: to.steps, place}), missing: result.missing}
  return typeof result === 'string' ? failureAt([...place, 'toFieldPath'], result) : {target: result}
}

function isCombined({type}: JsonObject): boolean {
  return asText(type).startsWith('Combine')
}

/** Without a target, a value is written to the path that it is read from. */
function targetPath(patch: JsonObject): {readonly steps: readonly PathStep[]; readonly error?: string} {
  const text = isCombined(patch) ? patch.toFieldPath : (patch.toFieldPath ?? patch.fromFieldPath)
  const steps = parsePath(asText(text))
  return 'error' in steps ? {steps: [], error: steps.error} : {steps}
}

function skippedTarget(target: PatchTarget, write: PatchWrite): PatchTarget {
  return {...target, skipped: [...target.skipped, write]}
}

function failureAt(place: FieldPath, message: string): PatchResult {
  return {failure: {place, message}}
}

function transformedInput(
  input: {readonly value: JsonValue} | {readonly isUncertain: true},
  {transforms}: JsonObject,
  reader: PatternReader,
): ReturnType<typeof transformedValue> {
  return 'isUncertain' in input ? input : transformedValue(input.value, asObjects(transforms), reader)
}

type PatchInput = TransformOutcome | {readonly missing: string}
type PlacedInput =
  | Exclude<PatchInput, {readonly error: string}>
  | {readonly error: string; readonly below: FieldPath}

function inputOf(patch: JsonObject, source: PatchSource): PlacedInput {
  return isCombined(patch)
    ? combinedInput(patch, source)
    : inputAt(asText(patch.fromFieldPath), source, ['fromFieldPath'])
}

function inputAt(path: string, source: PatchSource, below: FieldPath): PlacedInput {
  const steps = parsePath(path)
  if ('error' in steps) return {error: `the path ${path} is malformed: ${steps.error}`, below}
  const read = source.read(steps)
  return 'error' in read ? {error: `the path ${path}: ${read.error}`, below} : read
}

function combinedInput({combine}: JsonObject, source: PatchSource): PlacedInput {
  const {variables, string} = asObject(combine)
  const values: JsonValue[] = []
  let isUncertain = false
  for (const [index, {fromFieldPath}] of asObjects(variables).entries()) {
    const input = inputAt(asText(fromFieldPath), source, ['combine', 'variables', index, 'fromFieldPath'])
    if ('error' in input || 'missing' in input) return input
    if ('value' in input) values.push(input.value)
    else isUncertain = true
  }
  const text = isUncertain ? undefined : goFormat(asText(asObject(string).fmt), values)
  return text === undefined ? {isUncertain: true} : {value: text}
}

interface Writing extends PlacedPatch {
  readonly steps: readonly PathStep[]
}

/** Returns why the write fails, or the list of which all items are written and that is null. */
function writtenTarget(
  target: PatchTarget,
  value: JsonValue,
  writing: Writing,
): PatchTarget | string | {readonly missing: string} {
  const {patch, place, steps} = writing
  if (steps.length === 0) return target
  const expanded = writtenPaths(target, patch, steps)
  const isOpen = target.open.some(open => startsWith(steps, open))
  if ('missing' in expanded) return isOpen ? target : expanded
  const paths = 'error' in expanded ? [] : expanded
  const result =
    paths.length === 0
      ? 'no item has the field'
      : writtenObject(target.object, paths, {
          ...writing,
          value: target.keepsWhole === true ? wholes(value) : integers(value),
        })
  if (typeof result !== 'string')
    return {
      ...target,
      object: result.value,
      writes: [...target.writes, ...paths.map(path => ({steps: path, place}))],
    }
  if (isOpen) return target
  return 'error' in expanded ? expanded.error : result
}

function writtenPaths(
  {object}: PatchTarget,
  patch: JsonObject,
  steps: readonly PathStep[],
): ReturnType<typeof expandedPaths> {
  return steps.includes('[*]') && !isCombined(patch) ? expandedPaths(object, steps) : [steps]
}

function writtenObject(
  object: JsonValue,
  paths: readonly (readonly PathStep[])[],
  {patch, value}: Writing & {readonly value: JsonValue},
): {readonly value: JsonValue} | string {
  const policy = asObject(patch.policy).toFieldPath
  let current = object
  for (const path of paths) {
    const own = readAt(current, path)
    const whole = mergedValue('value' in own ? own.value : undefined, value, policy)
    if ('error' in whole) return whole.error
    const next = writeAt(current, path, whole.value)
    if ('error' in next) return next.error
    current = next.value
  }
  return {value: current}
}

function startsWith(steps: readonly PathStep[], start: readonly PathStep[]): boolean {
  return start.every((step, at) => at >= steps.length || step === '[*]' || step === steps[at])
}

function wholes(value: JsonValue): JsonValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (isJsonArray(value)) return value.map(wholes)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, wholes(field)]))
}

/** JSON has one kind of numbers. */
function integers(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (isJsonArray(value)) return value.map(integers)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, integers(field)]))
}
