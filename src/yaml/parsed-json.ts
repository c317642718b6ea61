import type {JsonValue} from './json-value.js'

/** Reads JSON text that others wrote; null for any other text. */
export function parsedJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return null
  }
}
