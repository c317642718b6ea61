import {beforeAll, describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {type CliResult, runCli} from '../run-cli.js'
import {type IndexedWorld, IndexedWorlds, tagsIn} from './indexed-world.js'

/** A registry pages at two tags, overwrites none, makes no repositories, and is too busy for every so many requests. */
const ADVERSE = {pageSize: 2, keepsTags: true, makesNoRepositories: true, busyEvery: 150}

const worlds = new IndexedWorlds()

describe.each([
  {layout: 'a repository for each group', flags: []},
  {layout: 'a single repository', flags: ['--single-repository']},
])('in a registry with every limitation, with $layout', ({flags}) => {
  let world: IndexedWorld
  const created: string[] = []
  const at = () => ['--index', world.root]
  const cached = () => [...at(), '--cache-dir', world.cache]

  /** Runs a command until it is done, after each refusal creating what that names: nothing else may be wrong. */
  async function persistently(run: () => Promise<CliResult>): Promise<CliResult> {
    const result = await run()
    const requested = [...result.stderr.matchAll(/Create the repository ([^\s"]+)/g)].map(
      ([, name = '']) => name,
    )
    const paths = requested.map(name => name.replace(`${world.server.host}/`, ''))
    const fresh = paths.filter(path => !created.includes(path))
    expect({status: fresh.length > 0 ? 0 : result.status, stderr: result.stderr}).toEqual({
      status: 0,
      stderr: result.stderr,
    })
    if (fresh.length === 0) return result
    created.push(...fresh)
    fresh.forEach(path => void world.server.contents.ensure(path))
    return await persistently(run)
  }
  const command = async (...argv: readonly string[]) => await persistently(async () => await runCli(...argv))
  const publish = async (name: string, tag: string, app = '') =>
    await persistently(async () => await world.publish(name, tag, {plural: name, app}, ...at(), ...flags))

  beforeAll(async () => {
    world = await worlds.empty(ADVERSE)
    for (const tag of ['v1.0.0', 'v1.1.0', 'v1.2.0', 'v1.3.0', 'v2.0.0']) await publish('gears', tag)
    await publish('wheels', 'v0.1.0', 'dependsOn: [{crd: gears.gears.example.org}]\n')
  }, 120_000)

  it('every package is published, and only the suggested repositories had to be created', () => {
    const roots = created.filter(path => !path.startsWith('team/'))
    expect(roots.filter(path => path !== 'all/index' && !path.startsWith('all/index/'))).toEqual([])
    expect(roots.length > 1).toBe(flags.length === 0)
  })

  it('the index is listed, searched and looked up', async () => {
    const list = await command('registry', 'index', 'list', ...cached(), '-o', 'json')
    const search = await command('registry', 'index', 'search', 'wheels', ...cached())
    const owners = await command('package', 'provides', 'gears.gears.example.org', ...cached(), '-o', 'json')
    expect(tagsIn(list)).toEqual([
      'gears:v2.0.0',
      'gears:v1.3.0',
      'gears:v1.2.0',
      'gears:v1.1.0',
      'gears:v1.0.0',
      'wheels:v0.1.0',
    ])
    expect(search.stdout).toContain('wheels')
    expect((JSON.parse(owners.stdout) as {providers: unknown[]}).providers).toHaveLength(5)
  })

  it('resolves, renders and locks dependencies, and keeps a locked version that is yanked', async () => {
    const requested = worlds.path('crossplane-packages.yaml')
    writeFileSync(
      requested,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
indexes: [${world.root}]
packages: [{package: ${world.reference('wheels', 'v0.1.0')}}]
`,
    )
    const asked = ['--declaration', requested, '--cache-dir', world.cache]
    const tree = await command('package', 'tree', ...asked)
    await command('package', 'lock', ...asked)
    await command(
      ...['registry', 'index', 'yank', world.reference('gears', 'v2.0.0'), '--reason', 'it squeaks', ...at()],
    )
    const locked = await command('package', 'render', ...asked)
    const free = await command('package', 'render', world.reference('wheels', 'v0.1.0'), ...cached())
    expect({
      tree: tree.stdout.includes('gears:v2.0.0'),
      locked: locked.stdout.includes('version: v2.0.0'),
      isWarned: locked.stderr.includes('was yanked: it squeaks'),
      free: free.stdout.includes('version: v1.3.0'),
    }).toEqual({tree: true, locked: true, isWarned: true, free: true})
  })

  it('the index is exported, imported and rebuilt', async () => {
    const file = worlds.path('index.jsonl')
    await command('registry', 'index', 'export', ...cached(), '--output-file', file)
    const [copy, anew] = [`${world.server.host}/all/copy`, `${world.server.host}/all/anew`]
    await command('registry', 'index', 'import', file, '--index', copy, ...flags)
    const repository = world.reference('gears', '').slice(0, -1)
    await command(
      'registry',
      'index',
      'rebuild',
      repository,
      '--index',
      anew,
      ...flags,
      '--cache-dir',
      world.cache,
    )
    await command('registry', 'index', 'add', world.reference('wheels', 'v0.1.0'), '--index', anew)
    const again = await command('registry', 'index', 'export', '--index', copy, '--no-cache')
    const both = await command('registry', 'index', 'export', '--index', anew, '--no-cache')
    const original = await command('registry', 'index', 'export', ...cached())
    const entries = (text: string) => text.split('\n').filter(line => line.includes('crds'))
    expect({again: again.stdout, entries: entries(both.stdout)}).toEqual({
      again: original.stdout,
      entries: entries(original.stdout),
    })
  })

  it('the registry was busy more than once', () => {
    expect(world.server.seen.length).toBeGreaterThan(2 * ADVERSE.busyEvery)
  })
})
