import {Gzip} from 'fflate'

/** Compresses this many bytes at a time, however they arrive, so that the result depends only on the bytes. */
const PIECE = 64 * 1024
const LEVEL = 6

/**
 * Compresses with a compressor that is pinned with the program and written in JavaScript: Node's zlib changes with Node,
 * and with the distribution that built it (docs/decisions/0009). Time and name stay out of the header.
 */
export function gzipped(chunks: Iterable<Uint8Array>): Uint8Array {
  const compressed: Uint8Array[] = []
  const gzip = new Gzip({level: LEVEL, mtime: 0}, chunk => compressed.push(chunk))
  for (const piece of pieces(chunks)) gzip.push(piece)
  gzip.push(new Uint8Array(0), true)
  return Buffer.concat(compressed)
}

/** Divides the same bytes into chunks of one size, except the last. */
function* pieces(chunks: Iterable<Uint8Array>): Generator<Uint8Array, void, undefined> {
  let piece = Buffer.alloc(PIECE)
  let filled = 0
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + PIECE - filled)
      piece.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < PIECE) continue
      yield piece
      piece = Buffer.alloc(PIECE)
      filled = 0
    }
  }
  yield piece.subarray(0, filled)
}
