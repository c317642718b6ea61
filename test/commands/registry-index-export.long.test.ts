import {beforeEach, describe, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {runCli} from '../run-cli.js'
import {codeOf, documentOf, done, type IndexedWorld, IndexedWorlds} from './indexed-world.js'

const worlds = new IndexedWorlds()
let world: IndexedWorld
beforeEach(async () => {
  world = await worlds.filled()
})

describe('registry index export and import', () => {
  const exported = async (...args: readonly string[]) => (await done(world.index('export', ...args))).stdout

  it('copies an index to another registry and layout, unchanged', async () => {
    const file = worlds.path('moved.jsonl')
    const {stderr} = await done(world.index('export', '--index', world.root, '-O', file))
    expect(stderr).toBe(`${file}: 3 entries\n`)
    const other = await worlds.registry()
    const to = ['--index', `${other.host}/copy`]
    expect((await done(world.index('import', file, ...to, '--single-repository'))).stdout).toBe(
      '3 added, 0 unchanged\n',
    )
    expect((await done(world.index('import', file, ...to))).stdout).toBe('0 added, 3 unchanged\n')
    expect(await exported(...to)).toBe(readFileSync(file, 'utf8'))
  })

  it('writes the same bytes from a registry, a file, and both', async () => {
    const file = worlds.path('same.jsonl')
    const text = await exported('--index', world.root)
    writeFileSync(file, text)
    expect(text.split('\n')).toHaveLength(1 + 3 + 1)
    expect(await exported('--index', file)).toBe(text)
    expect(await exported('--index', file, '--index', world.root)).toBe(text)
  })

  it('gives the same answers as the registry, offline', async () => {
    const file = worlds.path('offline.jsonl')
    await done(world.index('export', '--index', world.root, '-O', file))
    const ask = (...flags: readonly string[]) => done(world.provides('*.gears.example.org', ...flags))
    const online = await ask('--index', world.root)
    expect(online.stdout.split('\n')).toHaveLength(1 + 2 + 1)
    world.server.seen.splice(0)
    expect(await ask('--index', file, '--offline')).toEqual(online)
    expect(world.server.seen).toEqual([])
  })

  it('skips and reports unreadable and invalid packages', async () => {
    const packages = worlds.tree({
      'a/b@v1/.registry/app.yaml': 'title: B\nversion: v1\npermissionScope: Cluster\n',
      'a/bell@v1/.registry/app.yaml': 'title: "\\a"\nversion: v1\npermissionScope: Cluster\n',
      'a/broken@v1/.registry/app.yaml': '[',
    })
    const {stdout, stderr} = await done(world.index('export', '--packages', packages))
    expect(stdout.split('\n')).toHaveLength(1 + 1 + 1)
    expect(stderr.split('\n').filter(line => line.includes('[not-exported]'))).toHaveLength(2)
    const file = worlds.path('folder.jsonl')
    writeFileSync(file, stdout)
    const imported = await world.index('import', file, '--index', `${world.server.host}/other`, '-o', 'json')
    expect({status: imported.status, ...documentOf(imported)}).toMatchObject({
      ...{status: 1, kind: 'IndexImport', added: 0, present: 0},
      skipped: [{reference: 'a/b:v1'}],
    })
  })

  it('rejects an invalid file with file and line', async () => {
    const file = worlds.path('broken.jsonl')
    writeFileSync(file, `${await exported('--index', world.root)}{}\n`)
    const refused = await world.index('import', file, '--index', `${world.server.host}/other`, '-o', 'json')
    const {code, faults} = JSON.parse(refused.stderr) as {code: string; faults: object[]}
    expect({status: refused.status, code, faults}).toMatchObject({
      ...{status: 1, code: 'index-invalid', faults: [{file, line: 5}]},
    })
    expect(world.server.contents.repository('other')).toBeUndefined()
  })

  it('does not overwrite a folder', async () => {
    const refused = await world.index('export', '--index', world.root, '-O', worlds.folder('taken'))
    expect(refused.status).toBe(5)
  })
})

describe('registry index yank', () => {
  const yank = (ref: string, reason: string, ...flags: readonly string[]) =>
    world.index('yank', ref, '--reason', reason, '--index', world.root, ...flags)

  it('yanks a version in its groups and its package', async () => {
    const {stdout} = await done(yank(world.reference('gears', 'v2.0.0'), 'it leaks'))
    expect(stdout).toMatch(/\/team\/gears:v2\.0\.0@sha256:[0-9a-f]{64}: yanked: it leaks\n$/)
    for (const args of [[], ['gears.example.org']]) {
      const {packages} = documentOf(
        await done(world.index('list', ...args, '--index', world.root, '-o', 'json')),
      )
      const reasons = packages
        .filter(each => String(each.package).endsWith('gears'))
        .map(({withdrawn}) => withdrawn)
      expect(reasons).toEqual(['it leaks', undefined])
    }
    const provided = await done(world.provides('*.gears.example.org', '--index', world.root))
    expect(provided.stdout).toMatch(/ WITHDRAWN\n.* v2\.0\.0 .* it leaks\n.* v1\.0\.0 .* yes\n$/)
    const found = documentOf(await done(world.index('search', 'gears', '--index', world.root, '-o', 'json')))
    expect(found.packages).toMatchObject([{tag: 'v1.0.0', versions: 2}])
  })

  it('keeps the first reason, and is exported', async () => {
    await done(yank(world.reference('gears', 'v2.0.0'), 'it leaks'))
    const again = documentOf(await done(yank(world.reference('gears', 'v2.0.0'), 'other', '-o', 'json')))
    expect(again).toMatchObject({kind: 'WithdrawnVersion', state: 'present', reason: 'it leaks'})
    const file = worlds.path('withdrawn.jsonl')
    await done(world.index('export', '--index', world.root, '-O', file))
    const to = `${world.server.host}/copy`
    expect((await done(world.index('import', file, '--index', to))).stdout).toBe(
      '4 added, 0 unchanged (1 yank)\n',
    )
    expect((await done(world.index('export', '--index', to))).stdout).toBe(readFileSync(file, 'utf8'))
  })

  it('removes one digest of a version that was overwritten', async () => {
    const wheels = {plural: 'wheels', served: 'v2', app: 'dependsOn: [{crd: gears.gears.example.org/v2}]\n'}
    await done(world.publish('wheels', 'v0.2.0', wheels, '--index', world.root))
    const tree = () =>
      runCli(
        'package',
        'tree',
        world.reference('wheels', 'v0.2.0'),
        '--index',
        world.root,
        '--cache-dir',
        world.cache,
      )
    await done(tree())
    const other = [{plural: 'gears', served: 'v2', app: 'company: Other\n'}, '--index', world.root] as const
    const rejected = await world.publish('gears', 'v2.0.0', ...other)
    expect({status: rejected.status, stderr: rejected.stderr}).toEqual({
      status: 5,
      stderr: expect.stringMatching(/the tag exists with other content, sha256:[\s\S]*--force/) as unknown,
    })
    const forced = await done(world.publish('gears', 'v2.0.0', ...other, '--force'))
    expect((await world.index('list', '--index', world.root)).stderr).toContain('several-digests')
    // The registry decides which of the two entries is right.
    expect((await done(tree())).stdout).toContain('gears:v2.0.0')
    const [, command = ''] = /^Try: kubectl crossplane (registry index yank .*)$/m.exec(forced.stderr) ?? []
    await done(runCli(...command.split(' ')))
    expect((await done(tree())).stdout).toContain('gears:v2.0.0')
    expect((await done(world.index('list', '--index', world.root))).stderr).not.toContain('several-digests')
  })

  it('requires a digest for a tag with several digests', async () => {
    await done(
      world.publish('gears', 'v1.0.0', {plural: 'gears', served: 'v3'}, '--index', world.root, '--force'),
    )
    const several = await yank(world.reference('gears', 'v1.0.0'), 'it leaks', '-o', 'json')
    expect({status: several.status, code: codeOf(several)}).toEqual({status: 2, code: 'usage'})
    const {suggestions} = JSON.parse(several.stderr) as {suggestions: string[]}
    expect(suggestions).toHaveLength(2)
    const one = suggestions[0]?.replace('Write ', '') ?? ''
    await done(yank(one, 'it leaks'))
    const {packages} = documentOf(await done(world.index('list', '--index', world.root, '-o', 'json')))
    expect(packages.filter(({withdrawn}) => withdrawn !== undefined)).toMatchObject([
      {digest: one.split('@')[1]},
    ])
  })

  it.each([
    {
      name: 'a missing version',
      reason: 'the index does not have it',
      in: 'gears:v9',
      why: 'x',
      want: 'not-found',
    },
    {
      name: 'another package',
      reason: 'the index does not have it',
      in: 'none:v1',
      why: 'x',
      want: 'not-found',
    },
    {name: 'no version', reason: 'one at a time', in: 'gears', why: 'x', want: 'usage'},
    {name: 'no reason', reason: 'users need one', in: 'gears:v1.0.0', why: '', want: 'usage'},
    {name: 'two lines', reason: 'it is one line', in: 'gears:v1.0.0', why: 'a\nb', want: 'usage'},
  ])('rejects $name: $reason', async ({in: name, why, want}) => {
    expect(codeOf(await yank(`${world.server.host}/team/${name}`, why, '-o', 'json'))).toBe(want)
  })
})
