import {beforeAll, describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {runCli} from '../run-cli.js'
import {cellsOf, codeOf, documentOf, done, type IndexedWorld, IndexedWorlds, tagsIn} from './indexed-world.js'

const worlds = new IndexedWorlds()
let world: IndexedWorld
beforeAll(async () => {
  world = await worlds.filled()
})

describe('registry index list', () => {
  it('prints a table by package, newest version first', async () => {
    const result = await done(world.index('list', '--index', world.root))
    expect(result.stderr).toBe('')
    expect(cellsOf(result)).toEqual([
      ['PACKAGE', 'TAG', 'DIGEST', 'SCOPE', 'CRDS', 'TITLE'],
      [
        `${world.server.host}/team/gears`,
        'v2.0.0',
        expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
        'Cluster',
        '1',
        'gears for all',
      ],
      [
        `${world.server.host}/team/gears`,
        'v1.0.0',
        expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
        'Cluster',
        '1',
        'gears for all',
      ],
      [
        `${world.server.host}/team/wheels`,
        'v0.1.0',
        expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
        'Cluster',
        '1',
        'wheels for all',
      ],
    ])
  })

  it('prints JSON and YAML', async () => {
    const {kind, packages} = documentOf(
      await done(world.index('list', 'wheels.example.org', '--index', world.root, '-o', 'json')),
    )
    expect({kind, packages}).toEqual({
      kind: 'IndexListing',
      packages: [
        {
          ...{package: `${world.server.host}/team/wheels`, tag: 'v0.1.0', version: 'v0.1.0'},
          ...{digest: expect.stringMatching(/^sha256:/), permissionScope: 'Cluster', title: 'wheels for all'},
          ...{category: 'Database', keywords: ['storage']},
          crds: [{name: 'wheels.wheels.example.org', kind: 'WHEELS', served: ['v1']}],
        },
      ],
    })
    expect((await done(world.index('list', '--index', world.root, '-o', 'yaml'))).stdout).toContain(
      'kind: IndexListing\n',
    )
  })

  it('reads an index once and then offline', async () => {
    const online = await done(world.index('list', '--index', world.root))
    await done(world.index('list', 'gears.example.org', '--index', world.root))
    world.server.seen.splice(0)
    expect(await world.index('list', '--index', world.root, '--offline')).toEqual(online)
    expect(world.server.seen).toEqual([])
    const never = await world.index(
      'list',
      'other.example.org',
      '--index',
      world.root,
      '--offline',
      '-o',
      'json',
    )
    expect(codeOf(never)).toBe('offline')
  })

  it('works on a registry with small pages and immutable tags', async () => {
    const strict = await worlds.filled({pageSize: 2, keepsTags: true})
    const flags = ['--index', strict.root]
    expect(await strict.listed()).toEqual(await world.listed())
    const again = await done(strict.index('add', strict.reference('gears', 'v1.0.0'), ...flags))
    expect(again.stdout).toMatch(/: unchanged\n$/)
    await done(strict.index('yank', strict.reference('gears', 'v1.0.0'), '--reason', 'old', ...flags))
    expect((await strict.index('list', ...flags)).stdout).toContain('  old\n')
  })

  it('reports a tag with several digests', async () => {
    const own = await worlds.filled()
    await done(
      own.publish('gears', 'v1.0.0', {plural: 'gears', served: 'v3'}, '--index', own.root, '--force'),
    )
    const result = await done(own.index('list', '--index', own.root, '-o', 'json'))
    expect(tagsIn(result)).toEqual(['gears:v2.0.0', 'gears:v1.0.0', 'gears:v1.0.0', 'wheels:v0.1.0'])
    expect(documentOf(result).findings?.map(({rule}) => rule)).toEqual(['several-digests'])
    expect(result.stderr).toContain('has 2 entries with different digests')
    const owners = await runCli('package', 'provides', '*.gears.example.org', '--index', own.root)
    expect(owners.stderr).toContain('has 2 entries with different digests')
  })

  it('reads indexes from the environment, after the folder', async () => {
    const file = worlds.path('named.jsonl')
    await done(world.index('export', '--index', world.root, '--output-file', file))
    const packages = worlds.tree({
      'a/b@v1/.registry/app.yaml': 'title: B\nversion: v1\npermissionScope: Cluster\n',
      'a/broken@v1/.registry/app.yaml': '[',
    })
    process.env.CROSSPLANE_INDEX = `${world.root},${file}`
    try {
      const result = await world.index('list', '--packages', packages, '-o', 'json')
      expect(tagsIn(result)).toEqual(['gears:v2.0.0', 'gears:v1.0.0', 'wheels:v0.1.0', 'b:v1'])
      expect(documentOf(result).findings?.map(({rule}) => rule)).toEqual(['unreadable-package'])
    } finally {
      delete process.env.CROSSPLANE_INDEX
    }
  })

  it('lists a version of the folder once, as it is in the folder', async () => {
    const app = 'title: Mine\nversion: v1.0.0\npermissionScope: Cluster\n'
    const packages = worlds.tree({'team/gears@v1.0.0/.registry/app.yaml': app})
    const flags = ['--packages', packages, '--index', world.root, '--default-source', world.server.host]
    const result = await done(world.index('list', ...flags, '-o', 'json'))
    expect(tagsIn(result)).toEqual(['gears:v2.0.0', 'gears:v1.0.0', 'wheels:v0.1.0'])
    expect(documentOf(result)).toMatchObject({
      findings: [],
      packages: expect.arrayContaining([expect.objectContaining({tag: 'v1.0.0', title: 'Mine'})]),
    })
    const own = await done(world.index('list', 'gears.example.org', ...flags, '-o', 'json'))
    expect(tagsIn(own)).toEqual(['gears:v2.0.0'])
  })

  it.each([
    {name: 'no index', reason: 'there is nothing to read', in: [], want: 'usage'},
    {
      name: 'a missing file',
      reason: 'the error names it',
      in: ['--index', './none.jsonl'],
      want: 'not-found',
    },
  ])('rejects $name: $reason', async ({in: args, want}) => {
    expect(codeOf(await world.index('list', ...args, '-o', 'json'))).toBe(want)
  })

  it('rejects an invalid group', async () => {
    expect(codeOf(await world.index('list', 'A_B', '--index', world.root, '-o', 'json'))).toBe('usage')
  })

  it('suggests --packages for a folder', async () => {
    const {status, stderr} = await world.index('list', '--index', './test', '-o', 'json')
    const {suggestions} = JSON.parse(stderr) as {suggestions: string[]}
    expect({status, suggestions}).toEqual({status: 1, suggestions: [expect.stringContaining('--packages')]})
  })

  it('rejects a repository that is not an index', async () => {
    const none = await world.index('list', '--index', `${world.server.host}/team/gears`, '-o', 'json')
    expect({status: none.status, code: codeOf(none)}).toEqual({status: 1, code: 'not-found'})
  })
})

describe('registry index search', () => {
  const search = async (...args: readonly string[]) => {
    const result = await world.index('search', '--index', world.root, '-o', 'json', ...args)
    return {status: result.status, found: tagsIn(result)}
  }

  it.each([
    {name: 'a name', reason: 'it is part of it', in: ['team/GEAR'], want: ['gears:v2.0.0']},
    {name: 'a title', reason: 'case does not matter', in: ['Wheels FOR'], want: ['wheels:v0.1.0']},
    {name: 'a category', reason: 'all have it', in: ['database'], want: ['gears:v2.0.0', 'wheels:v0.1.0']},
    {name: 'a keyword', reason: 'all have it', in: ['stor'], want: ['gears:v2.0.0', 'wheels:v0.1.0']},
    {name: 'a CRD', reason: 'it is part of its name', in: ['s.wheels.example.org'], want: ['wheels:v0.1.0']},
    {name: '--title', reason: 'names are not searched', in: ['--title', 'team'], want: []},
    {name: '--category', reason: 'titles are not searched', in: ['--category', 'gears'], want: []},
    {
      name: '--keyword',
      reason: 'it is one',
      in: ['--keyword', 'STORAGE', '--crd', 'gears.gears'],
      want: ['gears:v2.0.0'],
    },
    {name: 'a text and --crd', reason: 'both are required', in: ['wheels', '--crd', 'gears'], want: []},
  ])('by $name: $reason', async ({in: args, want}) => {
    expect(await search(...args)).toEqual({status: want.length === 0 ? 1 : 0, found: want})
  })

  it('prints the number of versions, and the matching CRDs', async () => {
    const result = await done(world.index('search', 'gears.gears', '--index', world.root))
    expect(cellsOf(result)).toEqual([
      ['PACKAGE', 'NEWEST', 'VERSIONS', 'CATEGORY', 'TITLE', 'CRDS'],
      [
        `${world.server.host}/team/gears`,
        'v2.0.0',
        '2',
        'Database',
        'gears for all',
        'gears.gears.example.org',
      ],
    ])
  })

  it('rejects an empty search', async () => {
    expect(codeOf(await world.index('search', '--index', world.root, '-o', 'json'))).toBe('usage')
  })
})

describe('untrusted text', () => {
  it('is escaped, and an entry with control characters is unreadable', async () => {
    const file = worlds.path('hostile.jsonl')
    const text = (await done(world.index('export', '--index', world.root))).stdout
    const right = String.fromCharCode(0x200b)
    writeFileSync(file, text.replaceAll('gears for all', `gears${right}for all`))
    const {stdout} = await done(world.index('list', '--index', file))
    expect(stdout).toContain('gears\\u200bfor all')
    writeFileSync(file, text.replaceAll('gears for all', 'gears\\u001b[2J'))
    const refused = await world.index('list', '--index', file)
    // eslint-disable-next-line no-control-regex -- it is what must not be there
    expect({status: refused.status, moves: /\u001b/.test(refused.stderr)}).toEqual({status: 1, moves: false})
  })
})
