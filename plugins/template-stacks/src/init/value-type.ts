import {isJsonArray, type JsonValue} from 'kubectl-crossplane/plugin'

/** Returns the type of a value in a JSON schema; numbers without a fraction are integers. */
export function valueType(value: JsonValue): string {
  if (value === null) return 'null'
  if (isJsonArray(value)) return 'array'
  if (typeof value === 'number' || typeof value === 'bigint') {
    return Number.isInteger(Number(value)) ? 'integer' : 'number'
  }
  return typeof value
}
