import {gzipSync} from 'node:zlib'
import {describe, expect, it} from '@jest/globals'
import {dockerArchiveStore} from '../../src/fetch/docker-archive-store.js'
import {readDescriptors} from '../../src/fetch/descriptor.js'
import {parseJsonObject} from '../../src/fetch/json-document.js'
import {outcome, present} from '../outcome.js'
import {bytesOf, memoryFiles} from './fake-sources.js'
import {digestOf, OCI} from './image-parts.js'

const PLAIN = Buffer.from('no compression at all')
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0])
const CONFIG = '{"os": "linux"}'
const ONE = {Config: 'one.json', RepoTags: ['team/package:v1'], Layers: ['one/layer.tar']}

const store = (
  images: readonly unknown[],
  layer: Uint8Array = PLAIN,
  choice: Parameters<typeof dockerArchiveStore>[1] = {},
) =>
  dockerArchiveStore(
    memoryFiles('a.tar', {
      'manifest.json': JSON.stringify(images),
      'one.json': CONFIG,
      'one/layer.tar': layer,
    }),
    choice,
  )

describe('dockerArchiveStore', () => {
  it.each([
    {name: 'plain', layer: PLAIN, type: OCI.layer},
    {name: 'gzip', layer: gzipSync(PLAIN), type: `${OCI.layer}+gzip`},
    {name: 'zstd', layer: ZSTD, type: `${OCI.layer}+zstd`},
    {name: 'empty', layer: Buffer.alloc(0), type: OCI.layer},
  ])('builds the manifest of a registry: a layer that is $name', async ({layer, type}) => {
    const image = await store([ONE], layer)
    const root = await image.root()
    const bytes = await bytesOf(root.bytes)
    expect({type: root.mediaType, digest: root.digest}).toEqual({type: OCI.manifest, digest: digestOf(bytes)})
    expect(JSON.parse(String(bytes))).toEqual({
      schemaVersion: 2,
      mediaType: OCI.manifest,
      config: {mediaType: OCI.config, digest: digestOf(Buffer.from(CONFIG)), size: CONFIG.length},
      layers: [{mediaType: type, digest: digestOf(layer), size: layer.length}],
    })
  })

  it('has no config if the archive lacks it', async () => {
    const bytes = await bytesOf((await (await store([{...ONE, Config: 'none.json'}])).root()).bytes)
    expect(parseJsonObject(bytes, 'the manifest').config).toBeUndefined()
  })

  it('opens the blobs that the manifest lists, any number of times, and no others', async () => {
    const image = await store([ONE])
    const manifest = parseJsonObject(await bytesOf((await image.root()).bytes), 'the manifest')
    const [layer] = readDescriptors(manifest, 'layers', 'the manifest')
    const read = async () => String(await bytesOf(image.blob(present(layer))))
    expect([await read(), await read()]).toEqual([String(PLAIN), String(PLAIN)])
    const other = {...present(layer), digest: digestOf(Buffer.from('other'))}
    expect(await bytesOf(image.blob(other))).toHaveLength(0)
  })

  it.each([
    {name: 'the archive alone where it is not chosen', choice: {}, want: 'a.tar'},
    {name: 'the image where it is', choice: {reference: 'team/package:v1'}, want: 'a.tar:team/package:v1'},
  ])('is named by $name', async ({choice, want}) => {
    expect((await store([ONE], PLAIN, choice)).name).toBe(want)
  })

  it.each([
    {name: 'a missing layer', images: [{...ONE, Layers: ['none.tar']}], want: 'source-invalid'},
    {name: 'a layer outside', images: [{...ONE, Layers: ['../../etc/passwd']}], want: 'source-unsafe'},
    {name: 'bzip2', images: [ONE], layer: Buffer.from('BZh91AY&SY'), want: 'unsupported'},
    {name: 'several, none of them named', images: [ONE, ONE], want: 'reference-invalid'},
    {name: 'none', images: [], want: 'not-found'},
  ])('rejects $name', async ({images, layer, want}) => {
    expect(await outcome(() => store(images, layer))).toBe(want)
  })
})
