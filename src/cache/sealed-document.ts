import {parseJsonObject} from '../fetch/json-document.js'
import {digestOf} from '../fetch/verified-bytes.js'
import {CrossplaneError} from '../errors.js'
import type {JsonObject} from '../yaml/json-value.js'

/** The version that this program writes; a document of a higher version is left to the program that wrote it. */
const FORMAT_VERSION = 1

/** The maximum size of a document in bytes: one of ten thousand files with long paths fits. */
export const DOCUMENT_BYTES = 16 * 1024 * 1024

/** The outcome of reading a document: `foreign` has another format version, `damaged` does not match its digest. */
export type Opened =
  | {readonly state: 'intact'; readonly body: JsonObject}
  | {readonly state: 'foreign'}
  | {readonly state: 'damaged'}

const DAMAGED: Opened = {state: 'damaged'}

/** Serializes a document: one line with the digest of all that follows, then JSON. */
export function sealed(body: Readonly<Record<string, unknown>>): Uint8Array {
  const text = Buffer.from(`${JSON.stringify({formatVersion: FORMAT_VERSION, ...body})}\n`)
  return Buffer.concat([Buffer.from(`${digestOf(text)}\n`), text])
}

/** Reads what `sealed` wrote; a single wrong, missing or additional byte makes it `damaged`. */
export function opened(bytes: Uint8Array): Opened {
  const end = bytes.indexOf(0x0a)
  const text = bytes.subarray(end + 1)
  if (end === -1 || Buffer.from(bytes.subarray(0, end)).toString('latin1') !== digestOf(text)) return DAMAGED
  const body = objectIn(text)
  if (typeof body?.formatVersion !== 'number') return DAMAGED
  return body.formatVersion === FORMAT_VERSION ? {state: 'intact', body} : {state: 'foreign'}
}

function objectIn(text: Uint8Array): JsonObject | undefined {
  try {
    return parseJsonObject(text, 'the document')
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}
