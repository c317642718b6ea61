import {ZstdDamage} from './zstd-damage.js'

/** Reads little-endian bit fields from the front of bytes, as table descriptions are written. */
export class ForwardBits {
  readonly #bytes: Uint8Array
  #position: number

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#position = start * 8
  }

  /** Reads the next `count` bits, at most 16. Throws ZstdDamage past the end. */
  read(count: number): number {
    const value = this.peek(count)
    this.advance(count)
    return value
  }

  /** The same without moving on; bits past the end are zeros. */
  peek(count: number): number {
    return (word(this.#bytes, this.#position >> 3) >>> (this.#position & 7)) & ((1 << count) - 1)
  }

  advance(count: number): void {
    this.#position += count
    if (this.#position > this.#bytes.length * 8) throw new ZstdDamage('a table description is truncated')
  }

  /** The index of the first unread byte. */
  get nextByte(): number {
    return (this.#position + 7) >> 3
  }
}

/**
 * Reads bit fields from the end of bytes towards their start, as entropy-coded streams are written: the last byte's
 * highest set bit only marks where they begin (RFC 8878 §4.1.2).
 */
export class BackwardBits {
  readonly #bytes: Uint8Array
  #left: number

  constructor(bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0
    if (last === 0) throw new ZstdDamage('a bit stream has no beginning')
    this.#bytes = bytes
    this.#left = bytes.length * 8 - 8 + highestBit(last)
  }

  /** The number of unread bits; negative once more were requested than exist. */
  get left(): number {
    return this.#left
  }

  /** The next `count` bits, at most 31. Bits before the start are zeros, and make `left` negative. */
  read(count: number): number {
    if (count > 24) return this.read(count - 16) * 65536 + this.read(16)
    const value = this.peek(count)
    this.#left -= count
    return value
  }

  /** The same for at most 24 bits without moving on. */
  peek(count: number): number {
    const start = this.#left - count
    if (start >= 0) return (word(this.#bytes, start >> 3) >>> (start & 7)) & ((1 << count) - 1)
    if (this.#left <= 0) return 0
    return (word(this.#bytes, 0) & ((1 << this.#left) - 1)) << -start
  }

  skip(count: number): void {
    this.#left -= count
  }
}

/** The position of the highest set bit of a positive number below 2^31. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value)
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  )
}
