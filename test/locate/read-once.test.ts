import {describe, expect, it} from '@jest/globals'
import type {ArtifactStore} from '../../src/fetch/artifact-store.js'
import type {Descriptor} from '../../src/fetch/image.js'
import {digestOf} from '../../src/fetch/verified-bytes.js'
import {readOnce} from '../../src/locate/read-once.js'
import type {PackagePorts} from '../../src/locate/located-package.js'
import type {Registry} from '../../src/registry/registry.js'
import {bytesOf, chunked} from '../fetch/fake-sources.js'
import {present} from '../outcome.js'

const CONTENT = Buffer.from('the content of a layer')
const digest = digestOf(CONTENT)
const layer: Descriptor = {mediaType: 'x/layer', digest, size: CONTENT.length, annotations: {}}
const [ours, other] = [
  {registry: 'r.example.org', path: 'ours'},
  {registry: 'r.example.org', path: 'other'},
]

/** A registry that sends the same for everything, by repository; `sent` are those that it was asked for. */
function registryOf(contents: Readonly<Record<string, Buffer>>) {
  const sent: string[] = []
  const send = (path: string) => {
    sent.push(path)
    return chunked(contents[path] ?? CONTENT, 5)
  }
  const registry: Registry = {
    image: ({path}) => ({
      name: path,
      root: () => Promise.resolve({mediaType: 'x/manifest', digest, bytes: send(path)}),
      manifest: () => send(path),
      blob: () => send(path),
    }),
    tags: () => chunked(CONTENT) as never,
    artifacts: () => ({}) as ArtifactStore,
    digestOf: () => Promise.resolve(digest),
    push: () => Promise.reject(new Error('nothing is pushed')),
  }
  return {sent, registry}
}

/** Returns how what a registry sends is read through `readOnce`. */
async function readThrough(registry: Registry) {
  const packages: PackagePorts = {
    localNames: {indexed: () => Promise.resolve([]), cached: () => Promise.resolve([])},
    remote: {registry: () => Promise.resolve(registry)},
  } as unknown as PackagePorts
  return await present(readOnce(packages).remote.registry)(ours.registry)
}

describe('readOnce', () => {
  it('asks once for a layer that has its digest', async () => {
    const {registry, sent} = registryOf({})
    const once = await readThrough(registry)
    for (const repository of [ours, other, ours])
      expect(await bytesOf(once.image(repository, {digest}).blob(layer))).toEqual(CONTENT)
    expect(sent).toEqual(['ours'])
  })

  it.each([
    {name: 'shorter', content: CONTENT.subarray(0, 7)},
    {name: 'other', content: Buffer.from(CONTENT).reverse()},
  ])('keeps no $name bytes that a repository sends in place of a layer', async ({content}) => {
    const {registry} = registryOf({other: content})
    const once = await readThrough(registry)
    expect(await bytesOf(once.image(other, {digest}).blob(layer))).toEqual(content)
    expect(await bytesOf(once.image(ours, {digest}).blob(layer))).toEqual(CONTENT)
  })

  it('reads the document of a digest once, also if its first reader stops early', async () => {
    const {registry, sent} = registryOf({})
    const once = await readThrough(registry)
    const rootOf = async () => (await once.image(ours, {digest}).root()).bytes
    for await (const chunk of await rootOf()) {
      expect(chunk).toHaveLength(5)
      break
    }
    for (let time = 0; time < 2; time += 1) expect(await bytesOf(await rootOf())).toEqual(CONTENT)
    expect(sent).toHaveLength(2)
  })

  it('keeps at most 64 MiB of all streams that are read at the same time', async () => {
    const large = Array.from({length: 3}, (_, index) => Buffer.alloc(30 << 20, index))
    const layers = large.map(content => ({...layer, digest: digestOf(content), size: content.length}))
    const sent: string[] = []
    const {registry} = registryOf({})
    const image: Registry['image'] = (...args) => ({
      ...registry.image(...args),
      blob: descriptor => {
        sent.push(descriptor.digest)
        return chunked(large[layers.findIndex(each => each.digest === descriptor.digest)] ?? CONTENT, 1 << 20)
      },
    })
    const store = (await readThrough({...registry, image})).image(ours, {digest})
    const streams = layers.map(each => store.blob(each)[Symbol.asyncIterator]())
    let open = streams
    while (open.length > 0) {
      const results = await Promise.all(open.map(async stream => ({stream, result: await stream.next()})))
      open = results.filter(({result}) => result.done !== true).map(({stream}) => stream)
    }
    for (const each of layers) expect(digestOf(await bytesOf(store.blob(each)))).toBe(each.digest)
    // Together they were too large; what had no memory left is read again, and then kept if it fits.
    const again = sent.slice(layers.length)
    expect(again.length).toBeGreaterThan(0)
    expect(again.length).toBeLessThan(layers.length)
  })
})
