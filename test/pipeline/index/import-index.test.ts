import {afterEach, describe, expect, it} from '@jest/globals'
import {importIndex} from '../../../src/pipeline/index/import-index.js'
import type {ProgressEvent} from '../../../src/registry/progress.js'
import {type RegistryServer, startRegistry} from '../../fakes/registry-server.js'
import {indexed, newClient, yankOf} from '../../index/registry/some-index.js'

const servers: RegistryServer[] = []
afterEach(() => Promise.all(servers.splice(0).map(server => server.close())))

describe('importIndex', () => {
  it('reports how many entries are written', async () => {
    const server = await startRegistry()
    servers.push(server)
    const summaries = ['v1', 'v2', 'v3'].map(tag => indexed(`team/sql:${tag}`, {owns: ['tables.sql.org']}))
    const yanked = summaries.slice(0, 1).map(each => yankOf(each, 'broken'))
    const events: ProgressEvent[] = []
    await importIndex(
      {summaries, yanked, unreadable: []},
      {root: {registry: server.host, path: 'i'}, layout: 'repositories'},
      {registry: () => Promise.resolve(newClient()), report: event => events.push(event)},
    )
    const name = `${server.host}/i`
    expect(events).toEqual([1, 2, 3, 4].map(done => ({kind: 'entry-written', name, done, total: 4})))
  })
})
