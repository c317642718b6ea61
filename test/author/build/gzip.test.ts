import {gunzipSync} from 'node:zlib'
import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {gzipped} from '../../../src/author/build/gzip.js'
import {digestOf} from '../../fetch/image-parts.js'
import {random} from '../../shuffled.js'

/** Bytes that compress somewhat, the same at every run. */
function someBytes(length: number): Buffer {
  const chance = random(7)
  return Buffer.from(Array.from({length}, () => Math.floor(chance() ** 3 * 256)))
}

describe('gzip', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 500_000])('round-trips %d bytes', length => {
    const bytes = someBytes(length)
    expect(gunzipSync(gzipped([bytes])).equals(bytes)).toBe(true)
  })

  it('gives the same output for the same bytes in any chunks', () => {
    const bytes = someBytes(200_000)
    const whole = digestOf(gzipped([bytes]))
    const cuts = fc.uniqueArray(fc.nat({max: bytes.length}), {maxLength: 8})
    fc.assert(
      fc.property(cuts, places => {
        const ends = [...places.sort((a, b) => a - b), bytes.length]
        const parts = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
        expect(digestOf(gzipped(parts))).toBe(whole)
      }),
      {numRuns: 20},
    )
  })

  it('writes no time and a fixed operating system into the header', () => {
    expect([...gzipped([someBytes(10)]).subarray(0, 10)]).toEqual([31, 139, 8, 0, 0, 0, 0, 0, 0, 3])
  })

  it('gives exactly these bytes: a change would change the digest of every package that is built again', () => {
    expect(digestOf(gzipped([someBytes(300_000)]))).toMatchInlineSnapshot(
      `"sha256:d6815850cba2b3d2b6941cbc6ab57aad711e89a64a30453f42ef030312fee564"`,
    )
  })
})
