import {gzipSync} from 'node:zlib'
import {describe, expect, it} from '@jest/globals'
import {GzipDamage, gunzip} from '../../../src/unpack/files/gunzip.js'
import {bytesOf, chunked} from '../../fetch/fake-sources.js'

const one = gzipSync('one, ')
const two = gzipSync('two')

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[(at + copy.length) % copy.length] = (copy.at(at) ?? 0) ^ 1
  return copy
}

describe('gunzip', () => {
  it.each<{name: string; chunks: readonly Buffer[]; want: string}>([
    {name: 'one member', chunks: [one], want: 'one, '},
    {name: 'two members', chunks: [Buffer.concat([one, two])], want: 'one, two'},
    {name: 'two members apart', chunks: [one, two], want: 'one, two'},
    {name: 'an empty member', chunks: [gzipSync('')], want: ''},
    {name: 'bytes one by one', chunks: [...one].map(byte => Buffer.of(byte)), want: 'one, '},
  ])('reads $name', async ({chunks, want}) => {
    expect(String(await bytesOf(gunzip(delivered(chunks))))).toBe(want)
  })

  it.each<{name: string; chunks: readonly Buffer[]}>([
    {name: 'no gzip data', chunks: [Buffer.from('no gzip data')]},
    {name: 'a wrong checksum', chunks: [changed(one, -8)]},
    {name: 'a wrong length', chunks: [changed(one, -4)]},
    {name: 'damaged data', chunks: [changed(gzipSync('abc'.repeat(1000)), 14)]},
    {name: 'data cut off', chunks: [one.subarray(0, -9)]},
    {name: 'a checksum cut off', chunks: [one.subarray(0, -1)]},
    {name: 'garbage behind the end', chunks: [Buffer.concat([one, Buffer.from('garbage')])]},
    {name: 'garbage behind the end, apart', chunks: [one, Buffer.from('garbage')]},
    {name: 'zeros behind the end', chunks: [Buffer.concat([one, Buffer.alloc(10)])]},
    {name: 'zeros behind the end, apart', chunks: [one, Buffer.alloc(10)]},
    {name: 'zeros and a member behind the end', chunks: [one, Buffer.alloc(10), two]},
    {name: 'half a header behind the end', chunks: [one, two.subarray(0, 4)]},
  ])('rejects $name', async ({chunks}) => {
    await expect(bytesOf(gunzip(delivered(chunks)))).rejects.toBeInstanceOf(GzipDamage)
  })

  it('passes on the error of its source', async () => {
    const failure = new Error('the network is gone')
    async function* source(): AsyncGenerator<Uint8Array> {
      yield* chunked(one.subarray(0, 10))
      throw failure
    }
    await expect(bytesOf(gunzip(source()))).rejects.toBe(failure)
  })

  it.each<{name: string; chunks: Buffer; stopAfter: number}>([
    {name: 'its reader stops', chunks: gzipSync(Buffer.alloc(50_000_000)), stopAfter: 1},
    {
      name: 'the data is damaged',
      chunks: changed(gzipSync(Buffer.alloc(50_000_000)), 5000),
      stopAfter: Infinity,
    },
    {name: 'the data ends early', chunks: Buffer.concat([one, Buffer.alloc(100_000)]), stopAfter: Infinity},
  ])('closes its source before $name', async ({chunks, stopAfter}) => {
    let closed = false
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* chunked(chunks, 1000)
      } finally {
        await new Promise(resolve => setTimeout(resolve, 20))
        closed = true
      }
    }
    let seen = 0
    try {
      for await (const chunk of gunzip(source())) if (chunk.length > 0 && ++seen === stopAfter) break
    } catch (error) {
      expect(error).toBeInstanceOf(GzipDamage)
    }
    expect(closed).toBe(true)
  })
})

async function* delivered(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk)
}
