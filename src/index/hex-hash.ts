import {digestOf} from '../fetch/verified-bytes.js'

/** The first so many hex digits of the SHA-256 of a text. */
export function hexHash(text: string, length: number): string {
  const from = 'sha256:'.length
  return digestOf(Buffer.from(text)).slice(from, from + length)
}
