import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {loadAll} from 'js-yaml'
import {addXpkg} from '../fakes/xpkg-images.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'

const folder = temporaryFolder()
const LOCK = join(folder, 'one.lock')

describe('the name of a package for a current Crossplane', () => {
  let server: RegistryServer
  beforeAll(async () => {
    server = await startRegistry()
    const metadata = (kind: string, requires: readonly string[] = []) => {
      const dependsOn = requires.map(path => ({provider: `${server.host}/team/${path}`, version: '>=v1.0.0'}))
      const head = {apiVersion: 'meta.pkg.crossplane.io/v1', kind, metadata: {name: 'p'}}
      return writeYaml([{...head, spec: {dependsOn}}])
    }
    for (const version of ['v1.0.0', 'v1.1.0']) addXpkg(server, 'team/dep', version, metadata('Provider'))
    addXpkg(server, 'team/other', 'v1.0.0', metadata('Provider'))
    addXpkg(server, 'team/app', 'v1.0.0', metadata('Configuration', ['dep']))
    addXpkg(server, 'team/call', 'v1.0.0', metadata('Function'))
  })
  afterAll(() => server.close())

  /** A declaration in a folder of its own; names of packages are paths in the registry. */
  function declared(packages: readonly JsonObject[], settings: JsonObject = {}) {
    const root = mkdtempSync(join(folder, 'w-'))
    const file = join(root, 'crossplane-packages.yaml')
    const declare = (entries: readonly JsonObject[], changed: JsonObject = settings) => {
      const head = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'}
      const named = entries.map(entry => ({
        ...entry,
        package: `${server.host}/team/${asText(entry.package)}`,
      }))
      writeFileSync(file, writeYaml([{...head, ...changed, packages: named}]))
    }
    declare(packages)
    const run = async (command: string, ...args: readonly string[]) =>
      await runCli('package', command, '--declaration', file, '--cache-dir', join(folder, 'cache'), ...args)
    return {root, file, declare, run}
  }

  const OFF = {xpkg: {pin: 'config', resolver: 'off'}}
  const DEP = {package: 'dep:v1.0.0', name: 'my-dep'}
  const APP = {package: 'app:v1.0.0', name: 'my-app'}

  /** Each request as `Kind name`, with what its reference ends with; `skips` where the resolver skips it. */
  function requestsIn(stdout: string): readonly string[] {
    const objects = (loadAll(stdout) as readonly JsonObject[]).filter(({kind}) => kind !== 'ImageConfig')
    return objects.map(({kind, metadata, spec}) => {
      const {package: reference, skipDependencyResolution} = asObject(spec)
      const version = asText(reference)
        .replace(/^.*team\/[a-z]+/, '')
        .replace(/sha256:.*/, 'DIGEST')
      const skips = skipDependencyResolution === true ? ' skips' : ''
      return `${asText(kind)} ${asText(asObject(metadata).name)} ${version}${skips}`
    })
  }

  it.each([
    {name: 'nothing requires it', of: [DEP], want: ['Provider my-dep :v1.0.0']},
    {
      name: 'it requires others',
      of: [APP],
      want: ['Provider team-dep :v1.1.0', 'Configuration my-app :v1.0.0'],
    },
    {
      name: 'its name is the derived one',
      of: [{...DEP, name: 'team-dep'}, APP],
      want: ['Provider team-dep :v1.0.0', 'Configuration my-app :v1.0.0'],
    },
    {
      name: 'Crossplane resolves nothing',
      settings: OFF,
      of: [DEP, APP],
      want: ['Provider my-dep :v1.0.0 skips', 'Configuration my-app :v1.0.0 skips'],
    },
    {
      name: 'all are pinned by digest',
      settings: {xpkg: {pin: 'digest'}},
      of: [DEP, APP],
      want: ['Provider my-dep @DIGEST skips', 'Configuration my-app @DIGEST skips'],
    },
    {
      name: 'only it is pinned by digest',
      of: [
        {...DEP, pin: 'digest'},
        {package: 'call:v1.0.0', pin: 'tag'},
      ],
      want: ['Provider my-dep @DIGEST skips', 'Function team-call :v1.0.0'],
    },
    {
      name: 'a package of another kind has it',
      of: [DEP, {package: 'call:v1.0.0', name: 'my-dep'}],
      want: ['Provider my-dep :v1.0.0', 'Function my-dep :v1.0.0'],
    },
  ])('is as declared if $name', async ({of, want, settings}) => {
    const {status, stdout, stderr} = await declared(of, settings).run('render')
    expect({status, error: /^Error.*/m.exec(stderr)}).toEqual({status: 0, error: null})
    expect(requestsIn(stdout)).toEqual(want)
    const configs = (loadAll(stdout) as readonly JsonObject[]).filter(({kind}) => kind === 'ImageConfig')
    const names = configs.map(({metadata}) => asText(asObject(metadata).name))
    expect(new Set(names).size).toBe(names.length)
  })

  it.each([
    {
      name: 'a package that another one requires',
      of: [DEP, APP],
      rule: 'xpkg-required-name',
      advice: 'Set xpkg.resolver: off in the declaration',
    },
    {
      name: 'two packages of one kind',
      of: [DEP, {package: 'other:v1.0.0', name: 'my-dep'}],
      rule: 'xpkg-same-name',
      advice: 'Give one of them another name',
    },
    {
      name: 'packages that require each other, of which the resolver skips one',
      of: [{package: 'app:v1.0.0', pin: 'digest'}],
      rule: 'xpkg-mixed-resolver',
      advice: 'Pin packages that require each other in the same way',
    },
  ])('is rejected for $name', async ({of, rule, advice}) => {
    const {status, stdout, stderr} = await declared(of).run('render')
    expect({status, stdout}).toEqual({status: 5, stdout: ''})
    expect(stderr).toContain(`[${rule}]`)
    expect(stderr).toContain(`Try: ${advice}`)
  })

  it.each([
    {name: 'of one package', path: 'call:v1.0.0', flags: [], want: ['Function my-dep :v1.0.0']},
    {
      name: 'of one without its dependencies',
      path: 'app:v1.0.0',
      flags: ['--no-dependencies'],
      want: ['Configuration my-dep :v1.0.0'],
    },
    {
      name: 'with a lock',
      path: 'dep:v1.1.0',
      flags: ['--lock-file', LOCK],
      want: ['Provider my-dep :v1.1.0'],
    },
  ])('can be on the command line: $name', async ({path, flags, want}) => {
    const words = [`${server.host}/team/${path}`, 'my-dep']
    if (flags.includes(LOCK))
      expect(await runCli('package', 'lock', ...words, ...flags)).toMatchObject({status: 0})
    const {status, stdout, stderr} = await runCli('package', 'render', ...words, ...flags)
    expect({status, error: /^Error.*/m.exec(stderr)}).toEqual({status: 0, error: null})
    expect(requestsIn(stdout)).toEqual(want)
  })

  it.each(['My_Dep', 'a'.repeat(64)])('must be one that an object can have: %s', async name => {
    for (const flags of [[], ['--lock-file', LOCK]]) {
      const {status, stdout, stderr} = await runCli(
        'package',
        'render',
        `${server.host}/team/call:v1.0.0`,
        name,
        ...flags,
      )
      expect({status, stdout}).toEqual({status: 1, stdout: ''})
      expect(stderr).toContain('Try: Give it one name of at most 63 lowercase letters')
    }
  })

  it('is one for each package', async () => {
    const twice = await declared([DEP, {...DEP, name: 'other'}]).run('lock', '--dry-run')
    expect(twice.status).toBe(1)
    expect(twice.stderr).toContain('it is also requested as other')
    const long = await declared([{...DEP, name: 'a'.repeat(64)}]).run('render')
    expect(long.status).toBe(1)
  })

  it('is the one of the lock', async () => {
    const world = declared([DEP])
    expect(await world.run('lock')).toMatchObject({status: 0})
    expect(readFileSync(world.file.replace('.yaml', '.lock'), 'utf8')).toContain('name: my-dep')
    const tree = await world.run('tree', '--output', 'json')
    expect(asObjects(asObject(JSON.parse(tree.stdout) as JsonValue).packages)).toMatchObject([
      {installsAs: 'my-dep'},
    ])
    const why = await world.run('why', `${server.host}/team/dep`, '--output', 'json')
    expect(JSON.parse(why.stdout)).toMatchObject({installs: ['my-dep']})
    for (const name of ['other', undefined]) {
      world.declare([{package: 'dep:v1.1.0', ...(name === undefined ? {} : {name})}])
      for (const command of ['lock', 'render']) {
        const {status, stderr} = await world.run(command)
        expect({command, status}).toEqual({command, status: 5})
        expect(stderr).toContain(`Try: Set name: my-dep in the entry of ${server.host}/team/dep`)
      }
    }
  })

  it('is the one of the tree', async () => {
    const world = declared([DEP], OFF)
    const output = ['--output-dir', join(world.root, 'tree')]
    expect(await world.run('render', ...output)).toMatchObject({status: 0})
    expect(readFileSync(join(world.root, 'tree/.kubectl-crossplane/tree.settings'), 'utf8')).toContain(
      `resolver: 'off'`,
    )
    world.declare([{...DEP, name: 'other'}])
    const renamed = await world.run('render', ...output)
    expect(renamed.status).toBe(5)
    expect(renamed.stderr).toContain('[xpkg-renamed]')
    world.declare([DEP], {})
    const resolved = await world.run('render', ...output)
    expect(resolved.status).toBe(5)
    expect(resolved.stderr).toContain('xpkg.resolver would change from off to its default')
  })

  it('the resolver is on or off, which YAML 1.1 reads as booleans', async () => {
    const world = declared([DEP, APP])
    const text = readFileSync(world.file, 'utf8')
    const rendered = async (resolver: string, pin = 'config') => {
      writeFileSync(
        world.file,
        text.replace('packages:', `xpkg: {resolver: ${resolver}, pin: ${pin}}\npackages:`),
      )
      return (await world.run('render')).status
    }
    expect([await rendered('off'), await rendered('"off"'), await rendered('on')]).toEqual([0, 0, 5])
    expect([await rendered('never'), await rendered('off', 'tag'), await rendered('on', 'digest')]).toEqual([
      1, 1, 1,
    ])
    writeFileSync(world.file, text)
    expect(await world.run('render', '--resolver', 'off')).toMatchObject({status: 0})
    expect(await world.run('render', '--resolver', 'off', '--pin', 'tag')).toMatchObject({status: 2})
  })
})
