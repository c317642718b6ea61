import {afterEach, describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../src/errors.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import type {IndexLayout} from '../../../src/index/registry/layout.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import {type Answer, type Passing, startFaulty} from '../../fakes/faulty-registry.js'
import {type RegistryServer, startRegistry} from '../../fakes/registry-server.js'
import {toCreate} from './index-contract.js'
import {indexed, inWords, newClient, only, yankOf} from './some-index.js'

const running: {close(): Promise<void>}[] = []
afterEach(() => Promise.all(running.splice(0).map(each => each.close())))

const SQL = indexed('team/sql:v1', {owns: ['users.auth.org', 'tables.sql.org']})
const PACKAGE = 'i/package-sql-2dd647a00d1a2a5de4dc48e6e1d081b4d1b505e8'

/** A registry that does not create repositories, and how it responds. */
async function closedRegistry(refuse: (answer: Answer, request: Passing) => Answer = answer => answer) {
  const server: RegistryServer = await startRegistry({makesNoRepositories: true, keepsTags: true})
  const proxy = await startFaulty(server.host, (answer, request) =>
    answer.status === 403 ? refuse(answer, request) : answer,
  )
  running.push(server, proxy)
  const root = {registry: proxy.host, path: 'i'}
  const refused = async (layout: IndexLayout = 'repositories') => {
    try {
      await indexWriter(root, {registry: newClient()}, layout).add(SQL)
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      const {code, suggestions} = error
      const asked = toCreate(error).map(each => each.slice(proxy.host.length + 1))
      return {code, asked, speaksOfSingle: suggestions.some(each => each.includes('--single-repository'))}
    }
    return undefined
  }
  return {root, refused, create: (path: string) => void server.contents.ensure(path)}
}

const refusals: readonly {readonly name: string; readonly refuse: Parameters<typeof closedRegistry>[0]}[] = [
  {name: '403 to everything', refuse: answer => answer},
  {name: '404 to everything', refuse: answer => ({...answer, status: 404})},
  {
    name: '404 to readers and 405 to writers',
    refuse: (answer, {method}) => ({...answer, status: ['GET', 'HEAD'].includes(method) ? 404 : 405}),
  },
  {
    name: '404 to readers, 400 and a name to writers',
    refuse: (answer, {method}) =>
      ['GET', 'HEAD'].includes(method)
        ? {...answer, status: 404}
        : {...answer, status: 400, body: Buffer.from('{"errors":[{"code":"NAME_UNKNOWN"}]}')},
  },
]

describe('a registry that does not create repositories', () => {
  it.each(refusals)(
    'and answers $name: only the suggested repositories have to be created',
    async ({refuse}) => {
      const {root, refused, create} = await closedRegistry(refuse)
      const first = await refused()
      expect(first).toEqual({
        code: 'access-denied',
        asked: ['i', 'i/auth.org', PACKAGE, 'i/sql.org'],
        speaksOfSingle: true,
      })
      first?.asked.forEach(create)
      expect(await refused()).toBeUndefined()
      const index = registryIndex(root, {registry: newClient()})
      expect([
        inWords(await index.ofGroup('sql.org')),
        inWords(await index.ofGroup('absent.org')),
        inWords(await index.all()),
      ]).toEqual([only('team/sql:v1'), only(), only('team/sql:v1')])
    },
  )

  it.each([
    {there: ['i'], want: ['i/auth.org', PACKAGE, 'i/sql.org']},
    {there: ['i', 'i/sql.org', PACKAGE], want: ['i/auth.org']},
    {there: ['i/auth.org', 'i/sql.org', PACKAGE], want: ['i']},
  ])('names the missing repositories beside $there', async ({there, want}) => {
    const {refused, create} = await closedRegistry()
    there.forEach(create)
    expect((await refused())?.asked).toEqual(want)
    want.forEach(create)
    expect(await refused()).toBeUndefined()
  })

  it('and requires authentication suggests to log in first', async () => {
    const {root} = await closedRegistry(answer => ({...answer, status: 401}))
    const adding = indexWriter(root, {registry: newClient()}, 'repositories').add(SQL)
    await expect(adding).rejects.toMatchObject({
      code: 'access-denied',
      suggestions: [
        `Log in: kubectl crossplane registry login ${root.registry}`,
        `Or create the repository ${root.registry}/i`,
        ...['auth.org', PACKAGE.slice(2), 'sql.org'].map(
          each => `Or create the repository ${root.registry}/i/${each}`,
        ),
        expect.stringContaining('--single-repository'),
      ],
    })
  })

  it('has no layout after a rejected push', async () => {
    const {root, refused, create} = await closedRegistry()
    create('i')
    expect(await refused()).toMatchObject({code: 'access-denied', speaksOfSingle: true})
    expect(await refused('single-repository')).toBeUndefined()
    const index = registryIndex(root, {registry: newClient()})
    expect(inWords(await index.ofGroup('sql.org'))).toEqual(only('team/sql:v1'))
  })

  it('requires one repository for an index with --single-repository', async () => {
    const {refused, create} = await closedRegistry()
    expect(await refused('single-repository')).toEqual({
      code: 'access-denied',
      asked: ['i'],
      speaksOfSingle: false,
    })
    create('i')
    expect(await refused('single-repository')).toBeUndefined()
  })

  it('names the repositories that a yank cannot write', async () => {
    const {root, refused, create} = await closedRegistry()
    ;(await refused())?.asked.forEach(create)
    await refused()
    const yank = () =>
      indexWriter(root, {registry: newClient()}, 'repositories').yank(yankOf(SQL, 'x'), ['other.org'])
    await expect(yank()).rejects.toMatchObject({
      code: 'access-denied',
      suggestions: expect.arrayContaining([`Create the repository ${root.registry}/i/other.org`]) as unknown,
    })
  })
})
