import {afterEach, describe, expect, it} from '@jest/globals'
import type {IndexedSummary} from '../../../src/index/entry/entry-document.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import type {IndexLayout} from '../../../src/index/registry/layout.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import type {ProgressEvent} from '../../../src/registry/progress.js'
import type {PackageIndex} from '../../../src/index/package-index.js'
import {type RegistryServer, startRegistry} from '../../fakes/registry-server.js'
import {indexed, newClient, rememberedIn, yankOf} from './some-index.js'

const servers: RegistryServer[] = []
afterEach(() => Promise.all(servers.splice(0).map(server => server.close())))

const OURS = ['v1', 'v2', 'v3'].map(tag => indexed(`team/sql:${tag}`, {owns: ['tables.sql.org']}))
const OTHERS = Array.from({length: 15}, (_, at) =>
  indexed(`team-${at}/other:v1`, {owns: [`things.group-${at}.org`]}),
)

/** An index below `i` with these versions, of which the first is yanked, in a registry with pages of two tags. */
async function indexOf(summaries: readonly IndexedSummary[], layout: IndexLayout = 'repositories') {
  const server = await startRegistry({pageSize: 2})
  servers.push(server)
  const root = {registry: server.host, path: 'i'}
  const writer = indexWriter(root, {registry: newClient()}, layout)
  for (const summary of summaries) await writer.add(summary)
  await writer.yank(yankOf(summaries[0]!, 'broken'), ['sql.org'])
  const {memory} = rememberedIn()
  return {
    /** The requests of one run of the program: methods and paths without the tags' names. */
    asked: async (look: (index: PackageIndex) => Promise<unknown>, remembers = true) => {
      const before = server.seen.length
      await look(registryIndex(root, {registry: newClient(), ...(remembers ? {memory} : {})}))
      return server.seen
        .slice(before)
        .map(({method, path}) => `${method} ${path.replace(/(\w)-[0-9a-f]{40}$/, '$1')}`)
    },
  }
}

const PAGES = Array<string>(2).fill('GET /v2/i/sql.org/tags/list')
const COLD = [
  'GET /v2/i/manifests/index',
  ...PAGES,
  'GET /v2/i/sql.org/manifests/sql-v1',
  'GET /v2/i/sql.org/manifests/sql-v2',
  'GET /v2/i/sql.org/manifests/sql-v3',
  'GET /v2/i/sql.org/manifests/yanked',
]

describe('progress', () => {
  it('reports waits, but not the parts of each entry', async () => {
    const server = await startRegistry({busyEvery: 7})
    servers.push(server)
    const root = {registry: server.host, path: 'i'}
    const written: ProgressEvent[] = []
    const read: ProgressEvent[] = []
    const registry = newClient()
    const writer = indexWriter(root, {registry, report: event => written.push(event)}, 'repositories')
    for (const each of OURS) await writer.add(each)
    const index = registryIndex(root, {registry, report: event => read.push(event)})
    for (const group of ['sql.org', 'a.org', 'b.org', 'c.org', 'd.org', 'e.org']) await index.ofGroup(group)
    await index.ofPackage('team/sql')
    expect(new Set(written.map(({kind}) => kind))).toEqual(new Set(['retry']))
    expect(new Set(read.map(({kind}) => kind))).toEqual(new Set(['retry', 'entry-read']))
  })

  it('reports how many entries were read, without cached ones', async () => {
    const server = await startRegistry()
    servers.push(server)
    const root = {registry: server.host, path: 'i'}
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    for (const each of OURS) await writer.add(each)
    const {memory} = rememberedIn()
    const read = async () => {
      const events: ProgressEvent[] = []
      const ports = {registry: newClient(), memory, report: (event: ProgressEvent) => events.push(event)}
      await registryIndex(root, ports).ofGroup('sql.org')
      return events
    }
    const cold = await read()
    expect(new Set(cold.map(({kind, name, total}) => [kind, name, total].join(' ')))).toEqual(
      new Set([`entry-read ${server.host}/i 3`]),
    )
    expect(cold).toHaveLength(3)
    expect(await read()).toEqual([])
  })
})

describe('the lookup of a group', () => {
  it.each([
    {name: 'alone', summaries: OURS},
    {name: 'among many', summaries: [...OURS, ...OTHERS]},
  ])('$name costs the root, its pages and its entries, and later its pages', async ({summaries}) => {
    const {asked} = await indexOf(summaries)
    const look = (index: PackageIndex) => index.ofGroup('sql.org')
    const [cold, warm] = [await asked(look), await asked(look)]
    expect({cold: [...cold].sort(), warm}).toEqual({cold: [...COLD].sort(), warm: PAGES})
  })

  it('and then of its packages reads each of their repositories once', async () => {
    const {asked} = await indexOf(OURS)
    const both = async (index: PackageIndex) => {
      await index.ofGroup('sql.org')
      await index.ofPackage('team/sql')
      await index.ofGroup('sql.org')
    }
    const cold = await asked(both)
    const pages = cold.filter(each => each.includes('/tags/list'))
    expect(pages).toHaveLength(4)
    // Three entries and a yank in both places: who may write one of them need not be trusted with the other.
    expect(cold).toHaveLength(COLD.length + 2 + 4)
    expect(await asked(both)).toEqual(pages)
  })

  it('reads no entry twice in one run, also without a cache', async () => {
    const {asked} = await indexOf(OURS)
    const both = async (index: PackageIndex) => {
      await index.ofGroup('sql.org')
      await index.ofPackage('team/sql')
    }
    const seen = await asked(async index => {
      await both(index)
      await both(index)
    }, false)
    expect(seen.filter(each => each.includes('/manifests/sql-'))).toHaveLength(2 * 3)
  })

  it('that does not exist costs three requests', async () => {
    const {asked} = await indexOf(OURS)
    const look = (index: PackageIndex) => index.ofGroup('absent.org')
    // Proxies answer HEAD with 404 for manifests that they have.
    const marker = ['HEAD', 'GET'].map(method => `${method} /v2/i/manifests/group.absent.org`)
    const want = ['GET /v2/i/absent.org/tags/list', ...marker]
    expect([await asked(look), await asked(look)]).toEqual([['GET /v2/i/manifests/index', ...want], want])
  })

  it('in a single repository costs its pages, for any number of lookups', async () => {
    const {asked} = await indexOf(OURS, 'single-repository')
    const look = async (index: PackageIndex) => {
      await index.ofGroup('sql.org')
      await index.ofPackage('team/sql')
      await index.ofGroup('absent.org')
    }
    await asked(look)
    // The root's own tag, two that list, three entries twice and their yanks.
    expect(await asked(look)).toEqual(Array(6).fill('GET /v2/i/tags/list'))
  })
})
