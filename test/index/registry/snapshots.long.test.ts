import {describe, expect, it} from '@jest/globals'
import {entryBytes} from '../../../src/index/entry/entry-document.js'
import {entryTag} from '../../../src/index/entry/entry-tag.js'
import {documentImage} from '../../../src/index/registry/artifact.js'
import {compactIndex} from '../../../src/index/registry/compact-index.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import {groupIndexes, versions} from './group-index.js'
import {inWords, newClient, rememberedIn} from './some-index.js'

const {indexWith} = groupIndexes()
/** How many versions are published one at a time; more with another number: `INDEX_VERSIONS=700`. */
const GROWN = Number(process.env.INDEX_VERSIONS ?? 300)

describe('a group with 5,000 versions', () => {
  it('is looked up with at most 40 requests after it was compacted, and from the cache with its pages', async () => {
    const all = versions(5000)
    const {compact, look, snapshots} = await indexWith(all)
    expect((await look()).requests).toBeGreaterThan(5000)
    expect(await compact()).toMatchObject({compacted: [{name: 'sql.org', entries: 5000}]})
    const {memory} = rememberedIn()
    const cold = await look({registry: newClient(), memory})
    expect(cold.requests).toBeLessThanOrEqual(40)
    expect(inWords(cold.found).summaries).toEqual(all.map(({identity, tag}) => `${identity}:${tag}`).sort())
    expect(cold.found.unreadable).toEqual([])
    const warm = await look({registry: newClient(), memory})
    expect(warm.requests).toBe(6)
    expect(inWords(warm.found)).toEqual(inWords(cold.found))
    expect(inWords((await look({memory})).found)).toEqual(inWords(cold.found))
    expect(snapshots()).toHaveLength(1)
  }, 120_000)

  it('is looked up with at most 40 requests where it grew one version at a time', async () => {
    const {root, look} = await indexWith([])
    const all = versions(GROWN)
    for (const each of all) {
      const writer = indexWriter(root, {registry: newClient()}, 'repositories')
      await writer.add(each)
      expect(await writer.finish()).toEqual([])
    }
    const {found, requests} = await look()
    expect(found.summaries).toHaveLength(GROWN)
    // Its share of the entries that no snapshot has yet does not grow with the index.
    expect(requests).toBeLessThanOrEqual(40)
  }, 120_000)
})

describe('a writer', () => {
  it('loses no entry if eight publishers write snapshots concurrently', async () => {
    const {server, root, snapshots} = await indexWith(versions(1))
    const publish = async (publisher: number) => {
      for (let batch = 0; batch < 3; batch += 1) {
        const writer = indexWriter(root, {registry: newClient()}, 'repositories')
        for (const each of versions(17, 1 + (publisher * 3 + batch) * 17)) await writer.add(each)
        expect(await writer.finish()).toEqual([])
      }
    }
    await Promise.all(Array.from({length: 8}, (_, publisher) => publish(publisher)))
    expect(snapshots().length).toBeGreaterThan(0)
    const before = server.seen.length
    const found = await registryIndex(root, {registry: newClient()}).ofGroup('sql.org')
    expect(inWords(found).summaries).toEqual(
      versions(1 + 8 * 3 * 17)
        .map(({identity, tag}) => `${identity}:${tag}`)
        .sort(),
    )
    expect(server.seen.length - before).toBeLessThanOrEqual(40)
  })

  it('leaves few current snapshots, in whatever order the entries were added', async () => {
    const {root, snapshots, server, put} = await indexWith(versions(1))
    for (let batch = 0; batch < 30; batch += 1) {
      for (const each of versions(20, 1 + batch * 20)) {
        await put(entryTag(each), documentImage('entry', entryBytes(each)))
      }
      await compactIndex(root, {registry: newClient()})
    }
    expect(snapshots()).toHaveLength(30)
    const before = server.seen.length
    const found = await registryIndex(root, {registry: newClient()}).ofGroup('sql.org')
    expect(found.summaries).toHaveLength(601)
    expect(server.seen.length - before).toBeLessThanOrEqual(10)
  })
})
