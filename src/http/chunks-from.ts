/** Streams chunks without their first `start` bytes. */
export async function* chunksFrom(
  chunks: AsyncIterable<Uint8Array>,
  start: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = start
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}
