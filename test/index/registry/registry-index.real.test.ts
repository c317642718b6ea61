import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {systemClock} from '../../../src/adapters/system-clock.js'
import {digestOf} from '../../../src/fetch/verified-bytes.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../../registry/docker-registry.js'
import {describeIndex} from './index-contract.js'
import {indexed, inWords, newClient, only} from './some-index.js'

const PUBLISHERS = 8
const VERSIONS = 50
const LAYOUTS = ['repositories', 'single-repository'] as const

describeReal("an index in Debian's docker-registry", missingTool(...DOCKER_REGISTRY_TOOLS), () => {
  const start = dockerRegistries()
  const stop = () => Promise.resolve() // with the file

  for (const layout of LAYOUTS)
    describeIndex('the index', layout, async () => ({...(await start()), clock: systemClock, stop}))

  describeReal('copied by skopeo', missingTool('skopeo'), () => {
    it('is the same in another registry, byte for byte', async () => {
      const [from, to] = [(await start()).host, (await start()).host]
      const summary = indexed('team/sql:v1', {owns: ['tables.sql.org']})
      const root = {registry: from, path: 'team/index'}
      await indexWriter(root, {registry: newClient(systemClock)}, 'single-repository').add(summary)
      const flags = ['--src-tls-verify=false', '--dest-tls-verify=false', '--all', '--preserve-digests']
      const client = newClient(systemClock)
      for await (const tag of client.tags(root)) {
        const name = `team/index:${tag}`
        execFileSync(
          'skopeo',
          ['--insecure-policy', 'copy', ...flags, `docker://${from}/${name}`, `docker://${to}/${name}`],
          {
            stdio: 'pipe',
          },
        )
      }
      const copy = {...root, registry: to}
      expect(await client.digestOf(copy, 'index')).toBe(await client.digestOf(root, 'index'))
      expect((await registryIndex(copy, {registry: client}).all()).summaries).toEqual([summary])
    })
  })

  describe('concurrent publishers', () => {
    it.each(LAYOUTS)(
      'lose no entries of each other: %s',
      async layout => {
        const root = {registry: (await start()).host, path: 'team/index'}
        const publish = async (publisher: number) => {
          const writer = indexWriter(root, {registry: newClient(systemClock)}, layout)
          for (let at = 0; at < VERSIONS; at += 1) {
            const reference = `team-${publisher}/sql:v1.${at}`
            expect(await writer.add(indexed(reference, {owns: ['users.auth.org', 'tables.sql.org']}))).toBe(
              'added',
            )
          }
        }
        await Promise.all(Array.from({length: PUBLISHERS}, (_, at) => publish(at)))
        const index = registryIndex(root, {registry: newClient(systemClock)})
        const all = Array.from({length: PUBLISHERS * VERSIONS}, (_, at) => {
          const publisher = Math.floor(at / VERSIONS)
          return `team-${publisher}/sql:v1.${at % VERSIONS}`
        }).sort()
        expect([
          inWords(await index.ofGroup('auth.org')),
          inWords(await index.ofGroup('sql.org')),
          inWords(await index.all()),
          inWords(await index.ofPackage('team-3/sql')),
        ]).toEqual([
          only(...all),
          only(...all),
          only(...all),
          only(...all.filter(each => each.startsWith('team-3/'))),
        ])
      },
      300_000,
    )

    it.each(LAYOUTS)('of the same versions do not conflict: %s', async layout => {
      const root = {registry: (await start()).host, path: 'team/index'}
      const versions = Array.from({length: 6}, (_, at) =>
        indexed(`team/sql:v1.${at}`, {owns: ['users.auth.org', 'tables.sql.org']}),
      )
      const publish = async () => {
        const writer = indexWriter(root, {registry: newClient(systemClock)}, layout)
        for (const each of versions) expect(['added', 'present']).toContain(await writer.add(each))
      }
      await Promise.all(Array.from({length: PUBLISHERS}, publish))
      const index = registryIndex(root, {registry: newClient(systemClock)})
      const want = only(...versions.map(({tag}) => `team/sql:${tag}`))
      expect([inWords(await index.ofGroup('auth.org')), inWords(await index.all())]).toEqual([want, want])
    })

    it('of different bytes under one version are both listed', async () => {
      const root = {registry: (await start()).host, path: 'team/index'}
      const versions = ['one', 'other'].map(digest =>
        indexed('team/sql:v1', {owns: ['tables.sql.org'], digest: digestOf(Buffer.from(digest))}),
      )
      const kept = await Promise.all(
        versions.map(each => indexWriter(root, {registry: newClient(systemClock)}, 'repositories').add(each)),
      )
      const found = await registryIndex(root, {registry: newClient(systemClock)}).ofGroup('sql.org')
      expect({kept, digests: found.summaries.map(({digest}) => digest).sort()}).toEqual({
        kept: ['added', 'added'],
        digests: versions.map(({digest}) => digest).sort(),
      })
    })
  })
})
