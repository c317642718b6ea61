import {CrossplaneError} from '../errors.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {asObjects, asText, type JsonObject} from '../yaml/json-value.js'

/** Reads a trusted root, as `cosign trusted-root create` writes it. Throws `input-invalid`, naming `holder`. */
export function readTrustedRoot(bytes: Uint8Array, holder: string): JsonObject {
  const root = jsonIn(bytes, holder)
  const isRoot = asText(root['mediaType']).startsWith('application/vnd.dev.sigstore.trustedroot')
  const isUseful = asObjects(root['tlogs']).length > 0
  if (isRoot && isUseful) return withLists(root)
  throw unreadable(`${holder} is not a trusted root with a transparency log`)
}

function jsonIn(bytes: Uint8Array, holder: string): JsonObject {
  try {
    return parseJsonObject(bytes, holder)
  } catch (error) {
    throw unreadable((error as Error).message)
  }
}

function unreadable(message: string): CrossplaneError {
  return new CrossplaneError('input-invalid', message, {
    suggestions: ['Write a trusted root with cosign trusted-root create.'],
  })
}

/** Lists without entries are left out of JSON of protocol buffers. */
function withLists(root: JsonObject): JsonObject {
  const lists = {tlogs: [], certificateAuthorities: [], ctlogs: [], timestampAuthorities: []}
  return {...lists, ...root}
}
