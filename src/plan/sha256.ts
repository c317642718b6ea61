import {createHash} from 'node:crypto'

/** 64 lowercase hex digits. */
export type Sha256 = string

/** The hash of bytes, or of a text's UTF-8 bytes. */
export function sha256Of(content: string | Uint8Array): Sha256 {
  return createHash('sha256').update(content).digest('hex')
}
