import {parseJsonObject} from '../fetch/json-document.js'
import {digestOf} from '../fetch/verified-bytes.js'
import {CrossplaneError} from '../errors.js'
import type {JsonObject} from '../yaml/json-value.js'

/** What this program writes; a document of a higher version is left to the program that wrote it. */
const FORMAT_VERSION = 1

/** As long as a document may be, in bytes: one of ten thousand files with long paths fits. */
export const DOCUMENT_BYTES = 16 * 1024 * 1024

/** What became of reading a document: `foreign` is one of another version, `damaged` one that nobody wrote so. */
export type Opened =
  | {readonly state: 'intact'; readonly body: JsonObject}
  | {readonly state: 'foreign'}
  | {readonly state: 'damaged'}

const DAMAGED: Opened = {state: 'damaged'}

/** A document as it is stored: one line with the digest of all that follows, then JSON. */
export function sealed(body: Readonly<Record<string, unknown>>): Uint8Array {
  const text = Buffer.from(`${JSON.stringify({formatVersion: FORMAT_VERSION, ...body})}\n`)
  return Buffer.concat([Buffer.from(`${digestOf(text)}\n`), text])
}

/** Reads it again; a single wrong, missing or additional byte makes it `damaged`. */
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
