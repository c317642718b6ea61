import {ZstdDamage} from './zstd-damage.js'

/** For fewer bytes, a loop is faster than a call of the engine. */
const MIN_BULK_COPY = 32

/**
 * The last bytes of a frame, kept in a ring buffer so that matches can refer to them in a frame of any length. The
 * output of a block is kept until `since` has returned it.
 */
export class History {
  #ring: Uint8Array = new Uint8Array(0)
  #mask = 0
  #window = 0
  #length = 0

  /** Starts a frame whose matches reach `window` bytes back and whose blocks have at most `block` bytes. */
  begin(window: number, block: number): void {
    const requested = Math.max(window, block, 1)
    if (this.#ring.length < requested) this.#ring = new Uint8Array(2 ** Math.ceil(Math.log2(requested)))
    this.#mask = this.#ring.length - 1
    this.#window = window
    this.#length = 0
  }

  /** Bytes of this frame so far. */
  get length(): number {
    return this.#length
  }

  /** Appends the bytes of an array between two indexes. */
  append(bytes: Uint8Array, from: number, to: number): void {
    const count = to - from
    const at = this.#length & this.#mask
    if (count >= MIN_BULK_COPY && at + count <= this.#ring.length)
      this.#ring.set(bytes.subarray(from, to), at)
    else for (let i = 0; i < count; i++) this.#ring[(at + i) & this.#mask] = bytes[from + i] ?? 0
    this.#length += count
  }

  repeatByte(byte: number, count: number): void {
    const at = this.#length & this.#mask
    this.#ring.fill(byte, at, at + count)
    if (at + count > this.#ring.length) this.#ring.fill(byte, 0, at + count - this.#ring.length)
    this.#length += count
  }

  /** Appends `count` bytes from `distance` back, which can overlap the appended ones. */
  repeat(distance: number, count: number): void {
    if (distance < 1 || distance > Math.min(this.#length, this.#window)) {
      throw new ZstdDamage('a match refers to data before the start')
    }
    const to = this.#length & this.#mask
    const from = (this.#length - distance) & this.#mask
    const contiguous = Math.max(from, to) + count <= this.#ring.length
    if (count >= MIN_BULK_COPY && distance >= count && contiguous)
      this.#ring.copyWithin(to, from, from + count)
    else this.#repeatSlowly(from, to, count)
    this.#length += count
  }

  #repeatSlowly(from: number, to: number, count: number): void {
    const ring = this.#ring
    const mask = this.#mask
    for (let i = 0; i < count; i++) ring[(to + i) & mask] = ring[(from + i) & mask] ?? 0
  }

  /** Copies all bytes from a length on. */
  since(length: number): Uint8Array {
    const count = this.#length - length
    const at = length & this.#mask
    const bytes = new Uint8Array(count)
    const head = this.#ring.subarray(at, at + count)
    bytes.set(head)
    bytes.set(this.#ring.subarray(0, count - head.length), head.length)
    return bytes
  }
}
