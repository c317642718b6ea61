import {isJsonArray, isJsonObject, type JsonValue} from '../../../../yaml/json-value.js'
import {type PathStep, pathText} from '../schema-path.js'

/** A value at a path, that there is none, or why there can be none. */
export type ValueRead = {readonly value: JsonValue} | {readonly missing: string} | {readonly error: string}

/** What a write makes of a value, or why it fails. */
export type ValueWrite = {readonly value: JsonValue} | {readonly error: string}

/** The largest index that a patch can write. */
const MAX_INDEX = 1024

/** Reads a path of an object as Crossplane does: a missing field and one of a null are not errors, a field of a text is. */
export function readAt(root: JsonValue, steps: readonly PathStep[]): ValueRead {
  let at = root
  for (const [index, step] of steps.entries()) {
    const next = readStep(at, step)
    if ('error' in next) return {error: `${pathText(steps.slice(0, index)) || 'it'} ${next.error}`}
    if ('missing' in next) return {missing: pathText(steps.slice(0, index + 1))}
    at = next.value
  }
  return {value: at}
}

function readStep(value: JsonValue, step: PathStep): ValueRead {
  if (typeof step === 'number') {
    if (!isJsonArray(value)) return {error: 'is not a list'}
    const item = value[step]
    return item === undefined ? {missing: ''} : {value: item}
  }
  if (value === null) return {missing: ''}
  if (!isJsonObject(value)) return {error: 'is not an object'}
  const name = fieldName(step)
  const field = Object.hasOwn(value, name) ? value[name] : undefined
  return field === undefined ? {missing: ''} : {value: field}
}

/** Outside of targets with several items, `[*]` is the name of a field. */
function fieldName(step: string): string {
  return step === '[*]' ? '*' : step
}

/** Writes a path of an object as Crossplane does: missing objects and lists are made, lists are filled with nulls. */
export function writeAt(root: JsonValue, steps: readonly PathStep[], value: JsonValue): ValueWrite {
  if (steps.some(step => typeof step === 'number' && step > MAX_INDEX))
    return {error: `an index is greater than ${MAX_INDEX}`}
  return writeStep(root, {steps, at: 0, value})
}

interface Writing {
  readonly steps: readonly PathStep[]
  readonly at: number
  readonly value: JsonValue
}

function writeStep(current: JsonValue, writing: Writing): ValueWrite {
  const step = writing.steps[writing.at]
  if (step === undefined) return {value: writing.value}
  return typeof step === 'number' ? writeItem(current, step, writing) : writeField(current, step, writing)
}

function writeItem(current: JsonValue, index: number, {steps, at, value}: Writing): ValueWrite {
  if (!isJsonArray(current)) return {error: `${pathText(steps.slice(0, at)) || 'it'} is not a list`}
  const below = prepared(current[index] ?? undefined, steps[at + 1])
  const inner = writeStep(below, {steps, at: at + 1, value})
  return 'error' in inner ? inner : {value: current.with(index, inner.value)}
}

function writeField(current: JsonValue, step: string, {steps, at, value}: Writing): ValueWrite {
  if (!isJsonObject(current)) return {error: `${pathText(steps.slice(0, at)) || 'it'} is not an object`}
  const name = fieldName(step)
  const below = prepared(Object.hasOwn(current, name) ? current[name] : undefined, steps[at + 1])
  const inner = writeStep(below, {steps, at: at + 1, value})
  return 'error' in inner ? inner : {value: {...current, [name]: inner.value}}
}

/** What the next step is written to: a null that exists is not replaced. */
function prepared(value: JsonValue | undefined, next: PathStep | undefined): JsonValue {
  if (typeof next !== 'number') return value === undefined ? {} : value
  if (value !== undefined && !isJsonArray(value)) return value
  const items = value ?? []
  return items.length > next
    ? items
    : [...items, ...Array.from({length: next + 1 - items.length}, () => null)]
}

/** Returns the paths that a path with `[*]` names: only those that exist. Items of a null are missing, as no source is. */
export function expandedPaths(
  root: JsonValue,
  steps: readonly PathStep[],
): readonly (readonly PathStep[])[] | {readonly error: string} | {readonly missing: string} {
  const at = steps.indexOf('[*]')
  const whole = readAt(root, at < 0 ? steps : steps.slice(0, at))
  if ('error' in whole) return whole
  if ('missing' in whole) return []
  if (at < 0) return [steps]
  if (whole.value === null) return {missing: pathText(steps.slice(0, at))}
  const paths: (readonly PathStep[])[] = []
  for (const key of keysOf(whole.value)) {
    const inner = expandedPaths(root, [...steps.slice(0, at), key, ...steps.slice(at + 1)])
    if ('error' in inner || 'missing' in inner) return inner
    paths.push(...inner)
  }
  return paths
}

function keysOf(value: JsonValue): readonly PathStep[] {
  if (isJsonArray(value)) return [...value.keys()]
  return isJsonObject(value) ? Object.keys(value) : []
}
