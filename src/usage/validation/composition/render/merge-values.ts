import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../../../yaml/json-value.js'
import type {ValueWrite} from './field-values.js'
import {goJson} from './go-text.js'

/** Merges a value into that of a target by the policy `toFieldPath` of a patch. */
export function mergedValue(
  target: JsonValue | undefined,
  source: JsonValue,
  policy: JsonValue | undefined,
): ValueWrite {
  const options = POLICIES.get(typeof policy === 'string' ? policy : '')
  if (options === undefined || target === undefined) return {value: source}
  if (target === null || source === null) return {value: source}
  return mergedBy(target, source, options)
}

function mergedBy(target: JsonValue, source: JsonValue, options: MergeOptions): ValueWrite {
  const own =
    options.appends && isJsonArray(target) && isJsonArray(source) ? newItems(target, source) : source
  if (options.appends && isAppendedToOther(target, own))
    return {error: 'a list is appended to a value that is not a list'}
  return {value: merged(target, own, options)}
}

function isAppendedToOther(target: JsonValue, source: JsonValue): boolean {
  if (isJsonArray(source)) return source.length > 0 && target !== null && !isJsonArray(target)
  if (!isJsonObject(source) || !isJsonObject(target)) return false
  return Object.entries(source).some(
    ([name, value]) => Object.hasOwn(target, name) && isAppendedToOther(target[name] ?? null, value),
  )
}

interface MergeOptions {
  /** Whether the values of the target stay. */
  readonly keeps: boolean
  readonly appends: boolean
}

const POLICIES: ReadonlyMap<string, MergeOptions> = new Map(
  Object.entries({
    MergeObjects: {keeps: true, appends: false},
    MergeObject: {keeps: true, appends: false},
    MergeObjectsAppendArrays: {keeps: true, appends: true},
    ForceMergeObjects: {keeps: false, appends: false},
    ForceMergeObjectsAppendArrays: {keeps: false, appends: true},
    AppendArray: {keeps: false, appends: true},
  }),
)

function newItems(target: readonly JsonValue[], source: readonly JsonValue[]): readonly JsonValue[] {
  const own = new Set(target.map(item => goJson(item)))
  return source.filter(item => !own.has(goJson(item)))
}

function merged(target: JsonValue, source: JsonValue, options: MergeOptions): JsonValue {
  if (isJsonObject(target) && isJsonObject(source)) return mergedObject(target, source, options)
  if (options.appends && isJsonArray(target) && isJsonArray(source)) return [...target, ...source]
  return options.keeps && !isEmpty(target) ? target : source
}

function mergedObject(target: JsonObject, source: JsonObject, options: MergeOptions): JsonObject {
  const fields = Object.entries(source).map(([name, value]): [string, JsonValue] => {
    const own = Object.hasOwn(target, name) ? target[name] : undefined
    return [name, own === undefined || own === null ? value : merged(own, value, options)]
  })
  return {...target, ...Object.fromEntries(fields)}
}

/** The library that merges takes zeros for missing. */
function isEmpty(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0
  if (isJsonObject(value)) return Object.keys(value).length === 0
  return value === null || value === '' || value === false || Number(value) === 0
}
