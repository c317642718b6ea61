import {describe, expect, it} from '@jest/globals'
import {buildImage} from '../../../src/author/build/build-image.js'
import {outgoingCopy} from '../../../src/author/layout/outgoing-copy.js'
import {writeArchive} from '../../../src/author/layout/write-archive.js'
import {writeLayout} from '../../../src/author/layout/write-layout.js'
import {archiveFiles} from '../../../src/fetch/archive-files.js'
import {fetchImage} from '../../../src/fetch/fetch-image.js'
import {ociLayout} from '../../../src/fetch/oci-layout.js'
import type {SourceFiles} from '../../../src/fetch/source-files.js'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {examinePackage} from '../../../src/unpack/read-package.js'
import {registryFilesIn} from '../../corpus.js'
import {memoryFile, memoryFiles} from '../../fetch/fake-sources.js'
import {indexOf, OCI, part} from '../../fetch/image-parts.js'
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
  return {digest: image.digest, tag: image.tag, files: (await registryFiles(image.layers)).length}
}
const wanted = (image: typeof first, count: number, tag?: string) => ({
  digest: image.root.digest,
  tag,
  files: count,
})

describe('a layout', () => {
  it('holds several images, each under its tag', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    await writeLayout(second, 'v2', folder)
    await writeLayout(first, 'v1', folder)
    const from = sources(folder)
    expect([await readAs(from, 'v1'), await readAs(from, 'v2')]).toEqual([
      wanted(first, files.length, 'v1'),
      wanted(second, files.length - 1, 'v2'),
    ])
    const {manifests} = JSON.parse(Buffer.from(present(folder.files.get('index.json'))).toString()) as {
      manifests: unknown[]
    }
    expect(manifests).toHaveLength(2)
  })

  it('has another image under a tag that is built again', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    await writeLayout(second, 'v1', folder)
    expect(await readAs(sources(folder))).toEqual(wanted(second, files.length - 1, 'v1'))
  })

  it('needs no tag, and the same again is no second image', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, undefined, folder)
    await writeLayout(first, undefined, folder)
    expect(await readAs(sources(folder))).toEqual(wanted(first, files.length))
  })

  it('mends a blob that is not what its name says', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    for (const [path, bytes] of folder.files)
      if (path.startsWith('blobs/')) folder.files.set(path, Buffer.alloc(bytes.length))
    await writeLayout(first, 'v1', folder)
    expect(await readAs(sources(folder))).toEqual(wanted(first, files.length, 'v1'))
  })

  it('is begun where an interrupted write left off', async () => {
    const folder = memoryFolder('./layout')
    folder.files.set('blobs/sha256/x', Buffer.alloc(0))
    folder.files.set('.index.json.00ff.tmp', Buffer.alloc(0))
    await writeLayout(first, 'v1', folder)
    expect(await readAs(sources(folder))).toEqual(wanted(first, files.length, 'v1'))
  })

  it('keeps what others wrote into its list', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    const index = JSON.parse(Buffer.from(present(folder.files.get('index.json'))).toString()) as object
    folder.files.set('index.json', Buffer.from(JSON.stringify({...index, annotations: {kept: 'yes'}})))
    await writeLayout(second, 'v2', folder)
    expect(JSON.parse(Buffer.from(present(folder.files.get('index.json'))).toString())).toMatchObject({
      annotations: {kept: 'yes'},
    })
  })

  it('is not made of a folder of something else', async () => {
    const folder = memoryFolder('./home')
    folder.files.set('letter.txt', Buffer.from('x'))
    await expect(writeLayout(first, 'v1', folder)).rejects.toMatchObject({code: 'output-refused'})
    expect([...folder.files.keys()]).toEqual(['letter.txt'])
  })
})

describe('an archive', () => {
  it('holds the image, and is the same bytes each time', async () => {
    const [one, other] = [memoryTarget('a.tar'), memoryTarget('b.tar')]
    await writeArchive(first, 'v1', one)
    await writeArchive(first, 'v1', other)
    const bytes = present(one.content())
    expect(Buffer.compare(bytes, present(other.content()))).toBe(0)
    expect(await readAs(await archiveFiles(memoryFile('a.tar', bytes)))).toEqual(
      wanted(first, files.length, 'v1'),
    )
  })

  it('takes the place of another one', async () => {
    const file = memoryTarget('a.tar')
    await writeArchive(first, 'v1', file)
    await writeArchive(second, undefined, file)
    const read = await readAs(await archiveFiles(memoryFile('a.tar', present(file.content()))))
    expect(read).toEqual(wanted(second, files.length - 1))
  })

  it.each([
    {name: 'text', bytes: Buffer.from('text')},
    {name: 'another tar', bytes: tarOfFiles({'manifest.json': '[]'})},
    {name: 'a compressed tar', bytes: Buffer.from([0x1f, 0x8b, 8, 0])},
  ])('does not take the place of $name', async ({bytes}) => {
    const file = memoryTarget('a.tar', bytes)
    await expect(writeArchive(first, 'v1', file)).rejects.toMatchObject({code: 'output-refused'})
    expect(file.content()).toBe(bytes)
  })

  it('is not written from a source that gives other bytes than it said', async () => {
    const [blob, ...others] = first.blobs
    const lying = {
      ...first,
      blobs: [{...present(blob), open: () => memoryFile('x', Buffer.alloc(3)).read()}, ...others],
    }
    const file = memoryTarget('a.tar')
    await expect(writeArchive(lying, 'v1', file)).rejects.toMatchObject({code: 'digest-mismatch'})
    expect(file.content()).toBeUndefined()
  })
})

describe('an image that is passed on', () => {
  it('keeps every byte, whatever is in it', async () => {
    const folder = memoryFolder('./layout')
    await writeLayout(first, 'v1', folder)
    const copy = await outgoingCopy(ociLayout(sources(folder)))
    const again = memoryFolder('./again')
    await writeLayout(copy, 'v1', again)
    expect(new Map([...again.files].sort())).toEqual(new Map([...folder.files].sort()))
  })

  it.each([
    {name: 'what is no image', root: indexOf(part('application/vnd.example+json', {})), code: 'unsupported'},
    {name: 'no manifest', root: part(OCI.manifest, {schemaVersion: 2, layers: []}), code: 'source-invalid'},
  ])('is refused where it lists $name', async ({root, code}) => {
    const from = memoryFiles('./layout', {
      'oci-layout': '{"imageLayoutVersion": "1.0.0"}',
      'index.json': indexOf(root).bytes,
      [`blobs/${root.descriptor.digest.replace(':', '/')}`]: root.bytes,
    })
    await expect(outgoingCopy(ociLayout(from))).rejects.toMatchObject({code})
  })
})
