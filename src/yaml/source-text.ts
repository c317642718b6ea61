import {throwYamlError} from './yaml-error.js'

const MEBIBYTE = 1024 * 1024
/** The maximum size of a file in bytes. */
export const MAX_FILE_BYTES = 16 * MEBIBYTE

/**
 * Characters that go-yaml rejects everywhere in a text, even in a comment; and the three line breaks that exist in YAML
 * 1.1, but not in YAML 1.2 and JSON, so that readers disagree on the end of a line.
 */
// eslint-disable-next-line no-control-regex -- it finds them
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]/

/**
 * Decodes the text of a file: UTF-8 without byte order marks, each line ended by a single line feed. Throws
 * `input-invalid` for other encodings, control characters and size.
 */
export function sourceText(bytes: Uint8Array, file: string): string {
  if (bytes.length > MAX_FILE_BYTES) {
    throwYamlError('yaml-limit', `a file may have ${MAX_FILE_BYTES / MEBIBYTE} MiB`, file, 1)
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throwYamlError('yaml-encoding', 'the file is UTF-16; it has to be UTF-8', file, 1)
  }
  const text = withPlainLines(decode(bytes, file))
  const forbidden = FORBIDDEN.exec(text)
  if (forbidden === null) return text
  const line = text.slice(0, forbidden.index).split('\n').length
  const code = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return throwYamlError('yaml-encoding', `the character U+${code} has to be written as an escape`, file, line)
}

/** go-yaml skips a byte order mark at the start of any line: files are concatenated with theirs. */
function withPlainLines(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return lines.includes('\ufeff') ? lines.replace(/^\ufeff/gm, '') : lines
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    return throwYamlError('yaml-encoding', 'the bytes are not UTF-8', file, firstUndecodableLine(bytes))
  }
}

/** No UTF-8 sequence contains the byte of a line feed, so each line can be decoded by itself. */
function firstUndecodableLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  let start = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    try {
      decoder.decode(bytes.subarray(start, end === -1 ? undefined : end))
    } catch {
      return line
    }
    start = end + 1
    if (end === -1) return line
  }
}
