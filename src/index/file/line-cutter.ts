/** Divides chunks of bytes into lines without their line breaks, in linear time. */
export class LineCutter {
  readonly #longest: number
  #pieces: Uint8Array[] = []
  #size = 0

  /**
   * A line of more than `longest` bytes is divided one byte later, so that its reader detects that it is too long.
   */
  constructor(longest: number) {
    this.#longest = longest
  }

  /** Returns the lines that end in this chunk. */
  *cut(piece: Uint8Array): Iterable<Uint8Array> {
    let start = 0
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, start)) {
      yield this.#taken(piece.subarray(start, end))
      start = end + 1
    }
    this.#keep(piece.subarray(start))
  }

  /** Returns the bytes after the last line break; empty for a complete file. */
  rest(): Uint8Array {
    return this.#taken(new Uint8Array())
  }

  #taken(last: Uint8Array): Uint8Array {
    if (this.#size === 0) return last
    this.#keep(last)
    const line = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#size = 0
    return line
  }

  #keep(piece: Uint8Array): void {
    const kept = piece.subarray(0, Math.max(0, this.#longest + 1 - this.#size))
    if (kept.length === 0) return
    this.#pieces.push(kept)
    this.#size += kept.length
  }
}

const LINE_FEED = 0x0a
