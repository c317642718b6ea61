import {Buffer} from 'node:buffer'
import {CrossplaneError} from 'kubectl-crossplane/plugin'
import type {Files, InspectRequest, RenderRequest} from './engine.js'

/** What one request can have. Templates of real packages have some dozens of files and some hundred KiB. */
const INPUT_LIMITS = {files: 10_000, bytes: 64 << 20} as const

/** The size of what a request can print, in bytes. */
const MAX_OUTPUT = 64 << 20

/** A request as the program of the engines reads it. */
export type EngineCall = {readonly op: 'render' | 'inspect'} & (RenderRequest | InspectRequest)

/**
 * Returns the bytes of a request: the size of its header as 32 bits, the header as JSON, the contents of its files.
 * Files are in the order of their paths, so that the same package gives the same bytes whatever it was read from.
 */
export function requestBytes(call: EngineCall): Uint8Array<ArrayBuffer> {
  const files = 'files' in call ? sortedFiles(call.files) : []
  const listed = files.map(([path, content]) => ({path, size: content.length}))
  const header = Buffer.from(JSON.stringify({...call, files: listed, maxOutput: MAX_OUTPUT}))
  const size = files.reduce((sum, [, content]) => sum + content.length, header.length)
  if (size > INPUT_LIMITS.bytes)
    throw tooLarge(`the input has more than ${String(INPUT_LIMITS.bytes >> 20)} MiB`)
  const bytes = new Uint8Array(4 + size)
  new DataView(bytes.buffer).setUint32(0, header.length, true)
  bytes.set(header, 4)
  let at = 4 + header.length
  for (const [, content] of files) {
    bytes.set(content, at)
    at += content.length
  }
  return bytes
}

function sortedFiles(files: Files): readonly (readonly [string, Uint8Array])[] {
  if (files.size > INPUT_LIMITS.files)
    throw tooLarge(`there are ${String(files.size)} files, more than ${String(INPUT_LIMITS.files)}`)
  for (const path of files.keys()) if (!isInside(path)) throw outside(path)
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Whether a path has neither empty segments nor such that mean another folder. */
function isInside(path: string): boolean {
  return path
    .split('/')
    .every(
      segment => segment !== '' && segment !== '.' && segment !== '..' && !/[\0\\]|^[a-z]:/i.test(segment),
    )
}

function tooLarge(cause: string): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `cannot read the templates: ${cause}`)
}

function outside(path: string): CrossplaneError {
  return new CrossplaneError(
    'source-unsafe',
    `cannot read the templates: ${JSON.stringify(path)} is not a path within a folder`,
  )
}
