import {createHash} from 'node:crypto'
import type {Hash} from 'node:crypto'
import {CrossplaneError} from '../errors.js'
import type {Digest} from './image.js'

/** The expected digest and size of bytes; a size alone is checked, too. */
export interface Expected {
  readonly digest?: Digest
  readonly size?: number
}

/**
 * Passes chunks on and verifies them: throws `digest-mismatch` as soon as there are too many bytes, and at the end if
 * there are too few or their digest differs. With a size, the last chunk is passed on only if the digest is right, so
 * that a receiver that counts bytes never gets all of a wrong blob. `holder` starts the sentence of the error.
 */
export async function* verifiedBytes(
  chunks: AsyncIterable<Uint8Array>,
  expected: Expected,
  holder: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > (expected.size ?? Infinity))
      throw mismatch(holder, `is larger than its ${expected.size} bytes`)
    if (expected.digest !== undefined) hash.update(chunk)
    if (size === expected.size) verifyDigest(hash, expected, holder)
    yield chunk
  }
  if (size < (expected.size ?? 0)) throw mismatch(holder, `has ${size} bytes instead of ${expected.size}`)
  verifyDigest(hash, expected, holder)
}

function verifyDigest(hash: Hash, expected: Expected, holder: string): void {
  if (expected.digest === undefined) return
  const digest = `sha256:${hash.copy().digest('hex')}`
  if (digest !== expected.digest) throw mismatch(holder, `has the digest ${digest} instead`)
}

/** Joins all chunks; throws `limit-exceeded` for more than `limit` bytes. */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  holder: string,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw tooLong(holder, limit)
    parts.push(chunk)
  }
  return Buffer.concat(parts, size)
}

/** Computes the digest of bytes in memory. */
export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** The digest of bytes that come in chunks. */
export async function hashedBytes(chunks: AsyncIterable<Uint8Array>): Promise<Digest> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return `sha256:${hash.digest('hex')}`
}

function tooLong(holder: string, limit: number): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `${holder} is larger than ${limit} bytes`)
}

function mismatch(holder: string, how: string): CrossplaneError {
  return new CrossplaneError('digest-mismatch', `${holder} ${how}`, {
    suggestions: ['Run the command again; if that fails too, the source is corrupt.'],
  })
}
