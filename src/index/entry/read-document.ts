import {parseJson} from '../../fetch/json-document.js'
import {isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {FieldCheck} from './field-check.js'

/** The most bytes of an entry, and of a line of an index file. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024

/** The format that this program writes, and the newest that it reads. */
export const INDEX_FORMAT = 1

/** Bytes as one JSON object; undefined, with a fault, for anything else. Of a field twice the last counts. */
export function parseDocument(bytes: Uint8Array, check: FieldCheck): JsonObject | undefined {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    check.refuse(`it is longer than ${MAX_DOCUMENT_BYTES} bytes`, undefined, 'index-size')
    return undefined
  }
  const value = jsonOf(bytes)
  if (isJsonObject(value)) return value
  check.refuse('it is no JSON object', undefined, 'index-json')
  return undefined
}

function jsonOf(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(bytes, 'A document of an index')
  } catch {
    return undefined
  }
}

/** Whether a document is of that kind, in a format that this program reads: else nothing in it can be relied upon. */
export function isReadable(document: JsonObject, kind: string, check: FieldCheck): boolean {
  const {kind: given, formatVersion} = document
  if (given !== kind) {
    check.refuse(`kind must be ${kind}`, 'kind')
    return false
  }
  if (formatVersion === INDEX_FORMAT) return true
  const isNewer = typeof formatVersion === 'number' && formatVersion > INDEX_FORMAT
  check.refuse(
    isNewer
      ? `it has format ${formatVersion}, and this program reads formats up to ${INDEX_FORMAT}: a newer kubectl-crossplane wrote it`
      : `formatVersion must be ${INDEX_FORMAT}`,
    'formatVersion',
    isNewer ? 'index-format' : 'index-value',
  )
  return false
}
