import {hidden} from '../../http/hidden.js'
import {parseExactJson} from '../../yaml/exact-json.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import type {JsonObject, JsonValue} from '../../yaml/json-value.js'

/** One detail of a `Status`. */
export interface StatusCause {
  readonly field: string
  readonly message: string
  readonly reason: string
}

/** The server's description of a failure: metav1.Status, shortened. */
export interface ServerStatus {
  readonly reason: string
  readonly message: string
  readonly causes: readonly StatusCause[]
}

const MAX_TEXT = 4000
const MAX_CAUSES = 500

/** Reads the body of a failed response; text that is not a `Status` becomes its message. Removes `secrets`. */
export function serverStatusIn(body: Uint8Array, secrets: readonly string[]): ServerStatus {
  const text = new TextDecoder().decode(body)
  const shown = (part: string) => hidden(part.slice(0, MAX_TEXT), secrets)
  const status = statusIn(text)
  if (status === undefined) return {reason: '', message: shown(text.trim()), causes: []}
  const causes = asObjects(asObject(status.details).causes).slice(0, MAX_CAUSES)
  return {
    reason: shown(asText(status.reason)),
    message: shown(asText(status.message)),
    causes: causes.map(({field, message, reason}) => ({
      field: shown(asText(field)),
      message: shown(asText(message)),
      reason: shown(asText(reason)),
    })),
  }
}

function statusIn(text: string): JsonObject | undefined {
  const value = asObject(parsed(text))
  return value.kind === 'Status' ? value : undefined
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
