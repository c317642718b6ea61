import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../../../yaml/json-value.js'
import {goJson} from './go-text.js'

/** Merges a value into that of a target by the policy `toFieldPath` of a patch. */
export function mergedValue(
  target: JsonValue | undefined,
  source: JsonValue,
  policy: JsonValue | undefined,
): JsonValue {
  const options = POLICIES.get(typeof policy === 'string' ? policy : '')
  if (options === undefined || target === undefined || target === null || source === null) return source
  const own =
    options.appends && isJsonArray(target) && isJsonArray(source) ? newItems(target, source) : source
  return merged(target, own, options)
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
  if (options.keeps) return isEmpty(target) ? source : target
  return isEmpty(source) ? target : source
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
