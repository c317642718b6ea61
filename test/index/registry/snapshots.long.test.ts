import {describe, expect, it} from '@jest/globals'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import {groupIndexes, versions} from './group-index.js'
import {inWords, newClient, rememberedIn} from './some-index.js'

const {indexWith} = groupIndexes()

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
    const all = versions(700)
    for (const each of all) {
      const writer = indexWriter(root, {registry: newClient()}, 'repositories')
      await writer.add(each)
      expect(await writer.finish()).toEqual([])
    }
    const {found, requests} = await look()
    expect(found.summaries).toHaveLength(700)
    // Its share of the entries that no snapshot has yet does not grow with the index.
    expect(requests).toBeLessThanOrEqual(40)
  }, 120_000)
})
