import {describe, expect, it} from '@jest/globals'
import {buildImage} from '../../../src/author/build/build-image.js'
import {copiedImage, platformOf} from '../../../src/author/layout/copied-image.js'
import {writeArchive} from '../../../src/author/layout/write-archive.js'
import {writeLayout} from '../../../src/author/layout/write-layout.js'
import {archiveFiles} from '../../../src/fetch/archive-files.js'
import {fetchImage} from '../../../src/fetch/fetch-image.js'
import {blobsOf, documentsOf, layersOf} from '../../../src/fetch/image.js'
import {ociLayout} from '../../../src/fetch/oci-layout.js'
import type {SourceFiles} from '../../../src/fetch/source-files.js'
import {SOURCE_LIMITS} from '../../../src/fetch/source-limits.js'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {examinePackage} from '../../../src/unpack/read-package.js'
import {registryFilesIn} from '../../corpus.js'
import {memoryFile, memoryFiles} from '../../fetch/fake-sources.js'
import {indexOf, OCI, type Part, part} from '../../fetch/image-parts.js'
import {tarOfFiles} from '../../fetch/raw-tar.js'
import {present} from '../../outcome.js'
import {memoryFolder, memoryTarget} from './memory-outputs.js'

const files = registryFilesIn('test/testdata/packages/image-counter/.registry')
const app = present(examinePackage(files).app)
const first = buildImage({app, files})
const second = buildImage({app, files: files.slice(1)})

const sources = (folder: ReturnType<typeof memoryFolder>): SourceFiles =>
  memoryFiles(folder.name, Object.fromEntries(folder.files))

async function readAs(from: SourceFiles, tag?: string): Promise<unknown> {
  const image = await fetchImage(ociLayout(from, tag === undefined ? {} : {tag}))
  return {
    digest: image.descriptor.digest,
    tag: image.tag,
    files: (await registryFiles(layersOf(image)))?.length,
  }
}
const requested = (image: typeof first, count: number, tag?: string) => ({
  digest: image.descriptor.digest,
  tag,
  files: count,
})

describe('a layout', () => {
  it('contains several images, each under its tag', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    await writeLayout(second, 'v2', folder)
    await writeLayout(first, 'v1', folder)
    const from = sources(folder)
    expect([await readAs(from, 'v1'), await readAs(from, 'v2')]).toEqual([
      requested(first, files.length, 'v1'),
      requested(second, files.length - 1, 'v2'),
    ])
    const {manifests} = JSON.parse(Buffer.from(present(folder.files.get('index.json'))).toString()) as {
      manifests: unknown[]
    }
    expect(manifests).toHaveLength(2)
  })

  it('contains all images that are written at the same time', async () => {
    const folder = memoryFolder('./layout')
    const tags = ['v1', 'v2', 'v3', 'v4']
    await Promise.all(tags.map(tag => writeLayout(tag === 'v1' ? first : second, tag, folder)))
    const from = sources(folder)
    expect(await Promise.all(tags.map(tag => readAs(from, tag)))).toEqual(
      tags.map(tag =>
        tag === 'v1' ? requested(first, files.length, tag) : requested(second, files.length - 1, tag),
      ),
    )
  })

  it('replaces the image of a tag that is built again', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    await writeLayout(second, 'v1', folder)
    expect(await readAs(sources(folder))).toEqual(requested(second, files.length - 1, 'v1'))
  })

  it('accepts images without a tag, each once', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, undefined, folder)
    await writeLayout(first, undefined, folder)
    expect(await readAs(sources(folder))).toEqual(requested(first, files.length))
  })

  it('replaces a blob that does not match its digest', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    for (const [path, bytes] of folder.files)
      if (path.startsWith('blobs/')) folder.files.set(path, Buffer.alloc(bytes.length))
    await writeLayout(first, 'v1', folder)
    expect(await readAs(sources(folder))).toEqual(requested(first, files.length, 'v1'))
  })

  it('is created where an interrupted write left files', async () => {
    const folder = memoryFolder('./layout')
    folder.files.set('blobs/sha256/x', Buffer.alloc(0))
    folder.files.set('.index.json.00ff.tmp', Buffer.alloc(0))
    await writeLayout(first, 'v1', folder)
    expect(await readAs(sources(folder))).toEqual(requested(first, files.length, 'v1'))
  })

  it('keeps the fields of other tools in the index', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    const index = JSON.parse(Buffer.from(present(folder.files.get('index.json'))).toString()) as object
    folder.files.set('index.json', Buffer.from(JSON.stringify({...index, annotations: {kept: 'yes'}})))
    await writeLayout(second, 'v2', folder)
    expect(JSON.parse(Buffer.from(present(folder.files.get('index.json'))).toString())).toMatchObject({
      annotations: {kept: 'yes'},
    })
  })

  it('is not created in a folder with other content', async () => {
    const folder = memoryFolder('./home')
    folder.files.set('letter.txt', Buffer.from('x'))
    await expect(writeLayout(first, 'v1', folder)).rejects.toMatchObject({code: 'output-refused'})
    expect([...folder.files.keys()]).toEqual(['letter.txt'])
  })
})

describe('an archive', () => {
  it('contains the image, and has the same bytes each time', async () => {
    const [one, other] = [memoryTarget('a.tar'), memoryTarget('b.tar')]
    await writeArchive(first, 'v1', one)
    await writeArchive(first, 'v1', other)
    const bytes = present(one.content())
    expect(Buffer.compare(bytes, present(other.content()))).toBe(0)
    expect(await readAs(await archiveFiles(memoryFile('a.tar', bytes)))).toEqual(
      requested(first, files.length, 'v1'),
    )
  })

  it('replaces another archive', async () => {
    const file = memoryTarget('a.tar')
    await writeArchive(first, 'v1', file)
    await writeArchive(second, undefined, file)
    const read = await readAs(await archiveFiles(memoryFile('a.tar', present(file.content()))))
    expect(read).toEqual(requested(second, files.length - 1))
  })

  it.each([
    {name: 'text', bytes: Buffer.from('text')},
    {name: 'another tar', bytes: tarOfFiles({'manifest.json': '[]'})},
    {name: 'a compressed tar', bytes: Buffer.from([0x1f, 0x8b, 8, 0])},
  ])('does not replace $name', async ({bytes}) => {
    const file = memoryTarget('a.tar', bytes)
    await expect(writeArchive(first, 'v1', file)).rejects.toMatchObject({code: 'output-refused'})
    expect(file.content()).toBe(bytes)
  })

  it('is not written where the existing file cannot be read', async () => {
    const file = memoryTarget('a.tar')
    const read = () => {
      throw new TypeError('the disk is gone')
    }
    const existing = () => Promise.resolve({name: 'a.tar', size: 1024, read})
    await expect(writeArchive(first, 'v1', {...file, existing})).rejects.toThrow(TypeError)
    expect(file.content()).toBeUndefined()
  })

  it('is not written from a source whose bytes do not match their digest', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    const [layer] = first.layers
    folder.files.set(`blobs/${present(layer).descriptor.digest.replace(':', '/')}`, Buffer.alloc(3))
    const file = memoryTarget('a.tar')
    const copy = await copiedImage(ociLayout(sources(folder)))
    await expect(writeArchive(copy, 'v1', file)).rejects.toMatchObject({code: 'digest-mismatch'})
    expect(file.content()).toBeUndefined()
  })
})

describe('an image that is copied', () => {
  it('keeps every byte', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    const copy = await copiedImage(ociLayout(sources(folder)))
    const again = memoryFolder('./again')
    await writeLayout(copy, 'v1', again)
    expect(new Map([...again.files].sort())).toEqual(new Map([...folder.files].sort()))
  })

  const layer = part(OCI.layer, 'shared by all')
  const images = ['amd64', 'arm64', 's390x'].map(architecture => {
    const config = part(OCI.config, {architecture})
    const [{descriptor}, own] = [layer, part(OCI.layer, architecture)]
    const layers = [descriptor, own.descriptor]
    const manifest = part(OCI.manifest, {schemaVersion: 2, config: config.descriptor, layers})
    return {config, own, manifest: {...manifest, with: {platform: {os: 'linux', architecture}}}}
  })
  const [amd64, arm64, s390x] = images.map(({manifest}) => manifest)
  const within = indexOf(present(arm64), present(s390x))
  const all = images.flatMap(({config, own, manifest}) => [config, own, manifest])
  const from = (root: Part, ...others: readonly Part[]) =>
    ociLayout(
      memoryFiles('./layout', {
        'oci-layout': '{"imageLayoutVersion": "1.0.0"}',
        'index.json': indexOf(root).bytes,
        ...Object.fromEntries(
          [root, layer, ...others].map(({descriptor, bytes}) => [
            `blobs/${descriptor.digest.replace(':', '/')}`,
            bytes,
          ]),
        ),
      }),
    )

  it('has each part once, and the parts of a manifest before it', async () => {
    const root = indexOf(present(amd64), within, present(arm64))
    const copy = await copiedImage(from(root, within, ...all))
    const digests = (parts: readonly {readonly descriptor: {readonly digest: string}}[]) =>
      parts.map(({descriptor}) => descriptor.digest)
    expect(copy.descriptor.digest).toBe(root.descriptor.digest)
    expect(digests(documentsOf(copy))).toEqual(
      digests([present(amd64), present(arm64), present(s390x), within, root]),
    )
    expect(digests(blobsOf(copy)).sort()).toEqual(
      digests([layer, ...images.flatMap(({config, own}) => [config, own])]).sort(),
    )
  })

  it.each([
    {name: 'amd64, the default', root: indexOf(present(arm64), present(amd64)), want: 'amd64'},
    {name: 'the first where amd64 is missing', root: indexOf(within), want: 'arm64'},
    {
      name: 'no provenance',
      root: indexOf(
        {...present(amd64), with: {platform: {os: 'unknown', architecture: 'unknown'}}},
        present(s390x),
      ),
      want: 's390x',
    },
    {name: 'amd64 where none is given', root: present(arm64), want: 'amd64'},
  ])('is limited to a platform: $name', async ({root, want}) => {
    const copy = await copiedImage(from(root, within, ...all))
    expect(platformOf(copy)).toEqual({os: 'linux', architecture: want})
  })

  it('is rejected in too deeply nested indexes', async () => {
    const indexes = Array.from({length: SOURCE_LIMITS.indexDepth}).reduce<Part[]>(
      (below, _) => [indexOf(below[0] ?? within), ...below],
      [],
    )
    const [root, ...others] = indexes
    await expect(copiedImage(from(present(root), within, ...all, ...others))).rejects.toMatchObject({
      code: 'limit-exceeded',
    })
  })

  it.each([
    {name: 'an artifact', root: indexOf(part('application/vnd.example+json', {})), code: 'unsupported'},
    {name: 'no manifest', root: part(OCI.manifest, {schemaVersion: 2, layers: []}), code: 'source-invalid'},
  ])('is rejected where it lists $name', async ({root, code}) => {
    await expect(copiedImage(from(root))).rejects.toMatchObject({code})
  })
})
