import type {JsonValue} from '../../yaml/json-value.js'

/** A value in a line for a person: a text as it is, anything else as JSON, integers with all their digits. */
export function jsonInWords(value: JsonValue): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}
