import {gzipSync} from 'node:zlib'
import {describe, expect, it} from '@jest/globals'
import type {Blob} from '../../../src/fetch/image.js'
import {SOURCE_LIMITS} from '../../../src/fetch/source-limits.js'
import {verifiedBytes} from '../../../src/fetch/verified-bytes.js'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {chunked, memoryLayer} from '../../fetch/fake-sources.js'
import {TAR_END, member, rawTar, tarOfFiles} from '../../fetch/raw-tar.js'
import {outcome} from '../../outcome.js'

const app = member({name: '.registry/app.yaml'}, 'title: x')
const sound = rawTar(app)

function changed(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = (at + copy.length) % copy.length
  copy[index] = (copy[index] ?? 0) ^ 0x40
  return copy
}

describe('reading layers', () => {
  const limits = {
    ...SOURCE_LIMITS,
    files: 3,
    directories: 2,
    packageBytes: 10,
    fileBytes: 6,
    tarHeaders: 6,
    unpackedBytes: 9000,
  }
  const files = (...names: readonly string[]) =>
    tarOfFiles(Object.fromEntries(names.map(name => [name, name.endsWith('/') ? '' : 'abc'])))
  it.each<{name: string; layers: readonly Uint8Array[]; want: unknown}>([
    {
      name: 'no more files than the limit',
      layers: [files('.registry/a', '.registry/b', '.registry/c')],
      want: 3,
    },
    {
      name: 'more files',
      layers: [files('.registry/a', '.registry/b', '.registry/c', '.registry/d')],
      want: 'limit-exceeded',
    },
    {
      name: 'more files in two layers',
      layers: [files('.registry/a', '.registry/b'), files('.registry/a', '.registry/b')],
      want: 'limit-exceeded',
    },
    {
      name: 'more directories',
      layers: [files('.registry/', '.registry/a/', '.registry/b/')],
      want: 'limit-exceeded',
    },
    {name: 'more directories than have entries', layers: [files('.registry/a/b/c')], want: 'limit-exceeded'},
    {name: 'a longer file', layers: [tarOfFiles({'.registry/a': '1234567'})], want: 'limit-exceeded'},
    {
      name: 'more bytes',
      layers: [tarOfFiles({'.registry/a': '123456', '.registry/b': '123456'})],
      want: 'limit-exceeded',
    },
    {
      name: 'more bytes through hard links',
      layers: [
        rawTar(
          member({name: '.registry/a'}, '123456'),
          member({name: '.registry/b', type: '1', linkName: '.registry/a'}),
        ),
      ],
      want: 'limit-exceeded',
    },
    {
      name: 'more bytes through links',
      layers: [
        rawTar(
          member({name: '.registry/a'}, '123456'),
          member({name: '.registry/b', type: '2', linkName: 'a'}),
        ),
      ],
      want: 'limit-exceeded',
    },
    {
      name: 'more entries in two layers',
      layers: [files('.registry/a', '1', '2', '3'), files('4', '5', '6')],
      want: 'limit-exceeded',
    },
    {
      name: 'more to unpack',
      layers: [gzipSync(rawTar(app, member({name: 'a'}, Buffer.alloc(8000))))],
      want: 'limit-exceeded',
    },
    {
      name: 'more to unpack in two layers',
      layers: [files('.registry/a', '1'), gzipSync(rawTar(member({name: 'a'}, Buffer.alloc(6000))))],
      want: 'limit-exceeded',
    },
    {
      name: 'more to unpack in zeros behind the end',
      layers: [gzipSync(Buffer.concat([sound, Buffer.alloc(8000)]))],
      want: 'limit-exceeded',
    },
    {
      name: 'more to fetch',
      layers: [Buffer.concat(new Array<Buffer>(500).fill(gzipSync('')))],
      want: 'limit-exceeded',
    },
  ])('limits $name', async ({layers, want}) => {
    const found = await outcome(
      async () =>
        (
          await registryFiles(
            layers.map(bytes => memoryLayer(bytes)),
            limits,
          )
        )?.length,
    )
    expect(found).toBe(want)
  })

  describe('bytes changed in transit are distinguished from a malformed package', () => {
    const packed = gzipSync(sound)
    function layerOf(stored: Buffer, promised: Buffer): Blob {
      const {descriptor} = memoryLayer(promised)
      return {descriptor, open: () => verifiedBytes(chunked(stored, 10), descriptor, 'The layer')}
    }
    it.each<{name: string; stored: Buffer; promised?: Buffer; want: unknown}>([
      {name: 'the right bytes', stored: packed, want: ['app.yaml']},
      {name: 'a flipped bit', stored: changed(packed, 20), want: 'digest-mismatch'},
      {name: 'a flipped bit in the magic number', stored: changed(packed, 0), want: 'digest-mismatch'},
      {
        name: 'a flipped bit in a plain tar',
        stored: changed(sound, 3),
        promised: sound,
        want: 'digest-mismatch',
      },
      {
        name: 'a flipped bit behind the end',
        stored: changed(sound, -1),
        promised: sound,
        want: 'digest-mismatch',
      },
      {
        name: 'a flipped bit in ignored bytes',
        stored: changed(sound, 510),
        promised: sound,
        want: 'digest-mismatch',
      },
      {name: 'too few bytes', stored: packed.subarray(0, -3), want: 'digest-mismatch'},
      {name: 'too many bytes', stored: Buffer.concat([packed, packed]), want: 'digest-mismatch'},
      {
        name: 'a layer damaged before it was stored',
        stored: changed(packed, 20),
        promised: changed(packed, 20),
        want: 'source-invalid',
      },
    ])('$name', async ({stored, promised = packed, want}) => {
      const found = await outcome(async () =>
        (await registryFiles([layerOf(stored, promised)]))?.map(({path}) => path),
      )
      expect(found).toEqual(want)
    })
  })

  it.each<{name: string; layer: Uint8Array}>([
    {name: 'a layer that is read to its end', layer: sound},
    {
      name: 'a decompression bomb',
      layer: gzipSync(rawTar(app, member({name: '.registry/large'}, Buffer.alloc(20 * 2 ** 20)))),
    },
    {
      name: 'an unsafe entry',
      layer: gzipSync(Buffer.concat([rawTar(member({name: '../a'})), TAR_END, Buffer.alloc(2 ** 22)])),
    },
    {name: 'a damaged tar', layer: changed(sound, 5)},
    {name: 'damaged gzip', layer: changed(gzipSync(Buffer.concat([sound, Buffer.alloc(2 ** 22)])), 60)},
  ])('closes $name', async ({layer}) => {
    let open = 0
    async function* opened(): AsyncGenerator<Uint8Array> {
      open++
      try {
        yield* chunked(layer, 1000)
      } finally {
        await new Promise(resolve => setTimeout(resolve, 5))
        open--
      }
    }
    await outcome(() => registryFiles([{...memoryLayer(layer), open: opened}]))
    expect(open).toBe(0)
  })

  it('passes on the error of the source, and does not hang', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* chunked(gzipSync(sound).subarray(0, 30))
      throw new Error('the network is gone')
    }
    const layer: Blob = {...memoryLayer(Buffer.alloc(30)), open: failing}
    await expect(registryFiles([layer])).rejects.toThrow('the network is gone')
  })
})

describe('a layer that fails', () => {
  it.each<{name: string; first: Uint8Array; want: string}>([
    {name: 'at once', first: rawTar(member({name: '../etc'})), want: 'source-unsafe'},
    {name: 'as no tar', first: Buffer.alloc(1024, 1), want: 'source-invalid'},
  ])('$name stops the reading of the layers above it', async ({first, want}) => {
    const above = memoryLayer(rawTar(member({name: 'bin/manager'}, Buffer.alloc(2 ** 20))), 64)
    let taken = 0
    const watched: Blob = {
      ...above,
      async *open() {
        for await (const chunk of above.open()) {
          taken += chunk.length
          yield chunk
        }
      },
    }
    expect(await outcome(() => registryFiles([memoryLayer(first), watched]))).toBe(want)
    expect(taken).toBeLessThan(above.descriptor.size)
  })
})
