import {createHash} from 'node:crypto'

/** 64 lowercase hex digits. */
export type Sha256 = string

/** The hash of bytes, or of a text's UTF-8 bytes. */
export function sha256Of(content: string | Uint8Array): Sha256 {
  return createHash('sha256').update(content).digest('hex')
}

const hashes = new WeakMap<{readonly content: string}, Sha256>()

/** The hash of a file's content, which is computed once: several stages compare it. */
export function contentHash(file: {readonly content: string}): Sha256 {
  const before = hashes.get(file)
  if (before !== undefined) return before
  const hash = sha256Of(file.content)
  hashes.set(file, hash)
  return hash
}
