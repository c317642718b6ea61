import {describe, expect, it} from '@jest/globals'
import {gzipped} from '../../src/author/build/gzip.js'
import {bundleArtifact, bundleIndex} from '../../src/bundles/bundle-parts.js'
import {BUNDLE_LIMITS} from '../../src/bundles/limits.js'
import {blobFile, openBundle} from '../../src/bundles/open-bundle.js'
import {bytesOf, memoryFiles} from '../fetch/fake-sources.js'

const LOCK = Buffer.from('packages: []\n'.repeat(1000))
const INDEX = Buffer.from('{}\n'.repeat(1000))

/** A bundle in memory without images; `gzip` is its compression. */
async function bundle(gzip: (bytes: Uint8Array) => Uint8Array, lock: Uint8Array = LOCK) {
  const files = {declaration: Buffer.from('kind: PackageDeclaration\n'), lock, index: INDEX}
  const {descriptor, parts} = bundleArtifact({platforms: [], images: []}, files, gzip)
  const blobs = await Promise.all(
    parts.map(async part => [blobFile(part.descriptor), await bytesOf(part.open())] as const),
  )
  const size = blobs.reduce((sum, [, bytes]) => sum + bytes.length, 0)
  const content = {
    'oci-layout': '{}',
    'index.json': bundleIndex(descriptor, []),
    ...Object.fromEntries(blobs),
  }
  return {size, files, layout: memoryFiles('b.tar', content)}
}

describe('the files of a bundle', () => {
  it('are compressed, and read as they were', async () => {
    const {size, files, layout} = await bundle(bytes => gzipped([bytes]))
    expect((await openBundle(layout)).files).toEqual(files)
    expect(size).toBeLessThan(LOCK.length / 4)
  })

  it.each([
    {name: 'no compression', gzip: (bytes: Uint8Array) => bytes},
    {name: 'an end before theirs', gzip: (bytes: Uint8Array) => gzipped([bytes]).subarray(0, -9)},
    {
      name: 'bytes after their end',
      gzip: (bytes: Uint8Array) => Buffer.concat([gzipped([bytes]), Buffer.alloc(9)]),
    },
  ])('are rejected with $name', async ({gzip}) => {
    const {layout} = await bundle(gzip)
    await expect(openBundle(layout)).rejects.toMatchObject({
      code: 'source-invalid',
      message: expect.stringMatching(/^sha256:[0-9a-f]{64} in b\.tar is not valid gzip data: /),
    })
  })

  it('are limited by what they contain, not by their size', async () => {
    const {layout} = await bundle(bytes => gzipped([bytes]), Buffer.alloc(BUNDLE_LIMITS.partBytes + 1))
    await expect(openBundle(layout)).rejects.toMatchObject({code: 'limit-exceeded'})
  })
})
