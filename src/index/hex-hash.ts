import {digestOf} from '../fetch/verified-bytes.js'

/** Returns the first hex digits of the SHA-256 of a text. */
export function hexHash(text: string, length: number): string {
  return hexHashOf(Buffer.from(text), length)
}

/** Does the same for bytes. */
export function hexHashOf(bytes: Uint8Array, length: number): string {
  const from = 'sha256:'.length
  return digestOf(bytes).slice(from, from + length)
}
