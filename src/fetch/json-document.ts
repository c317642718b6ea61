import {CrossplaneError} from '../errors.js'
import {isJsonObject} from '../yaml/json-value.js'
import type {JsonObject, JsonValue} from '../yaml/json-value.js'

/** Reads bytes as one JSON document; throws `source-invalid`, naming `holder`, for anything else. */
export function parseJson(bytes: Uint8Array, holder: string): JsonValue {
  try {
    return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes)) as JsonValue
  } catch (cause) {
    throw new CrossplaneError('source-invalid', `${holder} is not valid JSON`, {cause})
  }
}

/** The same for a document that has to be an object. */
export function parseJsonObject(bytes: Uint8Array, holder: string): JsonObject {
  const value = parseJson(bytes, holder)
  if (isJsonObject(value)) return value
  throw new CrossplaneError('source-invalid', `${holder} is not a JSON object`)
}
