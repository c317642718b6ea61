import {describe, expect, it} from '@jest/globals'
import {entryBytes, entryText, type IndexedSummary} from '../../../src/index/entry/entry-document.js'
import {correctionTag, entryTag} from '../../../src/index/entry/entry-tag.js'
import {documentImage} from '../../../src/index/registry/artifact.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import {startRegistry} from '../../fakes/registry-server.js'
import {outcome} from '../../outcome.js'
import {groupIndexes, versions} from './group-index.js'
import {indexed, newClient, rememberedIn} from './some-index.js'

const {running, indexWith} = groupIndexes()

const TRUTH = versions(1)[0]!
const LIE: IndexedSummary = {...TRUTH, dependsOn: [{crd: 'no.such.org'}]}
const OTHER_VERSION: IndexedSummary = {...TRUTH, version: 'v9'}
const lied = (summary: IndexedSummary): IndexedSummary => ({...summary, dependsOn: [{crd: 'no.such.org'}]})
const corrections = (tags: Iterable<string>) => [...tags].filter(tag => tag.startsWith('corrected.'))
const correctionOf = (summary: IndexedSummary) => correctionTag(entryTag(summary), entryText(summary))
const correction = documentImage('correction', Buffer.from('{}'))

/** Adds a version as a publisher who has read the package. */
async function publish(root: {registry: string; path: string}, summary: IndexedSummary) {
  const writer = indexWriter(root, {registry: newClient()}, 'repositories')
  const kept = await writer.add(summary, {isRead: true})
  return {kept, rules: (await writer.finish()).map(({rule}) => rule)}
}

describe('a correction', () => {
  it('costs a lookup with a cache one request, once', async () => {
    const {root, look} = await indexWith([LIE])
    const {memory} = rememberedIn()
    const ports = {registry: newClient(), memory}
    await look(ports)
    const before = (await look(ports)).requests
    expect((await publish(root, TRUTH)).kept).toBe('replaced')
    const [first, second] = [await look(ports), await look(ports)]
    expect([first.requests - before, second.requests - before]).toEqual([1, 0])
    expect([first.found.summaries, second.found.summaries]).toEqual([[TRUTH], [TRUTH]])
  })

  it('of another version for the same bytes costs a lookup with a cache nothing', async () => {
    const {root, look} = await indexWith([OTHER_VERSION])
    const {memory} = rememberedIn()
    const ports = {registry: newClient(), memory}
    await publish(root, TRUTH)
    expect((await look(ports)).found.summaries).toEqual([TRUTH])
    const {found, requests} = await look(ports)
    expect({summaries: found.summaries, requests}).toEqual({summaries: [TRUTH], requests: 1})
  })

  it('excludes the content of a snapshot, and the next snapshot has the right one', async () => {
    const all = versions(20)
    const {root, look, snapshot, snapshots} = await indexWith(all.map(lied))
    const old = await snapshot(all.map(lied))
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    for (const each of all) expect(await writer.add(each, {isRead: true})).toBe('replaced')
    await writer.finish()
    expect(snapshots().filter(tag => tag !== old)).toHaveLength(1)
    const {found, requests} = await look()
    expect(new Set(found.summaries)).toEqual(new Set(all))
    expect(requests).toBeLessThan(6)
  })

  it('is written for a snapshot alone that lies', async () => {
    const all = versions(20)
    const {root, look, snapshot} = await indexWith(all)
    await snapshot(all.map(lied))
    expect((await look()).found.summaries).toEqual(expect.arrayContaining(all.map(lied)))
    expect(await publish(root, TRUTH)).toEqual({kept: 'present', rules: []})
    const {summaries} = (await look()).found
    expect(summaries.filter(({identity, tag}) => identity === TRUTH.identity && tag === TRUTH.tag)).toEqual([
      TRUTH,
    ])
  })

  it('is written before the entry, so that an interrupted publisher can go on', async () => {
    const {root, look, put, server} = await indexWith([LIE])
    const {memory} = rememberedIn()
    const ports = {registry: newClient(), memory}
    await look(ports)
    await put(correctionOf(LIE), correction)
    expect((await look(ports)).found.summaries).toEqual([LIE])
    expect((await publish(root, TRUTH)).kept).toBe('replaced')
    expect((await look(ports)).found.summaries).toEqual([TRUTH])
    expect(corrections(server.contents.ensure('i/sql.org').tags.keys())).toEqual([correctionOf(LIE)])
  })

  it('counts again after the same lie was written again', async () => {
    const {root, look, put} = await indexWith([LIE])
    for (const {memory} of [rememberedIn(), rememberedIn()]) {
      const ports = {registry: newClient(), memory}
      await put(entryTag(LIE), documentImage('entry', entryBytes(LIE)))
      expect((await look(ports)).found.summaries).toEqual([LIE])
      await publish(root, TRUTH)
      expect((await look(ports)).found.summaries).toEqual([TRUTH])
    }
  })
})

describe('a false correction', () => {
  it.each([
    {name: 'an entry', entries: [TRUTH], named: [TRUTH]},
    {name: 'all entries for the same bytes', entries: [TRUTH, OTHER_VERSION], named: [TRUTH, OTHER_VERSION]},
  ])('of $name hides nothing', async ({entries, named}) => {
    const {root, look, put} = await indexWith(entries)
    const {memory} = rememberedIn()
    for (const each of named) await put(correctionOf(each), correction)
    for (const ports of [{registry: newClient(), memory}, {registry: newClient(), memory}, {memory}])
      expect(new Set((await look(ports)).found.summaries)).toEqual(new Set(entries))
    expect((await publish(root, TRUTH)).kept).toBe('present')
  })

  it('of one of two leaves the other, which the package is compared with', async () => {
    const {look, put} = await indexWith([TRUTH, OTHER_VERSION])
    await put(correctionOf(TRUTH), correction)
    expect((await look()).found.summaries).toEqual([OTHER_VERSION])
  })

  it('of each entry costs one request for each', async () => {
    const all = versions(20)
    const {look, put, compact} = await indexWith(all)
    await compact()
    for (const each of all) await put(correctionOf(each), correction)
    const {memory} = rememberedIn()
    await look({registry: newClient(), memory})
    const {found, requests} = await look({registry: newClient(), memory})
    expect(new Set(found.summaries)).toEqual(new Set(all))
    expect(requests).toBeLessThan(all.length + 4)
  })

  it('that names nothing costs nothing, however many there are', async () => {
    const {server, look} = await indexWith([TRUTH])
    const {memory} = rememberedIn()
    const ports = {registry: newClient(), memory}
    const {tags} = server.contents.ensure('i/sql.org')
    const hash = entryTag(TRUTH).slice(-40)
    for (let at = 0; at < 20_000; at += 1)
      tags.set(`corrected.${hash}.${at.toString(16).padStart(40, '0')}`, 'sha256:0')
    await look(ports)
    const {found, requests} = await look(ports)
    expect({summaries: found.summaries, requests}).toEqual({summaries: [TRUTH], requests: 21})
  })
})

describe('a publisher who corrects', () => {
  it('compares a bounded number of entries, and says so', async () => {
    const {root, server, put} = await indexWith([TRUTH])
    const lies = Array.from({length: 100}, (_, at) => ({...TRUTH, version: `v9.${at}`}))
    for (const each of lies) await put(entryTag(each), documentImage('entry', entryBytes(each)))
    const before = server.seen.length
    const {rules} = await publish(root, TRUTH)
    expect(rules.filter(rule => rule === 'index-entry-corrected')).toHaveLength(64)
    expect(rules).toContain('index-entries-unchecked')
    expect(server.seen.length - before).toBeLessThan(64 * 4 + 30)
  })

  it('leaves entries of other bytes and of other packages', async () => {
    const moved = {...OTHER_VERSION, digest: indexed('else').digest}
    const namesake = {...indexed('evil-0/sql:v1.0', {owns: ['tables.sql.org']}), version: 'v9'}
    const {root, look} = await indexWith([TRUTH, moved, namesake])
    expect(await publish(root, TRUTH)).toEqual({kept: 'present', rules: []})
    expect((await look()).found.summaries).toHaveLength(3)
  })

  it('names the lie although immutable tags keep it', async () => {
    const server = await startRegistry({keepsTags: true})
    running.push(server)
    const root = {registry: server.host, path: 'i'}
    await indexWriter(root, {registry: newClient()}, 'repositories').add(LIE)
    expect(await outcome(() => publish(root, TRUTH))).toBe('output-refused')
    expect(corrections(server.contents.ensure('i/sql.org').tags.keys())).toEqual([correctionOf(LIE)])
    await indexWriter(root, {registry: newClient()}, 'repositories').add(OTHER_VERSION)
    expect(await outcome(() => publish(root, TRUTH))).toBe('output-refused')
  })
})
