import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {loadAll} from 'js-yaml'
import {startRegistry, type RegistryServer} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {expectGolden} from '../golden.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()
const EXAMPLE = [
  './examples/xpkg/configuration-database',
  '--as-package',
  'registry.example.org/example/configuration-database:v0.1.0',
  '--packages',
  './examples/xpkg/packages',
]

describe('package render of a package for a current Crossplane', () => {
  const render = (...args: readonly string[]) => runCli('package', 'render', ...EXAMPLE, ...args)

  it('prints requests for everything that it requires, dependencies first', async () => {
    const {status, stdout, stderr} = await render('--pin', 'tag')
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expectGolden('render-xpkg.yaml', stdout)
  })

  it('prints their names', async () => {
    const {stdout} = await render('--pin', 'tag', '--output', 'name')
    expect(stdout).toBe(`provider.pkg.crossplane.io/example-provider-family
function.pkg.crossplane.io/example-function-template
provider.pkg.crossplane.io/example-provider-sql
configuration.pkg.crossplane.io/example-configuration-network
configuration.pkg.crossplane.io/example-configuration-database
`)
  })

  it('prints what Crossplane creates for them, with marks where only a cluster decides', async () => {
    const {status, stdout, stderr} = await render('--pin', 'tag', '--expand')
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expectGolden('render-xpkg-expand.yaml', stdout)
    expect(await render('--expand', '--output-dir', folder)).toMatchObject({status: 2})
  })

  it('warns of packages that cannot be pinned, because folders have no digests', async () => {
    const {status, stderr} = await render()
    expect(status).toBe(0)
    expect(stderr).toContain('[xpkg-not-pinned]')
  })

  it('warns of roles of v0.12 beside a current Crossplane, unless the declaration leaves them out', async () => {
    const declaration = join(folder, 'both.yaml')
    const rendered = async (...fields: readonly string[]) => {
      const packages = ['example/provider-sql:v0.2.0', 'registry.example.org/example/provider-family:v1.1.0']
      writeFileSync(
        declaration,
        [
          'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration',
          ...[...fields, 'packages:', ...packages.map(name => `- package: ${name}`), ''],
        ].join('\n'),
      )
      const both = join(folder, 'both')
      cpSync('examples/packages', both, {recursive: true})
      cpSync('examples/xpkg/packages', both, {recursive: true})
      return await runCli('package', 'render', '--declaration', declaration, '--packages', both)
    }
    const warned = await rendered('render: {base: true}')
    expect(warned).toMatchObject({status: 0, stderr: expect.stringContaining('[base-beside-xpkgs]')})
    expect(warned.stderr).toContain('remove base: true of render in the declaration')
    expect(warned.stdout).toContain('name: crossplane-admin')
    for (const fields of [[], ['base: external']]) {
      const {status, stdout, stderr} = await rendered(...fields)
      expect({status, stderr}).toEqual({status: 0, stderr: expect.not.stringContaining('base-beside')})
      expect(stdout).not.toContain('name: crossplane-admin')
    }
  })

  it('rejects --pin=digest for them', async () => {
    const {status, stdout, stderr} = await render('--pin', 'digest')
    expect({status, stdout}).toEqual({status: 3, stdout: ''})
    expect(stderr).toContain('--pin=tag')
  })

  it('names the pin of an entry that contradicts --resolver, which no flag replaces', async () => {
    const declaration = join(folder, 'own-pin.yaml')
    const rendered = async (pin: string, ...flags: readonly string[]) => {
      writeFileSync(
        declaration,
        `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: registry.example.org/example/provider-family:v1.1.0\n${pin}`,
      )
      const packages = ['--packages', 'examples/xpkg/packages']
      const settings = ['--resolver', 'off', '--core-version', 'v2.3.0', ...flags]
      return await runCli('package', 'render', '--declaration', declaration, ...packages, ...settings)
    }
    const advice =
      'Try: Remove pin: tag from the entry of registry.example.org/example/provider-family in the declaration.'
    for (const flags of [[], ['--pin=config']])
      expect(await rendered('  pin: tag\n', ...flags)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(advice),
      })
    expect((await rendered('')).stderr).not.toContain('mutually exclusive')
  })

  it('rejects flags of other packages, and names the request', async () => {
    expect(await render('--with-package-api')).toMatchObject({status: 2, stdout: ''})
    expect(
      await runCli('package', 'render', EXAMPLE[0] ?? '', 'everyday', ...EXAMPLE.slice(1)),
    ).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('\n  name: everyday\n'),
    })
  })

  it('requires the reference of a local package', async () => {
    const args = ['./examples/xpkg/configuration-database', '--packages', './examples/xpkg/packages']
    const {status, stderr} = await runCli('package', 'render', ...args)
    expect(status).toBe(2)
    expect(stderr).toContain('--as-package')
  })

  it('has flags that other packages do not have', async () => {
    const args = [
      './examples/packages/example/provider-sql@v0.2.0',
      '--as-package',
      'example/a:v0.1.0',
      '--pin',
      'tag',
    ]
    expect(await runCli('package', 'render', ...args)).toMatchObject({status: 2, stdout: ''})
  })
})

describe('package render of a package for a current Crossplane to a folder', () => {
  const render = (target: string, ...args: readonly string[]) =>
    runCli('package', 'render', ...EXAMPLE, '--pin', 'tag', '--output-dir', target, ...args)
  /** All files, in order, without the list of hashes. */
  const textOf = (target: string) =>
    readdirSync(target, {recursive: true, withFileTypes: true})
      .filter(entry => entry.isFile() && !entry.name.endsWith('.sha256'))
      .map(({parentPath, name}) => relative(target, join(parentPath, name)))
      .sort()
      .map(path => `=== ${path}\n${readFileSync(join(target, path), 'utf8')}`)
      .join('')

  const LAYOUTS: readonly {readonly name: string; readonly flags: readonly string[]}[] = [
    {name: 'plain', flags: []},
    {name: 'flux', flags: ['--layout', 'flux']},
    {name: 'argocd', flags: ['--layout', 'argocd', '--repo-url', 'https://git.example.org/team/cluster']},
  ]

  it.each(LAYOUTS)('writes the layout $name, and nothing the second time', async ({name, flags}) => {
    const target = join(folder, name)
    expect(await render(target, ...flags)).toMatchObject({status: 0})
    expectGolden(`render-xpkg-${name}.txt`, textOf(target))
    const {stderr} = await render(target, ...flags)
    expect(stderr).toContain(': 0 written, 0 deleted')
  })

  it('shows the plan, saves it, and executes it', async () => {
    const [target, plan] = [join(folder, 'planned'), join(folder, 'plan.json')]
    const {status, stdout} = await render(target, '--plan-out', plan)
    expect({status, shown: stdout.includes('example-provider-sql')}).toEqual({status: 0, shown: true})
    const executed = await runCli('package', 'render', '--output-dir', target, '--plan', plan)
    expect(executed.status).toBe(0)
    expectGolden('render-xpkg-plain.txt', textOf(target))
  })

  it('rejects a format for objects', async () => {
    expect(await render('x', '--output', 'name')).toMatchObject({status: 2, stdout: ''})
  })
})

describe('package render of packages in a registry', () => {
  let server: RegistryServer | undefined
  let digests: Readonly<Record<string, string>> = {}
  const cache = ['--cache-dir', join(folder, 'cache')]

  beforeAll(async () => {
    server = await startRegistry()
    const {host} = server
    const parent = (...entries: readonly string[]) =>
      `apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: c}\nspec: {dependsOn: [${entries.join(', ')}]}\n`
    const dep = addXpkg(server, 'team/dep', 'v1.0.0', PROVIDER)
    addXpkg(server, 'team/dep', 'v1.0.0-rc.1', PROVIDER)
    const app = parent(`{provider: ${host}/team/dep, version: ">=v1.0.0"}`)
    const exact = parent(`{provider: ${host}/team/dep, version: "${dep}"}`)
    const cyclic = parent(`{configuration: ${host}/team/cyclic, version: "*"}`)
    digests = {
      dep,
      app: addXpkg(server, 'team/app', 'v0.1.0', app),
      exact: addXpkg(server, 'team/exact', 'v0.1.0', exact),
      cyclic: addXpkg(server, 'team/cyclic', 'v0.1.0', cyclic),
    }
  })
  afterAll(() => server?.close())

  const render = async (name: string, ...args: readonly string[]) => {
    const {host} = present(server)
    const {status, stdout, stderr} = await runCli(
      'package',
      'render',
      `${host}/team/${name}`,
      ...cache,
      ...args,
    )
    const objects = loadAll(stdout) as {kind: string; metadata: {name: string}; spec: unknown}[]
    const short = objects.map(({kind, metadata, spec}) => ({kind, name: metadata.name, spec}))
    return {status, stderr, objects: short}
  }
  const repository = (name: string) => `${present(server).host}/team/${name}`

  it('pins tags by ImageConfigs', async () => {
    const {status, stderr, objects} = await render('app:v0.1.0', '--quiet')
    expect(status).toBe(0)
    const config = (name: string, tag: string) => ({
      kind: 'ImageConfig',
      name: `team-${name}-${tag}`,
      spec: {
        matchImages: [{type: 'Prefix', prefix: `${repository(name)}:${tag}`}],
        rewriteImage: {prefix: `${repository(name)}@${digests[name] ?? ''}`},
      },
    })
    expect(objects).toEqual([
      config('app', 'v0.1.0'),
      config('dep', 'v1.0.0'),
      {kind: 'Provider', name: 'team-dep', spec: {package: `${repository('dep')}:v1.0.0`}},
      {kind: 'Configuration', name: 'team-app', spec: {package: `${repository('app')}:v0.1.0`}},
    ])
    expect(stderr).toContain('v1.0.0-rc.1')
    expect(stderr).toContain('[xpkg-longer-tag]')
  })

  it('pins requests by digests, without the resolver of Crossplane', async () => {
    const {objects} = await render('app:v0.1.0', '--pin', 'digest')
    const spec = (name: string) => ({
      package: `${repository(name)}@${digests[name] ?? ''}`,
      skipDependencyResolution: true,
    })
    expect(objects).toEqual([
      {kind: 'Provider', name: 'team-dep', spec: spec('dep')},
      {kind: 'Configuration', name: 'team-app', spec: spec('app')},
    ])
  })

  it('requests a package by digest that is required by digest', async () => {
    const {objects} = await render('exact:v0.1.0')
    expect(objects.map(({kind}) => kind)).toEqual(['ImageConfig', 'Provider', 'Configuration'])
    expect(objects[1]?.spec).toEqual({package: `${repository('dep')}@${digests.dep ?? ''}`})
  })

  it('rejects a cycle but with --pin=digest', async () => {
    const {status, stderr} = await render('cyclic:v0.1.0')
    expect(status).toBe(3)
    expect(stderr).toContain('--pin=digest')
    expect(await render('cyclic:v0.1.0', '--pin', 'digest')).toMatchObject({status: 0})
  })

  it('rejects ImageConfigs for a Crossplane that has none', async () => {
    expect(await render('app:v0.1.0', '--core-version', 'v1.19.0')).toMatchObject({status: 3})
    expect(await render('app:v0.1.0', '--core-version', 'v1.19.0', '--pin', 'tag')).toMatchObject({status: 0})
  })

  it('renders a declaration, with the settings of each package', async () => {
    const file = join(folder, 'crossplane-packages.yaml')
    const {host} = present(server)
    writeFileSync(
      file,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
layout: flux
packages:
- package: ${host}/team/app:v0.1.0
- package: ${host}/team/dep:v1.0.0
  parameters: {imagePullSecrets: [pull], serviceAccountAnnotations: {role: reader}}
  runtime: {replicas: 2, securityContext: {readOnlyRootFilesystem: true}}
`,
    )
    const {status, stdout} = await runCli(
      'package',
      'render',
      '--declaration',
      file,
      '--pin',
      'tag',
      ...cache,
    )
    expect(status).toBe(0)
    expectGolden('render-xpkg-declaration.yaml', stdout.replaceAll(host, 'registry.example.org'))
    const target = join(folder, 'declared')
    const written = await runCli(
      ...['package', 'render', '--declaration', file, '--pin', 'tag', ...cache, '--output-dir', target],
    )
    expect({
      status: written.status,
      files: existsSync(join(target, 'flux/kustomizations/stage-2.yaml')),
    }).toEqual({
      status: 0,
      files: true,
    })
  })

  it('rejects a runtime of a Configuration, which runs no program', async () => {
    expect(await render('app:v0.1.0', '--replicas', '2')).toMatchObject({status: 2, objects: []})
  })

  it('takes settings of an entry for its own request only, and names a runtime config of the cluster', async () => {
    const parameters = {
      revisionActivationPolicy: 'Automatic',
      revisionHistoryLimit: 0,
      runtimeConfig: 'large',
    }
    const file = join(folder, 'own.yaml')
    const rendered = async (entry: object) => {
      const content = {
        apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
        kind: 'PackageDeclaration',
        xpkg: {pin: 'tag', revisionHistoryLimit: 3},
        packages: [{package: `${repository('app')}:v0.1.0`}, entry],
      }
      writeFileSync(file, JSON.stringify(content))
      return await runCli('package', 'render', '--declaration', file, ...cache)
    }
    const dep = `${repository('dep')}:v1.0.0`
    const {status, stdout} = await rendered({package: dep, parameters})
    expect(status).toBe(0)
    expect((loadAll(stdout) as {kind: string; spec: object}[]).map(({kind, spec}) => [kind, spec])).toEqual([
      [
        'Provider',
        {
          package: dep,
          revisionActivationPolicy: 'Automatic',
          revisionHistoryLimit: 0,
          runtimeConfigRef: {name: 'large'},
        },
      ],
      ['Configuration', {package: `${repository('app')}:v0.1.0`, revisionHistoryLimit: 3}],
    ])
    const paused = await rendered({package: dep, parameters: {paused: true}})
    expect((loadAll(paused.stdout) as {metadata: object}[]).map(({metadata}) => metadata)).toEqual([
      {name: expect.stringContaining('dep'), annotations: {'crossplane.io/paused': 'true'}},
      {name: expect.stringContaining('app')},
    ])
    const runtime = {replicas: 2}
    expect(await rendered({package: dep, parameters, runtime})).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be combined with runtime'),
    })
  })

  it('adds the settings to every request', async () => {
    const args = [
      '--image-pull-secret',
      'a',
      '--image-pull-policy',
      'Always',
      '--revision-history-limit',
      '3',
    ]
    const {objects} = await render(
      'app:v0.1.0',
      '--pin',
      'tag',
      '--revision-activation-policy',
      'Manual',
      ...args,
    )
    const settings = {
      packagePullPolicy: 'Always',
      packagePullSecrets: [{name: 'a'}],
      revisionActivationPolicy: 'Manual',
      revisionHistoryLimit: 3,
    }
    expect(objects.map(({spec}) => spec)).toEqual([
      {package: `${repository('dep')}:v1.0.0`, ...settings},
      {package: `${repository('app')}:v0.1.0`, ...settings},
    ])
  })
})

const PROVIDER = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: p}\n'
