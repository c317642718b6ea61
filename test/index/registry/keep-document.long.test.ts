import {afterEach, describe, expect, it} from '@jest/globals'
import {documentImage} from '../../../src/index/registry/artifact.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import type {IndexLayout} from '../../../src/index/registry/layout.js'
import {keepDocument, type NewDocument} from '../../../src/index/registry/keep-document.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import {type Diagnostic, startFaulty} from '../../fakes/faulty-registry.js'
import {startRegistry} from '../../fakes/registry-server.js'
import {outcome} from '../../outcome.js'
import {indexed, inWords, newClient, only} from './some-index.js'

const running: {close(): Promise<void>}[] = []
afterEach(() => Promise.all(running.splice(0).map(each => each.close())))

const MINE = Buffer.from('{"mine":1}')
const DOCUMENT: NewDocument = {kind: 'entry', tag: 'x', bytes: MINE, isSame: found => MINE.equals(found)}

/** A registry that does something to its answers. */
async function registry(fault: Diagnostic = answer => answer) {
  const server = await startRegistry({keepsTags: true})
  const proxy = await startFaulty(server.host, fault)
  running.push(server, proxy)
  return {server, repository: {registry: proxy.host, path: 'i'}}
}

describe('a document for a tag', () => {
  it.each([403, 409, 500])(
    'exists if another publisher wrote the same first, and the response is %s',
    async status => {
      const {repository} = await registry((answer, {method, path}) =>
        method === 'PUT' && path.endsWith('/manifests/x') ? {...answer, status} : answer,
      )
      expect(await keepDocument({registry: newClient()}, repository, DOCUMENT)).toBe('present')
    },
  )

  it('is rejected if another publisher wrote a different one first', async () => {
    const {server, repository} = await registry()
    const theirs = documentImage('entry', Buffer.from('{}'))
    await newClient().push({...repository, registry: server.host}, 'x', theirs)
    const keep = () => keepDocument({registry: newClient()}, repository, DOCUMENT)
    expect(await outcome(keep)).toBe('output-refused')
    expect(await newClient().digestOf(repository, 'x')).toBe(theirs.descriptor.digest)
  })

  it('fails with the error of the registry if there is no document', async () => {
    const {repository} = await registry((answer, {method}) =>
      method === 'POST' ? {...answer, status: 501} : answer,
    )
    expect(await outcome(() => keepDocument({registry: newClient()}, repository, DOCUMENT))).toBe(
      'registry-failed',
    )
  })
})

describe('a root', () => {
  /** What a writer adds to an index that another began, between its looking for one and beginning one itself. */
  async function late(theirs: IndexLayout, ours: IndexLayout) {
    const {server, repository} = await registry((answer, {path, number}) =>
      path === '/v2/i/manifests/index' && number === 1 ? {...answer, status: 404} : answer,
    )
    const direct = {...repository, registry: server.host}
    await indexWriter(direct, {registry: newClient()}, theirs).add(
      indexed('team/sql:v1', {owns: ['t.sql.org']}),
    )
    const writer = indexWriter(repository, {registry: newClient()}, ours)
    const added = await outcome(() => writer.add(indexed('team/sql:v2', {owns: ['t.sql.org']})))
    const index = registryIndex(direct, {registry: newClient()})
    return {added, found: inWords(await index.ofGroup('sql.org')).summaries}
  }

  it.each<{theirs: IndexLayout; ours: IndexLayout; want: Awaited<ReturnType<typeof late>>}>([
    {
      theirs: 'repositories',
      ours: 'repositories',
      want: {added: 'added', found: ['team/sql:v1', 'team/sql:v2']},
    },
    {
      theirs: 'single-repository',
      ours: 'repositories',
      want: {added: 'added', found: ['team/sql:v1', 'team/sql:v2']},
    },
    {theirs: 'repositories', ours: 'single-repository', want: {added: 'usage', found: ['team/sql:v1']}},
  ])(
    'that another publisher created meanwhile decides: $theirs against $ours',
    async ({theirs, ours, want}) => {
      expect(await late(theirs, ours)).toEqual(want)
    },
  )
})

describe('a single writer', () => {
  it('adds many versions concurrently', async () => {
    const {repository} = await registry()
    const writer = indexWriter(repository, {registry: newClient()}, 'repositories')
    const versions = Array.from({length: 20}, (_, at) => indexed(`team/sql:v${at}`, {owns: ['t.sql.org']}))
    expect(new Set(await Promise.all(versions.map(each => writer.add(each))))).toEqual(new Set(['added']))
    const want = only(...versions.map(({tag}) => `team/sql:${tag}`).sort())
    expect(inWords(await registryIndex(repository, {registry: newClient()}).ofGroup('sql.org'))).toEqual(want)
  })
})
