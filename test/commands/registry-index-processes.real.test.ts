import {beforeAll, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {systemClock} from '../../src/adapters/system-clock.js'
import {writeIndexFile} from '../../src/index/file/index-file.js'
import {indexWriter} from '../../src/index/registry/index-writer.js'
import {snapshotSize} from '../../src/index/registry/snapshot-document.js'
import {programWords} from '../built-program.js'
import {indexed, newClient} from '../index/registry/some-index.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {runBuilt} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'

const PUBLISHERS = 8
/** The fewest of which each publisher and `compact` write snapshots. */
const VERSIONS = 16

const versionsOf = (publisher: string) =>
  Array.from({length: VERSIONS}, (_, at) =>
    indexed(`team-${publisher}/sql:v1.${at}`, {owns: ['tables.sql.org']}),
  )

describeReal('an index that several processes write', missingTool(...DOCKER_REGISTRY_TOOLS), () => {
  const start = dockerRegistries()
  const folder = temporaryFolder()
  beforeAll(() => {
    programWords()
  }, 300_000)

  /** Runs the program, which must succeed, and returns what it prints. */
  async function index(...args: readonly string[]): Promise<string> {
    const {status, stdout, stderr} = await runBuilt(['registry', 'index', ...args], {env: {HOME: folder}})
    expect({args, status, stderr: status === 0 ? '' : stderr}).toEqual({args, status: 0, stderr: ''})
    return stdout
  }

  it(`keeps every entry of ${PUBLISHERS} publishers while snapshots are written`, async () => {
    const root = {registry: (await start()).host, path: 'team/index'}
    const flag = ['--index', `${root.registry}/${root.path}`]
    const client = newClient(systemClock)
    const before = indexWriter(root, {registry: client}, 'repositories')
    for (const each of versionsOf('before')) await before.add(each)

    const publishers = Array.from({length: PUBLISHERS}, (_, at) => String(at))
    let running = publishers.length
    const publish = async (publisher: string) => {
      const file = join(folder, `${publisher}.jsonl`)
      const lines = writeIndexFile({summaries: versionsOf(publisher), unreadable: [], yanked: []})
      writeFileSync(file, [...lines].join(''))
      const imported = await index('import', file, ...flag, '-o', 'json').finally(() => (running -= 1))
      expect(JSON.parse(imported)).toMatchObject({added: VERSIONS, warnings: []})
    }
    /** Compacts until the publishers are done, and returns how many snapshots were written meanwhile. */
    const compact = async () => {
      let written = 0
      while (running > 0) {
        const report = JSON.parse(await index('compact', ...flag, '-o', 'json')) as {compacted: object[]}
        if (running > 0) written += report.compacted.length
      }
      return written
    }
    const [written] = await Promise.all([compact(), ...publishers.map(publish)])
    expect(written).toBeGreaterThan(0)

    const want = ['before', ...publishers].flatMap(versionsOf).map(({identity, tag}) => `${identity}:${tag}`)
    for (const group of [[], ['sql.org']]) {
      const names = await index('list', ...group, ...flag, '--no-cache', '-o', 'name')
      expect(names.trim().split('\n').sort()).toEqual(want.sort())
    }
    const snapshots: string[] = []
    for await (const tag of client.tags({...root, path: `${root.path}/sql.org`}))
      if (snapshotSize(tag) !== undefined) snapshots.push(tag)
    expect(snapshots.length).toBeGreaterThan(1)
  }, 180_000)
})
