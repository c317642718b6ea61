import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../src/errors.js'
import {digestOf} from '../../../src/fetch/verified-bytes.js'
import type {IndexedSummary} from '../../../src/index/entry/entry-document.js'
import type {IndexLayout} from '../../../src/index/registry/layout.js'
import type {IndexMemory} from '../../../src/index/registry/index-memory.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import type {Repository} from '../../../src/reference/repository.js'
import type {Clock} from '../../../src/http/clock.js'
import {outcome, present} from '../../outcome.js'
import {imageOf, layerOf} from '../../registry/package-images.js'
import {indexed, inWords, newClient, only, rememberedIn, yankOf} from './some-index.js'

/** A running registry; only the tests of one suite use it. */
export interface RunningRegistry {
  readonly host: string
  /** One that waits for nothing by default. */
  readonly clock?: Clock
  /** Where pushing makes no repositories. */
  readonly create?: (path: string) => void
  /** Whether it has immutable tags. */
  readonly keepsTags?: boolean
  stop(): Promise<void>
}

const SQL = indexed('example/sql:v1', {owns: ['tables.sql.org', 'users.sql.org'], requires: ['x.y.org/v1']})
const SQL2 = indexed('example/sql:v2', {owns: ['grants.auth.org', 'tables.sql.org']})
const AUTH = indexed('other.org/team/auth:v1', {owns: ['users.auth.org']})
const APP = indexed('example/app:v1', {requires: ['example/sql']})

/** The repositories that an error lists as missing. */
export function toCreate(error: unknown): readonly string[] {
  if (!(error instanceof CrossplaneError)) return []
  return error.suggestions.flatMap(each => /^Create the repository (.+)$/.exec(each)?.[1] ?? [])
}

/** What holds of every index in a registry, whichever it is and however it is laid out. */
export function describeIndex(
  name: string,
  layout: IndexLayout,
  start: () => Promise<RunningRegistry>,
): void {
  describe(`${name}, layout ${layout}`, () => {
    let running: RunningRegistry | undefined
    let roots = 0
    beforeAll(async () => {
      running = await start()
    })
    afterAll(() => running?.stop())
    const newRoot = (): Repository => ({registry: present(running).host, path: `team/index-${++roots}`})
    const writer = (root: Repository, asked = layout) =>
      indexWriter(root, {registry: newClient(present(running).clock)}, asked)
    const index = (root: Repository, memory?: IndexMemory) =>
      registryIndex(root, {registry: newClient(), ...(memory === undefined ? {} : {memory})})

    /** Does something, and again after having created what the refusal asked for. */
    async function created<T>(act: () => Promise<T>): Promise<T> {
      const {create, host} = present(running)
      if (create === undefined) return await act()
      try {
        return await act()
      } catch (error) {
        toCreate(error).forEach(each => create(each.slice(host.length + 1)))
        return await act()
      }
    }
    async function filled(...summaries: readonly IndexedSummary[]): Promise<Repository> {
      const root = newRoot()
      for (const summary of summaries) expect(await created(() => writer(root).add(summary))).toBe('added')
      return root
    }

    it('reports that there is no index', async () => {
      const root = newRoot()
      const code = present(running).create === undefined ? 'not-found' : 'access-denied'
      expect(await outcome(() => index(root).ofGroup('sql.org'))).toBe(code)
      expect(await outcome(() => index(root).ofPackage('example/sql'))).toBe(code)
      expect(await outcome(() => index(root).all())).toBe(code)
      expect(await outcome(() => writer(root).yank(yankOf(SQL, 'broken'), []))).toBe(code)
    })

    it('finds a version by each of its groups, by its package, and among all', async () => {
      const root = await filled(SQL, SQL2, AUTH, APP)
      const at = index(root)
      expect((await at.ofGroup('sql.org')).summaries).toEqual(expect.arrayContaining([SQL, SQL2]))
      expect([
        inWords(await at.ofGroup('sql.org')),
        inWords(await at.ofGroup('auth.org')),
        inWords(await at.ofGroup('org')),
        inWords(await at.ofGroup('users.sql.org')),
        inWords(await at.ofPackage('example/sql')),
        inWords(await at.ofPackage('example/app')),
        inWords(await at.ofPackage('sql')),
        inWords(await at.all()),
      ]).toEqual([
        only('example/sql:v1', 'example/sql:v2'),
        only('example/sql:v2', 'other.org/team/auth:v1'),
        only(),
        only(),
        only('example/sql:v1', 'example/sql:v2'),
        only('example/app:v1'),
        only(),
        only('example/app:v1', 'example/sql:v1', 'example/sql:v2', 'other.org/team/auth:v1'),
      ])
    })

    it('returns one object for a version that is found twice', async () => {
      const at = index(await filled(SQL))
      const [byGroup] = (await at.ofGroup('sql.org')).summaries
      const [byPackage] = (await at.ofPackage('example/sql')).summaries
      expect(byGroup).toEqual(SQL)
      expect(byPackage).toBe(byGroup)
    })

    it('adds the same version again without a change', async () => {
      const root = await filled(SQL)
      expect(await writer(root).add(SQL)).toBe('present')
      expect(inWords(await index(root).all())).toEqual(only('example/sql:v1'))
    })

    it('lists another digest of a version beside the first', async () => {
      const other = {...SQL, digest: digestOf(Buffer.from('others'))}
      const root = await filled(SQL, other)
      const {summaries} = await index(root).ofGroup('sql.org')
      expect(new Set(summaries.map(({digest}) => digest))).toEqual(new Set([SQL.digest, other.digest]))
      expect(summaries).toHaveLength(2)
    })

    it('rejects another entry for the same digest', async () => {
      const root = await filled(SQL)
      const lie = {...SQL, dependsOn: []}
      expect(await outcome(() => writer(root).add(lie))).toBe('output-refused')
      expect((await index(root).ofPackage('example/sql')).summaries).toEqual([SQL])
    })

    it('yanks a version with the first reason', async () => {
      const root = await filled(SQL, SQL2)
      const yank = (reason: string) => writer(root).yank(yankOf(SQL, reason), ['sql.org'])
      expect([await yank('it loses data'), await yank('another reason')]).toEqual(['added', 'present'])
      const want = {
        ...only('example/sql:v1', 'example/sql:v2'),
        yanked: ['example/sql:v1: it loses data'],
      }
      const at = index(root)
      expect([
        inWords(await at.ofGroup('sql.org')),
        inWords(await at.ofPackage('example/sql')),
        inWords(await at.all()),
      ]).toEqual([want, want, want])
    })

    it('ignores a yank of an absent entry', async () => {
      const root = await filled(SQL)
      await writer(root).yank(yankOf({...SQL2, identity: SQL.identity}, 'never was'), ['sql.org'])
      expect(inWords(await index(root).ofGroup('sql.org'))).toEqual(only('example/sql:v1'))
    })

    it('keeps its layout', async () => {
      const root = await filled(SQL)
      const other = layout === 'repositories' ? 'single-repository' : 'repositories'
      const added = await outcome(() => created(() => writer(root, other).add(SQL2)))
      expect(added).toBe(layout === 'repositories' ? 'usage' : 'added')
      expect(inWords(await index(root).ofPackage('example/sql')).summaries).toHaveLength(
        layout === 'repositories' ? 1 : 2,
      )
    })

    it('lists many versions and ignores unknown tags', async () => {
      const versions = Array.from({length: 11}, (_, at) =>
        indexed(`example/sql:v1.${at}`, {owns: ['t.sql.org']}),
      )
      const root = await filled(...versions)
      const client = newClient()
      const image = imageOf(layerOf({'.registry/app.yaml': 'title: x'}))
      const path = layout === 'repositories' ? `${root.path}/sql.org` : root.path
      for (const tag of ['v1', 'snapshot-1', 'latest']) await client.push({...root, path}, tag, image)
      const want = only(...versions.map(({tag}) => `example/sql:${tag}`).sort())
      expect(inWords(await index(root).ofGroup('sql.org'))).toEqual(want)
      expect(inWords(await index(root).all())).toEqual(want)
    })

    it('reads a corrected entry again that the cache has, and offline what was read last', async () => {
      const lie = {...SQL, dependsOn: []}
      const root = await filled(lie)
      const {memory} = rememberedIn()
      const summaries = async (at: ReturnType<typeof index>) => [
        (await at.ofGroup('sql.org')).summaries,
        (await at.ofPackage('example/sql')).summaries,
      ]
      expect(await summaries(index(root, memory))).toEqual([[lie], [lie]])
      const replaced = await outcome(() => writer(root).add(SQL, {isRead: true}))
      if (present(running).keepsTags === true) {
        expect(replaced).toBe('output-refused')
        return
      }
      expect(replaced).toBe('replaced')
      const offline = () => registryIndex(root, {memory})
      expect(await summaries(offline())).toEqual([[lie], [lie]])
      expect(await summaries(index(root, memory))).toEqual([[SQL], [SQL]])
      expect(await summaries(offline())).toEqual([[SQL], [SQL]])
    })

    it('ignores another version for the same bytes that was corrected, and warns once', async () => {
      const lie = {...SQL, version: 'v9'}
      const root = await filled(lie)
      const {memory} = rememberedIn()
      await index(root, memory).ofGroup('sql.org')
      const publish = async () => {
        const publisher = writer(root)
        const kept = await publisher.add(SQL, {isRead: true})
        return [kept, (await publisher.finish()).map(({rule}) => rule)]
      }
      expect([await publish(), await publish()]).toEqual([
        ['added', ['index-entry-corrected']],
        ['present', []],
      ])
      for (const at of [index(root), index(root, memory), registryIndex(root, {memory})])
        expect((await at.ofGroup('sql.org')).summaries).toEqual([SQL])
      expect((await index(root).all()).summaries).toEqual([SQL])
    })

    it('answers offline from the cache, and reports missing entries', async () => {
      const root = await filled(SQL, SQL2, AUTH)
      await writer(root).yank(yankOf(SQL, 'it loses data'), ['sql.org'])
      const {memory} = rememberedIn()
      const lookups = [
        (at: ReturnType<typeof index>) => at.ofGroup('sql.org'),
        (at: ReturnType<typeof index>) => at.ofGroup('absent.org'),
        (at: ReturnType<typeof index>) => at.ofPackage('example/sql'),
        (at: ReturnType<typeof index>) => at.all(),
      ]
      const offline = () => registryIndex(root, {memory})
      for (const look of lookups) expect(await outcome(() => look(offline()))).toBe('offline')
      await index(root, memory).ofGroup('sql.org')
      expect(await outcome(() => offline().all())).toBe('offline')
      for (const look of lookups) {
        const [cold, warm] = [await look(index(root, memory)), await look(index(root, memory))]
        expect([inWords(warm), inWords(await look(offline()))]).toEqual([inWords(cold), inWords(cold)])
      }
    })
  })
}
