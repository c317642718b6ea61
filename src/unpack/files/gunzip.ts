import {Readable, finished} from 'node:stream'
import {constants, createGunzip} from 'node:zlib'

/** Large chunks take a fifth of the time of zlib's 16 KiB. */
const CHUNK = 256 * 1024

/** Gzip data that violates its format. Caught where the source of the bytes is known, and named there. */
export class GzipDamage extends Error {
  override readonly name = 'GzipDamage'
}

/**
 * Decompresses gzip data of one or several members, as fast as they are requested. Throws GzipDamage for wrong
 * checksums, for truncated data, and for anything after the last member: zlib would skip zeros there, Go's reader,
 * and so every container runtime, rejects them. Failures of the source are passed on. The source is closed by the
 * time it ends.
 */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const fed = new Counted(chunks)
  const source = Readable.from(fed)
  const zipped = createGunzip({chunkSize: CHUNK})
  const closed = new Promise<void>(resolve => finished(source, () => resolve()))
  source.on('error', error => zipped.destroy(error))
  try {
    yield* source.pipe(zipped)
    if (!fed.isOver || fed.bytes !== zipped.bytesWritten) throw new GzipDamage('data follows its end')
  } catch (error) {
    throw isDamage(error) ? new GzipDamage(error.message, {cause: error}) : error
  } finally {
    zipped.destroy()
    source.destroy()
    await closed
  }
}

/** Passes chunks to zlib, which does not report when it leaves some behind. */
class Counted implements AsyncIterable<Uint8Array> {
  bytes = 0
  isOver = false
  readonly #chunks: AsyncIterable<Uint8Array>

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.#chunks) {
      this.bytes += chunk.length
      yield chunk
    }
    this.isOver = true
  }
}

/** Recognizes zlib's errors by their code, because they have no class of their own. */
function isDamage(error: unknown): error is {readonly message: string} {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    Object.hasOwn(constants, String(error.code))
  )
}
