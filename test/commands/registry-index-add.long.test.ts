import {beforeEach, describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {startRegistry} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {codeOf, documentOf, done, type IndexedWorld, IndexedWorlds, tagsIn} from './indexed-world.js'

const worlds = new IndexedWorlds()
let world: IndexedWorld
beforeEach(async () => {
  world = await worlds.empty()
})

describe('package push --index', () => {
  it('pushes a package and adds it to an index', async () => {
    const {stdout, stderr} = await done(
      world.publish('gears', 'v1.0.0', {plural: 'gears'}, '--index', world.root),
    )
    expect(stdout).toMatch(/^127\.0\.0\.1:\d+\/team\/gears:v1\.0\.0@sha256:[0-9a-f]{64}\n$/)
    expect(stderr).toContain(`${world.root}: added to the index\n`)
    expect(await world.listed()).toEqual(['gears:v1.0.0'])
    expect(await world.listed('gears.example.org')).toEqual(['gears:v1.0.0'])
    expect(await world.listed('example.org')).toEqual([])
  })

  it('prints the result as JSON, and is idempotent', async () => {
    const path = worlds.source('v1.0.0', {plural: 'gears'})
    const push = async () =>
      documentOf(
        await runCli(
          'package',
          'push',
          world.reference('gears', 'v1.0.0'),
          path,
          '--no-lint',
          '--index',
          world.root,
          '-o',
          'json',
        ),
      )
    expect([(await push()).index, (await push()).index]).toEqual([
      {root: world.root, state: 'added'},
      {root: world.root, state: 'present'},
    ])
  })

  it('keeps the index in one repository with --single-repository', async () => {
    const flags = ['--index', world.root, '--single-repository']
    await done(world.publish('gears', 'v1.0.0', {plural: 'gears'}, ...flags))
    expect(await world.listed('gears.example.org')).toEqual(['gears:v1.0.0'])
    expect(world.server.seen.filter(({path}) => path.includes('/all/index/')).length).toBeGreaterThan(0)
    expect(world.server.contents.repository('all/index/gears.example.org')).toBeUndefined()
  })

  it('reports a failure to write the index after the push, and suggests how to add the package', async () => {
    const closed = await worlds.registry({makesNoRepositories: true})
    const at = `${closed.host}/index`
    const pushed = await world.publish('gears', 'v1.0.0', {plural: 'gears'}, '--index', at, '-o', 'json')
    const error = JSON.parse(pushed.stderr) as {message: string; suggestions: string[]; code: string}
    const name =
      new RegExp(`${world.reference('gears', 'v1.0.0')}@sha256:[0-9a-f]{64}`).exec(error.message)?.[0] ?? ''
    expect({status: pushed.status, stdout: pushed.stdout, code: error.code}).toEqual({
      ...{status: 1, stdout: '', code: 'access-denied'},
    })
    expect(error.message).toMatch(/@sha256:[0-9a-f]{64} was pushed, but cannot be added/)
    expect(error.suggestions).toContain(`Create the repository ${at}/gears.example.org`)
    expect(error.suggestions.at(-1)).toBe(`kubectl crossplane registry index add ${name} --index ${at}`)
    expect((await runCli('package', 'pull', name)).status).toBe(0)
  })

  it('warns of a registry that does not list tags, in which the index can never be read', async () => {
    const unlisted = await worlds.empty({listsTags: false})
    const flags = ['--index', unlisted.root]
    const {status, stderr} = await unlisted.publish('gears', 'v1.0.0', {plural: 'gears'}, ...flags)
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringMatching(
        /cannot list the tags of .*\[index-unlisted\]\nTry: Use another registry/,
      ),
    })
    const read = await runCli('registry', 'index', 'list', 'gears.example.org', ...flags, '--no-cache')
    expect(read).toMatchObject({status: 1, stderr: expect.stringContaining('does not list tags')})
  })

  it('suggests how to add the package if the index has another layout', async () => {
    const begun = await worlds.empty()
    await begun.publish('gears', 'v1.0.0', {plural: 'gears'}, '--index', begun.root)
    const flags = ['--index', begun.root, '--single-repository', '-o', 'json']
    const pushed = await begun.publish('gears', 'v1.1.0', {plural: 'gears'}, ...flags)
    const {suggestions} = JSON.parse(pushed.stderr) as {suggestions: string[]}
    const [, command = ''] = /^kubectl crossplane (.*)$/.exec(suggestions.at(-1) ?? '') ?? []
    expect({status: pushed.status, again: (await runCli(...command.split(' '))).status}).toEqual({
      ...{status: 2, again: 0},
    })
  })

  it.each([
    {name: 'a file', reason: 'files are not written', in: ['--index', './index.jsonl'], want: 'usage'},
    {name: 'a tag', reason: 'an index is not an image', in: ['--index', 'a:v1'], want: 'reference-invalid'},
    {
      name: 'a layout without an index',
      reason: 'it has no effect',
      in: ['--single-repository'],
      want: 'usage',
    },
  ])('rejects $name before the push: $reason', async ({in: flags, want}) => {
    const refused = await world.publish('gears', 'v1.0.0', {plural: 'gears'}, ...flags, '-o', 'json')
    expect({status: refused.status, code: codeOf(refused)}).toEqual({status: 2, code: want})
    expect(world.server.contents.repository('team/gears')).toBeUndefined()
  })

  it('ignores the index of the environment', async () => {
    process.env.CROSSPLANE_INDEX = world.root
    try {
      await done(world.publish('gears', 'v1.0.0', {plural: 'gears'}))
    } finally {
      delete process.env.CROSSPLANE_INDEX
    }
    expect(world.server.contents.repository('all/index')).toBeUndefined()
  })
})

describe('registry index add', () => {
  it('adds pushed packages and prints a line for each', async () => {
    await done(world.publish('gears', 'v1.0.0', {plural: 'gears'}))
    await done(world.publish('wheels', 'v0.1.0', {plural: 'wheels'}))
    const both = [world.reference('gears', 'v1.0.0'), `${world.server.host}/team/wheels`]
    const first = await done(world.index('add', ...both, '--index', world.root))
    expect(first.stdout.replace(/@sha256:[0-9a-f]{64}/g, '@').split('\n')).toEqual([
      `${world.reference('gears', 'v1.0.0')}@: added`,
      `${world.reference('wheels', 'v0.1.0')}@: added`,
      '',
    ])
    const again = documentOf(await done(world.index('add', ...both, '--index', world.root, '-o', 'json')))
    expect(again).toMatchObject({kind: 'IndexAdditions', index: world.root, skipped: []})
    expect(again.packages.map(({state}) => state)).toEqual(['present', 'present'])
    expect(await world.listed()).toEqual(['gears:v1.0.0', 'wheels:v0.1.0'])
  })

  it('replaces an entry of the publisher that was imported with other content, and warns', async () => {
    await done(world.publish('gears', 'v1.0.0', {plural: 'gears'}))
    const [name, elsewhere] = [world.reference('gears', 'v1.0.0'), `${world.server.host}/another/index`]
    await done(world.index('add', name, '--index', elsewhere))
    const lines = (await done(world.index('export', '--index', elsewhere))).stdout
    const file = worlds.path('forged.jsonl')
    writeFileSync(file, lines.replace('gears for all', 'forged'))
    await done(world.index('import', file, '--index', world.root))
    const {stdout, stderr} = await done(world.index('add', name, '--index', world.root))
    expect(stdout).toMatch(/: replaced$/m)
    expect(stderr).toMatch(/^Warning: .*had content that the package contradicts.*\[index-entry-replaced\]$/m)
    expect((await done(world.index('add', name, '--index', world.root))).stdout).toMatch(/: unchanged$/m)
  })

  it('corrects an entry with another version for the same bytes, which can be yanked before and after', async () => {
    await done(world.publish('gears', 'v1.0.0', {plural: 'gears'}))
    const [name, elsewhere] = [world.reference('gears', 'v1.0.0'), `${world.server.host}/another/index`]
    await done(world.index('add', name, '--index', elsewhere))
    const lines = (await done(world.index('export', '--index', elsewhere))).stdout
    const file = worlds.path('forged.jsonl')
    writeFileSync(file, lines.replace('"version":"v1.0.0"', '"version":"v9"'))
    const original = worlds.path('original.jsonl')
    writeFileSync(original, lines)
    for (const [root, isCorrected] of [
      [world.root, true],
      [`${world.server.host}/yanked/index`, false],
    ] as const) {
      const index = ['--index', root]
      await done(world.index('import', file, ...index))
      await done(runCli('registry', 'index', 'import', original, ...index))
      const listed = await done(world.index('list', ...index))
      expect(listed.stderr).toMatch(
        /gears:v1\.0\.0@sha256:\w+ has 2 entries with different versions: all but one are wrong \[several-versions\]/,
      )
      if (isCorrected) {
        const {stdout, stderr} = await done(world.index('add', name, ...index))
        expect(stdout).toMatch(/: unchanged$/m)
        expect(stderr).toMatch(
          /^Warning: another entry of .* had the version v9, .*\[index-entry-corrected\]$/m,
        )
        expect((await done(world.index('list', ...index))).stderr).toBe('')
        expect(tagsIn(await world.index('list', ...index, '-o', 'json'))).toEqual(['gears:v1.0.0'])
      }
      const yank = async () => (await done(world.index('yank', name, '--reason', 'broken', ...index))).stdout
      expect(await yank()).toMatch(/: yanked: broken$/m)
      expect(await yank()).toMatch(/: unchanged: yanked before: broken$/m)
      const {packages} = documentOf(await world.index('list', ...index, '-o', 'json'))
      expect(packages.map(({withdrawn}) => withdrawn)).toEqual(
        isCorrected ? ['broken'] : ['broken', 'broken'],
      )
    }
  })

  it('writes the same bytes as package push', async () => {
    world = await worlds.filled()
    const tags = () =>
      [...(world.server.contents.repository('all/index/gears.example.org')?.tags ?? [])].sort()
    const before = tags()
    await done(world.index('add', world.reference('gears', 'v1.0.0'), '--index', world.root))
    expect(tags()).toEqual(before)
    expect(before).toHaveLength(2)
  })

  it.each([
    {name: 'no index', reason: 'it is required', in: ['r.org/a:v1'], want: 'usage'},
    {name: 'a folder', reason: 'it is not published', in: ['./a', '--index', 'r.org/i'], want: 'usage'},
    {
      name: 'a digest alone',
      reason: 'an entry has a tag',
      in: [`r.org/a@sha256:${'0'.repeat(64)}`, '--index', 'r.org/i'],
      want: 'usage',
    },
    {
      name: 'a file as index',
      reason: 'files are not written',
      in: ['r.org/a:v1', '--index', 'i.jsonl'],
      want: 'usage',
    },
    {
      name: '--offline',
      reason: 'only a registry can be written',
      in: ['r.org/a:v1', '--index', 'r.org/i', '--offline'],
      want: 'offline',
    },
  ])('rejects $name: $reason', async ({in: args, want}) => {
    expect(codeOf(await world.index('add', ...args, '-o', 'json'))).toBe(want)
  })

  it('stops at an invalid package', async () => {
    const missing = await world.index(
      'add',
      world.reference('gears', 'v9'),
      '--index',
      world.root,
      '-o',
      'json',
    )
    expect({status: missing.status, code: codeOf(missing)}).toEqual({status: 1, code: 'not-found'})
  })

  it('rejects a package that an index cannot hold', async () => {
    const path = worlds.tree({
      '.registry/app.yaml': 'title: "\\e[2J"\nversion: v1\npermissionScope: Cluster\n',
    })
    await done(runCli('package', 'push', world.reference('gears', 'v1'), path, '--no-lint'))
    const refused = await world.index(
      'add',
      world.reference('gears', 'v1'),
      '--index',
      world.root,
      '-o',
      'json',
    )
    expect({status: refused.status, code: codeOf(refused)}).toEqual({status: 1, code: 'index-invalid'})
    expect(world.server.contents.repository('all/index')).toBeUndefined()
  })
})

describe('registry index rebuild', () => {
  it('adds all tags of the repositories, and reports other images', async () => {
    await done(world.publish('gears', 'v1.0.0', {plural: 'gears'}))
    await done(world.publish('gears', 'v2.0.0', {plural: 'gears', served: 'v2'}))
    await done(world.publish('wheels', 'v0.1.0', {plural: 'wheels'}))
    const repository = present(world.server.contents.repository('team/gears'))
    const signature = `sha256-${'0'.repeat(64)}.sig`
    repository.putManifest(signature, {
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      bytes: Buffer.from('{"signs": 1}'),
    })
    repository.putManifest('broken', {
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      bytes: Buffer.from('{}'),
    })
    const args = [
      `${world.server.host}/team/gears`,
      world.reference('wheels', 'v0.1.0'),
      '--index',
      world.root,
    ]
    const result = await world.index('rebuild', ...args, '-o', 'json')
    const {packages, skipped} = documentOf(result)
    expect({status: result.status, states: packages.map(({state}) => state)}).toEqual({
      ...{status: 1, states: ['added', 'added', 'added']},
    })
    expect(skipped).toEqual([
      {reference: world.reference('gears', 'broken'), reason: expect.stringMatching(/./)},
    ])
    expect(result.stderr).toContain('skipped-package')
    expect(await world.listed()).toEqual(['gears:v2.0.0', 'gears:v1.0.0', 'wheels:v0.1.0'])
  })

  it('stops if a registry does not respond', async () => {
    const gone = await startRegistry()
    await gone.close()
    const result = await world.index('rebuild', `${gone.host}/a`, '--index', world.root, '-o', 'json')
    expect(result.status).toBe(1)
    expect(codeOf(result)).toBe('registry-unreachable')
  })
})
