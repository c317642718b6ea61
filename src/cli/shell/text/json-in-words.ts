import type {JsonValue} from '../../../yaml/json-value.js'

/** Formats a value for a line of text: a string as it is, anything else as JSON, integers with all their digits. */
export function jsonInWords(value: JsonValue): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}
