import {describe, expect, it} from '@jest/globals'
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
const APP_YAML = 'title: Test\npermissionScope: Cluster\n'
const crd = (plural: string, version: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.x.example.org}
spec:
  group: x.example.org
  scope: Cluster
  names: {plural: ${plural}, kind: ${plural.toUpperCase()}}
  versions:
  - {name: ${version}, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`
/** A package that owns `<plural>.x.example.org` in one version. */
const owner = (tag: string, plural: string, version: string, needs = '') => ({
  [`x/${plural}@${tag}/.registry/app.yaml`]: `version: ${tag}\n${APP_YAML}${needs}`,
  [`x/${plural}@${tag}/.registry/resources/a.crd.yaml`]: crd(plural, version),
})
const DECLARATION =
  'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: x/app\n'

/** A folder in which everything is as old as it can be, a declaration beside it, and its lock. */
async function locked(): Promise<World> {
  const root = writeTree(mkdtempSync(join(folder, 'world-')), {
    ...prefixed('packages/', {
      'x/app@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{crd: as.x.example.org}, {crd: bs.x.example.org}]\n`,
      ...owner('v1.0.0', 'as', 'v1', 'dependsOn: [{crd: cs.x.example.org/v1}]\n'),
      ...owner('v1.0.0', 'bs', 'v1'),
      ...owner('v1.0.0', 'cs', 'v1'),
    }),
    'wanted.yaml': DECLARATION,
  })
  const world = new World(root)
  expect(await world.lock()).toMatchObject({status: 0})
  return world
}

const prefixed = (prefix: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${prefix}${path}`, content]))

class World {
  readonly root: string

  constructor(root: string) {
    this.root = root
  }

  at(path: string): string {
    return join(this.root, path)
  }

  #run(command: string, args: readonly string[]) {
    return runCli(
      'package',
      command,
      '--declaration',
      this.at('wanted.yaml'),
      '--packages',
      this.at('packages'),
      ...args,
    )
  }

  lock = (...args: readonly string[]) => this.#run('lock', args)
  outdated = (...args: readonly string[]) => this.#run('outdated', args)
  render = (...args: readonly string[]) => this.#run('render', args)
  tree = (...args: readonly string[]) => this.#run('tree', args)

  /** Later, everything has a newer version; that of `as` needs that of `cs`. */
  publish(): void {
    writeTree(
      this.root,
      prefixed('packages/', {
        ...owner('v2.0.0', 'as', 'v1', 'dependsOn: [{crd: cs.x.example.org/v2}]\n'),
        ...owner('v2.0.0', 'bs', 'v1'),
        ...owner('v2.0.0', 'cs', 'v2'),
      }),
    )
  }

  text(): string {
    return readFileSync(this.at('wanted.lock'), 'utf8')
  }

  edit(from: string | RegExp, to: string, file = 'wanted.lock'): void {
    const before = readFileSync(this.at(file), 'utf8')
    const after = before.replace(from, to)
    expect(after).not.toBe(before)
    writeFileSync(this.at(file), after)
  }

  /** Tags by package, as the lock has them. */
  tags(): Record<string, string> {
    const found = this.text().matchAll(/^ {2}(x\/\w+):\n(?: {4}.*\n)*? {4}tag: (.*)$/gm)
    return Object.fromEntries([...found].map(([, name = '', tag = '']) => [name, tag]))
  }
}

const OLD = {'x/app': 'v1.0.0', 'x/as': 'v1.0.0', 'x/bs': 'v1.0.0', 'x/cs': 'v1.0.0'}
const rulesIn = (stderr: string) => [...stderr.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule)
const lines = (text: string) =>
  text
    .split('\n')
    .map(line => line.replace(/ +/g, ' '))
    .slice(0, -1)
const codeOf = (stderr: string) => (JSON.parse(stderr) as {code: string}).code

describe('package lock', () => {
  it('writes every choice beside the declaration, and nothing the second time', async () => {
    const world = await locked()
    expect(world.tags()).toEqual(OLD)
    const before = statSync(world.at('wanted.lock'), {bigint: true})
    const {status, stdout} = await world.lock()
    const after = statSync(world.at('wanted.lock'), {bigint: true})
    expect({status, stdout, ino: after.ino}).toEqual({
      status: 0,
      stdout: '4 packages unchanged.\n',
      ino: before.ino,
    })
    expect(readdirSync(world.root).sort()).toEqual(['packages', 'wanted.lock', 'wanted.yaml'])
  })

  it('keeps what is locked when there is something newer', async () => {
    const world = await locked()
    const before = world.text()
    world.publish()
    expect(await world.lock()).toMatchObject({status: 0, stdout: '4 packages unchanged.\n'})
    expect(world.text()).toBe(before)
  })

  it('adds and removes with what is asked for, and leaves the others', async () => {
    const world = await locked()
    world.publish()
    world.edit('- package: x/app', '- package: x/as', 'wanted.yaml')
    const removed = await world.lock()
    expect(lines(removed.stdout)).toEqual([
      'PACKAGE OLD NEW CHANGE',
      'x/app v1.0.0 - removed',
      'x/as v1.0.0 v1.0.0 other installs',
      'x/bs v1.0.0 - removed',
      'Also changed: what is asked for.',
      '1 package unchanged.',
    ])
    world.edit('- package: x/as', '- package: x/bs', 'wanted.yaml')
    expect(lines((await world.lock()).stdout)).toContain('x/bs - v2.0.0 added')
  })

  it.each([
    {
      name: 'one that stands alone',
      reason: 'nothing else moves',
      in: ['x/bs'],
      want: {tags: {...OLD, 'x/bs': 'v2.0.0'}, rules: []},
    },
    {
      name: 'one that needs another',
      reason: 'the other has to move, and that is said',
      in: ['x/as'],
      want: {tags: {...OLD, 'x/as': 'v2.0.0', 'x/cs': 'v2.0.0'}, rules: ['moved-too']},
    },
    {
      name: 'one that is held back',
      reason: 'the lock of the other holds it',
      in: ['x/cs'],
      want: {tags: OLD, rules: ['held-back']},
    },
    {
      name: 'both of them, one of the registry by its whole name',
      reason: 'names are read as everywhere',
      in: ['docker.io/x/as', 'x/cs'],
      want: {tags: {...OLD, 'x/as': 'v2.0.0', 'x/cs': 'v2.0.0'}, rules: []},
    },
  ])('upgrades $name: $reason', async ({in: names, want}) => {
    const world = await locked()
    world.publish()
    const {status, stderr} = await world.lock(...names.flatMap(name => ['--upgrade', name]))
    expect({status, tags: world.tags(), rules: rulesIn(stderr)}).toEqual({status: 0, ...want})
  })

  it('a tag in the request is a pin', async () => {
    const world = await locked()
    world.edit('x/app', 'x/app:v1.0.0\n- package: x/bs:v1.0.0', 'wanted.yaml')
    await world.lock()
    world.publish()
    const {stderr} = await world.lock('--upgrade', 'x/bs')
    expect({tags: world.tags(), rules: rulesIn(stderr)}).toEqual({tags: OLD, rules: ['pinned-version']})
  })

  it.each(['json', 'yaml'])('says as %s what changed', async format => {
    const world = await locked()
    world.publish()
    const {stdout} = await world.lock(
      '--upgrade',
      'x/bs',
      '-o',
      format,
      '--lock-file',
      world.at('wanted.lock'),
    )
    expect(stdout).toContain(format === 'json' ? '"kind": "LockChanges"' : 'kind: LockChanges')
    expect(stdout).toMatch(/"?change"?: "?upgraded"?/)
  })

  it('a bare reference is a declaration of one', async () => {
    const world = await locked()
    const file = world.at('one.lock')
    const args = ['lock', 'x/bs', '--packages', world.at('packages'), '--lock-file', file]
    expect(await runCli('package', ...args)).toMatchObject({status: 0})
    expect(readFileSync(file, 'utf8')).toContain('crossplane-system/x-bs')
  })

  it.each([
    {
      name: 'an unknown name',
      reason: 'it is not locked',
      in: ['--upgrade', 'x/z'],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'an upgrade without a lock',
      reason: 'there is nothing to upgrade in',
      in: ['--upgrade', 'x/as', '--lock-file', 'nowhere.lock'],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'a folder in the place of the lock',
      reason: 'it is no file',
      in: ['--lock-file', '.'],
      want: {status: 5, code: 'output-refused'},
    },
    {
      name: 'what cannot be put together',
      reason: 'nothing is written',
      in: ['--owner', 'x.example.org=x/nobody', '--lock-file', 'nowhere.lock'],
      want: {status: 3, code: 'unresolvable'},
    },
  ])('refuses $name: $reason', async ({in: args, want}) => {
    const world = await locked()
    const before = world.text()
    const {status, stderr} = await world.lock(...args, '-o', 'json')
    expect({status, code: codeOf(stderr)}).toEqual(want)
    expect(world.text()).toBe(before)
    expect(existsSync('nowhere.lock')).toBe(false)
  })

  it('refuses a lock that was edited into nonsense, with the line', async () => {
    const world = await locked()
    world.edit('tag: v1.0.0', 'tag: [')
    const {status, stderr} = await world.lock()
    expect({status, stderr}).toMatchObject({status: 1, stderr: expect.stringMatching(/wanted\.lock:\d+/)})
  })
})

describe('what keeps to a lock', () => {
  it('renders the same when there is something newer, and without it other things', async () => {
    const world = await locked()
    const before = await world.render()
    world.publish()
    const held = await world.render('--locked')
    expect(held).toMatchObject({status: 0, stdout: before.stdout})
    expect((await world.render()).stdout).not.toBe(before.stdout)
    expect((await world.tree('--lock-file', world.at('wanted.lock'))).stdout).not.toContain('v2')
  })

  it('says what differs, or refuses it', async () => {
    const world = await locked()
    world.publish()
    rmSync(world.at('packages/x/bs@v1.0.0'), {recursive: true})
    const file = ['--lock-file', world.at('wanted.lock')]
    const noted = await world.tree(...file)
    expect({status: noted.status, rules: rulesIn(noted.stderr)}).toEqual({
      status: 0,
      rules: ['lock-outdated'],
    })
    expect(noted.stderr).toContain('x/bs is locked at v1.0.0 and would be v2.0.0')
    const refused = await world.render('--locked', '-o', 'json')
    expect({status: refused.status, stdout: refused.stdout, code: codeOf(refused.stderr)}).toEqual({
      status: 3,
      stdout: '',
      code: 'lock-outdated',
    })
    expect(refused.stderr).toContain('package lock --declaration')
  })

  it.each([
    {name: 'another place', in: ['--system-namespace', 'infra']},
    {name: 'another assumption', in: ['--assume', 'as.x.example.org']},
    {name: 'another Crossplane', in: ['--crossplane-version', 'none']},
    {name: 'another trust', in: ['--owner', 'y.example.org=x/bs']},
  ])('refuses $name: it was asked for otherwise', async ({in: args}) => {
    const world = await locked()
    const {status, stderr} = await world.render('--locked', ...args, '-o', 'json')
    expect({status, code: codeOf(stderr)}).toEqual({status: 3, code: 'lock-outdated'})
  })

  it('refuses other bytes under a locked tag until they are upgraded', async () => {
    const world = await locked()
    writeTree(world.root, prefixed('packages/', owner('v1.0.0', 'bs', 'v7')))
    for (const refused of [await world.render('--locked', '-o', 'json'), await world.lock('-o', 'json')]) {
      expect({status: refused.status, code: codeOf(refused.stderr)}).toEqual({
        status: 4,
        code: 'digest-mismatch',
      })
    }
    expect(lines((await world.lock('--upgrade', 'x/bs')).stdout)).toContain(
      'x/bs v1.0.0 v1.0.0 other content',
    )
    expect(await world.render('--locked')).toMatchObject({status: 0})
  })

  it('what was accepted needs no flag again, and nothing else is accepted with it', async () => {
    const world = await locked()
    const needs = (text: string) =>
      `version: v1.0.0\n${APP_YAML}dependsOn: [{crd: as.x.example.org/v5}, {crd: bs.x.example.org${text}}]\n`
    writeTree(world.root, {'packages/x/app@v1.0.0/.registry/app.yaml': needs('')})
    expect(await world.lock('--upgrade', 'x/app')).toMatchObject({status: 3})
    expect(await world.lock('--upgrade', 'x/app', '--allow-version-mismatch')).toMatchObject({status: 0})
    expect(await world.render('--locked')).toMatchObject({status: 0})
    writeTree(world.root, {'packages/x/app@v1.0.0/.registry/app.yaml': needs('/v6')})
    const {status, stderr} = await world.lock('--upgrade', 'x/app')
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 3, rules: ['new-mismatch']})
  })

  it.each([
    {name: '--locked alone', in: ['x/bs', '--locked'], want: 'usage'},
    {
      name: '--locked without its lock',
      in: ['--declaration', 'DIR/wanted.yaml', '--locked', '--lock-file', 'none'],
      want: 'not-found',
    },
    {
      name: 'a lock without choosing',
      in: ['x/bs', '--no-dependencies', '--lock-file', 'DIR/wanted.lock'],
      want: 'usage',
    },
    {name: 'a lock and -f', in: ['-f', 'DIR/wanted.yaml', '--lock-file', 'DIR/wanted.lock'], want: 'usage'},
  ])('refuses $name', async ({in: args, want}) => {
    const world = await locked()
    const given = args.map(each => each.replace('DIR', world.root))
    const {stderr} = await runCli(
      'package',
      'render',
      ...given,
      '--packages',
      world.at('packages'),
      '-o',
      'json',
    )
    expect(codeOf(stderr)).toBe(want)
  })
})

describe('package outdated', () => {
  it('is silent where nothing is newer', async () => {
    const world = await locked()
    expect(await world.outdated()).toMatchObject({status: 0, stdout: '4 packages up to date.\n'})
  })

  it('tells what fits from what is held back', async () => {
    const world = await locked()
    world.publish()
    writeTree(
      world.root,
      prefixed('packages/', {...owner('v3.0.0', 'cs', 'v3'), ...owner('v3.0.0-rc.1', 'bs', 'v1')}),
    )
    const {status, stdout} = await world.outdated()
    expect({status, lines: lines(stdout)}).toEqual({
      status: 1,
      lines: [
        'PACKAGE LOCKED FITS NEWEST STATUS',
        'x/as v1.0.0 v2.0.0 v2.0.0 outdated',
        'x/bs v1.0.0 v2.0.0 v2.0.0 outdated',
        'x/cs v1.0.0 v2.0.0 v3.0.0 outdated',
        '1 package up to date.',
      ],
    })
    await world.lock('--upgrade', 'x/as', '--upgrade', 'x/bs', '--upgrade', 'x/cs')
    const held = await world.outdated()
    expect({status: held.status, lines: lines(held.stdout).slice(1)}).toEqual({
      status: 0,
      lines: ['x/cs v2.0.0 v2.0.0 v3.0.0 held back', '3 packages up to date.'],
    })
  })

  it('ends with 7 where it could not look, and with what others end with where that says more', async () => {
    const world = await locked()
    const nowhere = await world.outdated('--lock-file', 'nowhere.lock', '-o', 'json')
    expect({status: nowhere.status, code: codeOf(nowhere.stderr)}).toEqual({status: 7, code: 'not-found'})
    rmSync(world.at('packages/x/cs@v1.0.0'), {recursive: true})
    expect(await world.outdated()).toMatchObject({status: 3, stdout: ''})
  })

  it.each(['json', 'yaml'])('prints %s', async format => {
    const world = await locked()
    world.publish()
    const {stdout} = await world.outdated('-o', format)
    expect(stdout).toContain(format === 'json' ? '"kind": "OutdatedPackages"' : 'kind: OutdatedPackages')
    expect(stdout).toMatch(/"?status"?: "?outdated"?/)
  })
})
