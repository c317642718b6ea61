import {quoted} from '../../text.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'

/** Returns a condition of an object by its type. */
export function conditionOf({status}: JsonObject, type: string): JsonObject | undefined {
  return asObjects(asObject(status).conditions).find(condition => condition.type === type)
}

/** The server's text, to follow a fact; nothing if there is none. */
export function afterColon(message: JsonValue | undefined): string {
  const text = asText(message).trim()
  return text === '' ? '' : `: ${quoted(text)}`
}
