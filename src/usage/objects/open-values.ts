import {valueAt} from '../../yaml/value-at.js'
import {UNKNOWN_FIELD, type ValueError} from '../../crd/instances/check-object.js'
import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {UsedObject} from './used-object.js'

/** Flux and other programs replace variables, Helm templates, and SOPS what it encrypted, before they apply an object. */
const OPEN = /\$\{\w+|\{\{|^ENC\[\w+,data:/

/** The keyword of an error of a value for which what is in it does not count, as for its type. */
export const WHOLE = 'whole'

/** Reports whether a text has a part that a program replaces before the object is applied. */
export function isOpenText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && OPEN.test(value)
}

/** Reports whether an error may be due to a variable or a template: it can be gone when the object is applied. */
export function isOpenError(
  object: JsonObject,
  {place, keyword}: Pick<ValueError, 'place' | 'keyword'>,
): boolean {
  if (place.some(isOpenStep)) return true
  if (keyword === UNKNOWN_FIELD) return false
  const value = valueAt(object, place)
  // No variable changes the type of what is around it.
  return keyword === 'type' || keyword === WHOLE ? isOpenText(value) : hasOpenText(value)
}

/** Returns why an error is not reported: it can be gone when the object is applied. Crossplane applies those of packages as they are. */
export function openReason(
  {value, changedBy, configuration}: Pick<UsedObject, 'value' | 'changedBy' | 'configuration'>,
  error: Pick<ValueError, 'place' | 'keyword' | 'message'>,
): string | undefined {
  if (configuration !== undefined) return undefined
  if (isOpenError(value, error)) return `${OPEN_VALUE}: ${error.message}`
  const file = changedBy?.(error.place, error.keyword)
  return file === undefined ? undefined : `${file} may change it: ${error.message}`
}

const OPEN_VALUE = 'it contains a variable, a template or an encrypted value'

function isOpenStep(step: string | number): boolean {
  return isOpenText(step)
}

function hasOpenText(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.some(hasOpenText)
  if (!isJsonObject(value)) return isOpenText(value)
  return Object.entries(value).some(([name, part]) => isOpenText(name) || hasOpenText(part))
}
