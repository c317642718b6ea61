import {describe, expect, it} from '@jest/globals'
import {ByteCursor} from '../../src/fetch/byte-cursor.js'
import {bytesOf, chunked} from './fake-sources.js'

const BYTES = Uint8Array.from({length: 100}, (_, at) => at)

describe('ByteCursor', () => {
  it.each([1, 7, 100, 1000])('reads the same from chunks of %d', async size => {
    const cursor = new ByteCursor(chunked(BYTES, size))
    const read = {
      peeked: [...(await cursor.peek(3))],
      taken: [...(await cursor.take(5))],
      skipped: await cursor.skip(90),
      position: cursor.position,
      rest: [...(await bytesOf(cursor.rest()))],
      beyond: [...(await cursor.take(2))],
    }
    expect(read).toEqual({
      peeked: [0, 1, 2],
      taken: [0, 1, 2, 3, 4],
      skipped: 90,
      position: 95,
      rest: [95, 96, 97, 98, 99],
      beyond: [],
    })
  })

  it('reports the number of bytes at the end of the data', async () => {
    const cursor = new ByteCursor(chunked(BYTES, 30))
    expect([(await cursor.peek(200)).length, await cursor.skip(98), (await cursor.take(10)).length]).toEqual([
      100, 98, 2,
    ])
  })

  it('returns bytes that do not share memory with the chunk', async () => {
    const chunk = new Uint8Array(1024)
    const taken = await new ByteCursor(chunked(chunk, 1024)).take(2)
    expect([taken.buffer.byteLength, taken.buffer === chunk.buffer]).toEqual([2, false])
  })

  it('skips long ranges if the source supports it, and reads over short ones', async () => {
    const opened: number[] = []
    const cursor = new ByteCursor(chunked(BYTES, 10), offset => {
      opened.push(offset)
      return chunked(Uint8Array.of(42))
    })
    await cursor.skip(50)
    await cursor.skip(5_000_000)
    expect({opened, position: cursor.position, next: [...(await cursor.take(1))]}).toEqual({
      opened: [5_000_050],
      position: 5_000_050,
      next: [42],
    })
  })

  it('closes its source when it is closed', async () => {
    let closed = false
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* chunked(BYTES, 10)
      } finally {
        closed = true
      }
    }
    const cursor = new ByteCursor(source())
    await cursor.take(15)
    await cursor.close()
    expect(closed).toBe(true)
  })
})
