import {describe, expect, it} from '@jest/globals'
import {yankBytes} from '../../../src/index/entry/entry-document.js'
import {entryTag, yankTag} from '../../../src/index/entry/entry-tag.js'
import {documentImage} from '../../../src/index/registry/artifact.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import type {IndexLayout} from '../../../src/index/registry/layout.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import {snapshotDocument} from '../../../src/index/registry/snapshot-document.js'
import type {YankedVersion} from '../../../src/index/summaries.js'
import {startFaulty} from '../../fakes/faulty-registry.js'
import {startRegistry} from '../../fakes/registry-server.js'
import {indexed, inWords, newClient, yankOf} from './some-index.js'
import {groupIndexes, versions} from './group-index.js'

const {running, indexWith} = groupIndexes()

const LAYOUTS = ['repositories', 'single-repository'] as const

describe('a writer', () => {
  it.each<IndexLayout>(LAYOUTS)('writes snapshots after many entries: %s', async layout => {
    const server = await startRegistry()
    running.push(server)
    const root = {registry: server.host, path: 'i'}
    const writer = indexWriter(root, {registry: newClient()}, layout)
    const all = versions(40).map((each, at) => ({...each, crds: at % 2 ? [] : each.crds}))
    for (const each of all) await writer.add(each)
    await writer.yank(yankOf(all[0]!, 'broken'), ['sql.org'])
    const written = server.seen.length
    expect(await writer.finish()).toEqual([])
    // No entry that this writer wrote is read again.
    expect(
      server.seen
        .slice(written)
        .filter(({method, path}) => method === 'GET' && /manifests\/(?!index|[\w.]*snapshot)/.test(path)),
    ).toEqual([])
    const before = server.seen.length
    const found = await registryIndex(root, {registry: newClient()}).ofGroup('sql.org')
    expect(found.summaries).toHaveLength(20)
    expect(inWords(found).yanked).toEqual([`team-0/sql:v1.0: broken`])
    expect(server.seen.length - before).toBeLessThanOrEqual(4)
    expect((await registryIndex(root, {registry: newClient()}).all()).summaries).toHaveLength(40)
  })

  it.each([404, 405])('names a registry that does not list tags (%s)', async status => {
    const server = await startRegistry()
    const proxy = await startFaulty(server.host, (answer, {path}) =>
      path.endsWith('/tags/list') ? {...answer, status} : answer,
    )
    running.push(server, proxy)
    const root = {registry: proxy.host, path: 'i'}
    await indexWriter(root, {registry: newClient()}, 'repositories').add(versions(1)[0]!)
    await expect(registryIndex(root, {registry: newClient()}).ofGroup('sql.org')).rejects.toMatchObject({
      suggestions: expect.arrayContaining([
        `Use another registry for the index if ${proxy.host} does not list tags`,
      ]) as unknown,
    })
  })

  it('warns if snapshots cannot be written, and keeps the entries', async () => {
    const server = await startRegistry()
    const proxy = await startFaulty(server.host, (answer, {method, path}) =>
      path.includes('/snapshot.') ? {...answer, status: method === 'PUT' ? 403 : 404} : answer,
    )
    running.push(server, proxy)
    const root = {registry: proxy.host, path: 'i'}
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    for (const each of versions(20)) await writer.add(each)
    expect(await writer.finish()).toMatchObject([{severity: 'warning', rule: 'index-snapshot'}])
    expect((await registryIndex(root, {registry: newClient()}).ofGroup('sql.org')).summaries).toHaveLength(20)
  })

  it('sends at most ten requests for a version of one group', async () => {
    const {root, server} = await indexWith(versions(1))
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    const [warm, ...others] = versions(11).map(each => ({...each, identity: 'team/sql'}))
    await writer.add(warm!)
    const before = server.seen.length
    for (const each of others) await writer.add(each)
    expect((server.seen.length - before) / others.length).toBeLessThanOrEqual(10)
  })
})

describe('a snapshot', () => {
  const ALL = versions(20)
  const names = ALL.map(({identity, tag}) => `${identity}:${tag}`).sort()

  it('does not hide an entry that it lacks', async () => {
    const {snapshot, look} = await indexWith(ALL)
    await snapshot(ALL.slice(0, 3))
    expect(inWords((await look()).found).summaries).toEqual(names)
  })

  it('adds no entry or yank that has no tag', async () => {
    const {snapshot, look} = await indexWith(ALL)
    await snapshot([...ALL, indexed('evil/sql:v9', {owns: ['tables.sql.org']}), yankOf(ALL[0]!, 'never')])
    expect(inWords((await look()).found)).toEqual({summaries: names, unreadable: [], yanked: []})
  })

  it('does not restore an entry whose tag was deleted', async () => {
    const {server, compact, look} = await indexWith(ALL)
    await compact()
    server.contents.ensure('i/sql.org').tags.delete(entryTag(ALL[5]!))
    expect((await look()).found.summaries).toHaveLength(19)
  })

  it('does not hide a yank', async () => {
    const {compact, root, look} = await indexWith(ALL)
    await compact()
    await indexWriter(root, {registry: newClient()}, 'repositories').yank(yankOf(ALL[1]!, 'broken'), [
      'sql.org',
    ])
    expect(inWords((await look()).found).yanked).toEqual(['team-1/sql:v1.1: broken'])
  })

  it('contains yanks with their reasons', async () => {
    const {compact, put, look} = await indexWith(ALL)
    for (const each of ALL) {
      const yanked: YankedVersion = yankOf(each, `reason ${each.tag}`)
      await put(yankTag(yanked), documentImage('yank', yankBytes(yanked)))
    }
    await compact()
    const {found, requests} = await look()
    expect(found.yanked.map(({reason}) => reason).sort()).toEqual(ALL.map(({tag}) => `reason ${tag}`).sort())
    expect(requests).toBeLessThanOrEqual(4)
  })

  it('is ignored for another digest, version or package', async () => {
    const {snapshot, look} = await indexWith(ALL)
    await snapshot(
      ALL.flatMap(each => [
        {...each, digest: `sha256:${'0'.repeat(64)}`},
        {...each, version: 'v0'},
        {...each, identity: 'evil/sql'},
      ]),
    )
    expect(new Set((await look()).found.summaries)).toEqual(new Set(ALL))
  })

  it('has no lines of another group', async () => {
    const {snapshot, look} = await indexWith(ALL)
    const other = indexed('x/y:v1', {owns: ['t.evil.org']})
    await snapshot(ALL.map(each => ({...each, crds: other.crds})))
    expect(new Set((await look()).found.summaries)).toEqual(new Set(ALL))
  })

  it('that contradicts another one is ignored: the entry is read', async () => {
    const {snapshot, look} = await indexWith(ALL)
    const lie = (title: string) => ALL.map(each => ({...each, title}))
    // Neither has all entries, so that both are read.
    await snapshot(lie('one').slice(0, 15))
    await snapshot(lie('other').slice(5))
    const {found} = await look()
    const titles = new Map(found.summaries.map(each => [each.tag, each.title]))
    expect(ALL.slice(5, 15).map(({tag}) => titles.get(tag))).toEqual(ALL.slice(5, 15).map(({title}) => title))
  })

  it.each<{name: string; bytes: (sound: Uint8Array) => string | Uint8Array; tag?: string}>([
    {
      name: 'with other content than its tag',
      bytes: sound => Buffer.concat([sound, Buffer.from('{}\n')]),
    },
    {name: 'that is empty', bytes: () => ''},
  ])('$name changes nothing', async ({bytes}) => {
    const {look, put} = await indexWith(ALL)
    const lines = new Map(ALL.map(each => [entryTag(each), {...each, title: 'lie'}]))
    const {tag, bytes: sound} = snapshotDocument({lines, supersedes: []})
    await put(tag, documentImage('snapshot', Buffer.from(bytes(sound))))
    expect(new Set((await look()).found.summaries)).toEqual(new Set(ALL))
  })

  it('requires a bounded number of requests if there are very many without content', async () => {
    const {server, look} = await indexWith(ALL)
    const {tags} = server.contents.ensure('i/sql.org')
    for (let at = 0; at < 3000; at += 1)
      tags.set(`snapshot.40000.${at.toString(16).padStart(40, '0')}`, 'sha256:0')
    const {found, requests} = await look()
    expect(inWords(found).summaries).toEqual(names)
    expect(requests).toBeLessThanOrEqual(1 + 4 + 24 + 20)
  })

  it('that claims to supersede all others hides nothing', async () => {
    const {snapshot, look, compact, snapshots} = await indexWith(ALL)
    await compact()
    const before = snapshots()
    const padding = versions(30, 1000)
    await snapshot([...padding], before)
    expect(inWords((await look()).found).summaries).toEqual(names)
  })
})
