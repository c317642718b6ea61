type Chunks = AsyncIterable<Uint8Array>

const NOTHING = new Uint8Array(0)

/** Skipping fewer bytes is cheaper than opening the source again. */
const WORTH_SEEKING = 1024 * 1024

/**
 * Reads a number of bytes at a time from chunks of any size, forwards only. With `seek`, which opens the same bytes
 * from an offset on, long ranges are skipped instead of read. Its creator closes it.
 */
export class ByteCursor {
  #chunks: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = NOTHING
  #position = 0
  readonly #seek: ((offset: number) => Chunks) | undefined

  constructor(chunks: Chunks, seek?: (offset: number) => Chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#seek = seek
  }

  /** Bytes read or skipped so far. */
  get position(): number {
    return this.#position
  }

  /** The next `length` bytes without moving past them, or fewer at the end of the data. For short lookaheads. */
  async peek(length: number): Promise<Uint8Array> {
    while (this.#chunk.length < length) {
      const more = await this.#chunks.next()
      if (more.done === true) break
      this.#chunk = joined(this.#chunk, more.value)
    }
    return this.#chunk.subarray(0, length)
  }

  /** The next `length` bytes, or fewer where the data ends, in memory of their own. */
  async take(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length)
    let filled = 0
    while (filled < length && (await this.#fill())) {
      const part = this.#pass(length - filled)
      bytes.set(part, filled)
      filled += part.length
    }
    return filled === length ? bytes : bytes.slice(0, filled)
  }

  /** Skips `length` bytes; resolves to the number that existed. A source that can seek may not notice its end. */
  async skip(length: number): Promise<number> {
    if (this.#seek !== undefined && length - this.#chunk.length > WORTH_SEEKING)
      return this.#jump(length, this.#seek)
    let skipped = 0
    while (skipped < length && (await this.#fill())) skipped += this.#pass(length - skipped).length
    return skipped
  }

  /** All remaining bytes, chunk by chunk. */
  async *rest(): AsyncGenerator<Uint8Array, void, undefined> {
    while (await this.#fill()) yield this.#pass(this.#chunk.length)
  }

  /** Closes the source, wherever reading stopped. */
  async close(): Promise<void> {
    this.#chunk = NOTHING
    await this.#chunks.return?.()
  }

  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const more = await this.#chunks.next()
      if (more.done === true) return false
      this.#chunk = more.value
    }
    return true
  }

  #pass(atMost: number): Uint8Array {
    const part = this.#chunk.subarray(0, atMost)
    this.#chunk = this.#chunk.subarray(part.length)
    this.#position += part.length
    return part
  }

  async #jump(length: number, seek: (offset: number) => Chunks): Promise<number> {
    await this.close()
    this.#position += length
    this.#chunks = seek(this.#position)[Symbol.asyncIterator]()
    return length
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
