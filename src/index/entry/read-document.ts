import {parseJson} from '../../fetch/json-document.js'
import {isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {FieldCheck} from './field-check.js'

/** The size limit of an entry, and of a line of an index file. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024

/** The format that is written, and the newest one that is read. */
export const INDEX_FORMAT = 1

/** Parses one JSON object; adds an error and returns undefined for anything else. The last of duplicate fields counts. */
export function parseDocument(bytes: Uint8Array, check: FieldCheck): JsonObject | undefined {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    check.reject(`has more than ${MAX_DOCUMENT_BYTES} bytes`, undefined, 'index-size')
    return undefined
  }
  const value = jsonOf(bytes)
  if (isJsonObject(value)) return value
  check.reject('not a JSON object', undefined, 'index-json')
  return undefined
}

function jsonOf(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(bytes, 'A document of an index')
  } catch {
    return undefined
  }
}

/** Reports whether a document has this kind and a known format; adds an error otherwise. */
export function isReadable(document: JsonObject, kind: string, check: FieldCheck): boolean {
  const {kind: documentKind, formatVersion} = document
  if (documentKind !== kind) {
    check.reject(`kind must be ${kind}`, 'kind')
    return false
  }
  if (formatVersion === INDEX_FORMAT) return true
  const isNewer = typeof formatVersion === 'number' && formatVersion > INDEX_FORMAT
  check.reject(
    isNewer
      ? `formatVersion ${formatVersion} is newer than ${INDEX_FORMAT}: upgrade kubectl-crossplane`
      : `formatVersion must be ${INDEX_FORMAT}`,
    'formatVersion',
    isNewer ? 'index-format' : 'index-value',
  )
  return false
}
