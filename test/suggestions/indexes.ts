import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {done, type IndexedWorld, IndexedWorlds} from '../commands/indexed-world.js'
import {present} from '../outcome.js'
import {type CliResult, runCli} from '../run-cli.js'
import {folderOf, newPath} from './available-packages.js'
import type {SuggestionCase} from './suggestion-case.js'

const worlds = new IndexedWorlds()
const gears = {plural: 'gears'}

/** Pushes other content under a tag that an index has. */
async function overwriting(world: IndexedWorld, tag: string): Promise<CliResult> {
  const flags = ['--no-lint', '--force', '--index', world.root]
  const content = {...gears, served: tag === 'v2.0.0' ? 'v2' : 'v1', app: 'readme: other\n'}
  return await runCli('package', 'push', world.reference('gears', tag), worlds.source(tag, content), ...flags)
}

/** Imports the entries of an index with another version for the same bytes. */
async function withOtherVersions(world: IndexedWorld): Promise<CliResult> {
  const {stdout} = await done(world.index('export', '--index', world.root))
  const file = worlds.path('forged.jsonl')
  writeFileSync(file, stdout.replaceAll('"version":"v1.0.0"', '"version":"v9"'))
  return await world.index('import', file, '--index', world.root)
}

/** Indexes in registries, and what their entries lead to. */
export const CASES: readonly SuggestionCase[] = [
  {
    name: 'a tag that was overwritten',
    in: async () => {
      const world = await worlds.filled()
      return [
        ...[
          'package',
          'push',
          world.reference('gears', 'v1.0.0'),
          worlds.source('v1.0.0', {plural: 'wheels'}),
        ],
        ...['--no-lint', '--force', '--index', world.root],
      ]
    },
  },
  {
    name: 'a tag that an index has twice',
    in: async () => {
      const world = await worlds.filled()
      await done(overwriting(world, 'v1.0.0'))
      return ['registry', 'index', 'list', '--index', world.root, '--no-cache']
    },
  },
  {
    name: 'bytes that an index has with two versions',
    in: async () => {
      const world = await worlds.filled()
      await done(withOtherVersions(world))
      return ['registry', 'index', 'list', '--index', world.root, '--no-cache']
    },
    then: async argv => {
      const root = present(argv[4])
      const reference = `${root.split('/')[0] ?? ''}/team/gears:v1.0.0`
      await done(runCli('registry', 'index', 'add', reference, '--index', root))
      return argv
    },
  },
  {
    name: 'an index that cannot be created',
    in: async () => {
      const world = await worlds.empty({makesNoRepositories: true})
      world.server.contents.ensure('team/gears')
      return [
        'package',
        'push',
        world.reference('gears', 'v1.0.0'),
        worlds.source('v1.0.0', gears),
        '--no-lint',
        '--index',
        world.root,
      ]
    },
  },
  {
    name: 'an index of another layout',
    in: async () => {
      const world = await worlds.filled()
      return [
        'registry',
        'index',
        'add',
        world.reference('gears', 'v1.0.0'),
        '--index',
        world.root,
        '--single-repository',
      ]
    },
    then: argv => argv.slice(0, -1),
  },
  {
    name: 'an index that does not exist',
    in: async () => ['registry', 'index', 'list', '--no-cache', '--index', (await worlds.empty()).root],
  },
  {
    name: 'an index that is not in the cache',
    in: async () => [
      'registry',
      'index',
      'list',
      '--offline',
      '--cache-dir',
      newPath('cache'),
      '--index',
      (await worlds.empty()).root,
    ],
  },
  {
    name: 'an index in a registry that does not list tags',
    in: async () => {
      const world = await worlds.filled({listsTags: false})
      return ['registry', 'index', 'list', 'gears.example.org', '--no-cache', '--index', world.root]
    },
  },
  {
    name: 'a group that the index lists and that cannot be read',
    in: async () => {
      const world = await worlds.filled()
      world.server.contents.remove('all/index/gears.example.org')
      return ['registry', 'index', 'list', 'gears.example.org', '--no-cache', '--index', world.root]
    },
  },
  {
    name: 'an entry of a digest without a tag',
    in: async () => {
      const world = await worlds.filled()
      const digest = `sha256:${'0'.repeat(64)}`
      return ['registry', 'index', 'add', `${world.server.host}/a@${digest}`, '--index', world.root]
    },
  },
  {
    name: 'a file as the index to write',
    in: ['registry', 'index', 'add', '127.0.0.1:1/a:v1', '--index', './index.jsonl'],
  },
  {
    name: 'a yank without a tag',
    in: ['registry', 'index', 'yank', '127.0.0.1:1/a', '--reason', 'x', '--index', '127.0.0.1:1/i'],
  },
  {
    name: 'a yank of what is not there',
    in: async () => {
      const world = await worlds.filled()
      return [
        'registry',
        'index',
        'yank',
        world.reference('gears', 'v9'),
        '--reason',
        'x',
        '--index',
        world.root,
      ]
    },
  },
  {
    name: 'a yank of one of two digests',
    in: async () => {
      const world = await worlds.filled()
      await done(overwriting(world, 'v1.0.0'))
      return [
        'registry',
        'index',
        'yank',
        world.reference('gears', 'v1.0.0'),
        '--reason',
        'x',
        '--index',
        world.root,
      ]
    },
  },
  {
    name: 'a dependency without the registry that has it',
    in: async () => {
      const world = await worlds.empty()
      const flags = ['--index', world.root]
      await done(world.publish('gears', 'v1.0.0', gears, ...flags))
      await done(
        world.publish(
          'wheels',
          'v1.0.0',
          {plural: 'wheels', app: 'dependsOn: [{package: team/gears}]\n'},
          ...flags,
        ),
      )
      return ['package', 'tree', world.reference('wheels', 'v1.0.0'), ...flags, '--no-cache']
    },
    then: argv => [...argv, '--default-source', present(argv[2]).split('/')[0] ?? ''],
  },
  {
    name: 'an index without a version of a package',
    in: async () => {
      const world = await worlds.filled()
      return ['package', 'render', `${world.server.host}/team/none`, '--index', world.root, '--no-cache']
    },
  },
  {
    name: 'wrong entries of an index, without time',
    in: async () => {
      const world = await worlds.filled()
      world.server.contents.remove('team/gears')
      return [
        ...['package', 'tree', world.reference('wheels', 'v0.1.0'), '--index', world.root, '--no-cache'],
        ...['--solve-timeout', '0s'],
      ]
    },
  },
  {
    name: 'a group that an index cannot have',
    in: async () => {
      const world = await worlds.empty()
      const path = join(folderOf({}, {'a@v1.0.0': {owns: 'as.x'}}), 'a@v1.0.0')
      return ['package', 'push', world.reference('gears', 'v1.0.0'), path, '--no-lint', '--index', world.root]
    },
  },
  {
    name: 'a package that may not be read',
    in: async () => {
      const world = await worlds.empty({makesNoRepositories: true})
      for (const path of ['all/index', 'team/gears', 'team/wheels']) world.server.contents.ensure(path)
      const flags = ['--index', world.root, '--single-repository']
      await done(world.publish('gears', 'v1.0.0', gears, ...flags))
      await done(
        world.publish(
          'wheels',
          'v1.0.0',
          {plural: 'wheels', app: 'dependsOn: [{crd: gears.gears.example.org}]\n'},
          ...flags,
        ),
      )
      world.server.contents.remove('team/gears')
      return ['package', 'tree', world.reference('wheels', 'v1.0.0'), '--index', world.root, '--no-cache']
    },
  },
]
