import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {createHash} from 'node:crypto'
import {startRegistry, type RegistryServer} from '../fakes/registry-server.js'
import {OCI, part} from '../fetch/image-parts.js'
import {tarOfFiles} from '../fetch/raw-tar.js'
import {expectGolden} from '../golden.js'
import {type JsonSchema, schemaViolations} from '../json-schema.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import type {JsonValue} from '../../src/yaml/json-value.js'

const folder = temporaryFolder()
const EXAMPLE = './examples/xpkg/configuration-database'

/** A file as `crossplane xpkg build` writes it: layers are marked by labels of the config. */
function xpkgFile(stream: string): string {
  const layer = gzipSync(tarOfFiles({'package.yaml': stream}))
  const digest = createHash('sha256').update(layer).digest('hex')
  const labels = {[`io.crossplane.xpkg:sha256:${digest}`]: 'base'}
  const config = Buffer.from(JSON.stringify({architecture: '', os: '', config: {Labels: labels}}))
  const manifest = [{Config: 'sha256:config', RepoTags: null, Layers: [`${digest}.tar.gz`]}]
  const path = join(mkdtempSync(join(folder, 'file-')), 'example.xpkg')
  writeFileSync(
    path,
    tarOfFiles({
      'sha256:config': config,
      [`${digest}.tar.gz`]: layer,
      'manifest.json': Buffer.from(JSON.stringify(manifest)),
    }),
  )
  return path
}

/** Writes a declaration of packages. */
function declared(...references: readonly string[]): string {
  const file = join(mkdtempSync(join(folder, 'declared-')), 'crossplane-packages.yaml')
  const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
  const entries = references.map(reference => `- package: ${reference}\n`)
  writeFileSync(file, `${head}packages:\n${entries.join('')}`)
  return file
}

/** Renders a declaration, which is for packages with .registry/. */
async function renderDeclared(reference: string, ...flags: readonly string[]) {
  const file = declared(reference)
  const packages = ['--packages', './examples/xpkg/packages']
  return await runCli('package', 'render', '--declaration', file, ...packages, ...flags)
}

describe('a package for a current Crossplane', () => {
  it('is inspected in a folder', async () => {
    const {status, stdout, stderr} = await runCli('package', 'inspect', EXAMPLE)
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expectGolden('inspect-xpkg.txt', stdout)
  })

  it('is reported as JSON of its schema', async () => {
    const {stdout} = await runCli('package', 'inspect', EXAMPLE, '-o', 'json')
    const schema = JSON.parse(readFileSync('docs/schemas/xpkg-report.v1alpha1.json', 'utf8')) as JsonSchema
    expect(schemaViolations(schema, JSON.parse(stdout) as JsonValue)).toEqual([])
  })

  it('is linted in a folder, with the line of each problem', async () => {
    const {status, stdout} = await runCli('package', 'lint', EXAMPLE)
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: `crossplane.yaml:17: warning: "<1" depends on the core: v1.0.0 satisfies it for Crossplane up to 2.2, but not for Crossplane 2.3 and later [xpkg-constraint-meaning]\n`,
    })
  })

  it('is read from a file of `xpkg build`, whose layer has a label', async () => {
    const file = xpkgFile(PROVIDER)
    const inspected = await runCli('package', 'inspect', file, '-o', 'json')
    expect(JSON.parse(inspected.stdout)).toMatchObject({kind: 'XpkgReport', package: {kind: 'Provider'}})
    const linted = await runCli('package', 'lint', `docker-archive:${file}`)
    expect(linted).toMatchObject({status: 0, stdout: ''})
  })

  it('that Crossplane cannot read is not inspected', async () => {
    const file = xpkgFile('apiVersion: v1\nkind: ConfigMap\n')
    const {status, stderr} = await runCli('package', 'inspect', file)
    expect(status).not.toBe(0)
    expect(stderr).toContain('[xpkg-kind]')
  })
})

describe('package tree of a package for a current Crossplane', () => {
  const tree = (...args: readonly string[]) =>
    runCli('package', 'tree', EXAMPLE, '--packages', './examples/xpkg/packages', ...args)

  it('draws the packages that fit together, with the constraints', async () => {
    const {status, stdout, stderr} = await tree()
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expectGolden('tree-xpkg.txt', stdout)
  })

  it('is a document of its schema', async () => {
    const {stdout} = await tree('-o', 'json')
    const schema = JSON.parse(readFileSync('docs/schemas/xpkg-tree.v1alpha1.json', 'utf8')) as JsonSchema
    expect(schemaViolations(schema, JSON.parse(stdout) as JsonValue)).toEqual([])
  })

  it('names the requirements that cannot be satisfied together, and exits with 3', async () => {
    const {status, stdout, stderr} = await tree('--core-version', 'v3.0.0')
    expect({status, stdout}).toEqual({status: 3, stdout: ''})
    expect(stderr).toContain('requires Crossplane >=v1.20.0, <v3.0.0')
  })

  it('rejects a version of Crossplane that is not one', async () => {
    expect(await tree('--core-version', '2.3')).toMatchObject({status: 2, stdout: ''})
  })

  it.each(['dot', 'mermaid'])('is drawn as %s', async format => {
    const {status, stdout, stderr} = await tree('-o', format)
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expectGolden(`tree-xpkg.${format}`, stdout)
  })

  it.each([
    {
      name: 'a depth that ends at a package which is requested, too',
      reason: 'what is below it is shown there',
      in: [['a', 'b'], '--depth', '1'],
      want: `Provider x/a:v1.0.0
└── Provider x/b:v1.0.0 (>=v1.0.0) (more below)
Provider x/b:v1.0.0
└── Provider x/c:v1.0.0 (*)
`,
    },
    {
      name: 'a cycle',
      reason: 'it ends at the package that closes it',
      in: [['d']],
      want: `Provider x/d:v1.0.0
└── Provider x/e:v1.0.0 (*)
    └── Provider x/d:v1.0.0 (*) (cycle)
`,
    },
    {
      name: 'a cycle as a graph',
      reason: 'it is one',
      in: [['d'], '-o', 'mermaid'],
      want: `flowchart LR
  n0["you"]
  n1["x/d:v1.0.0"]
  n2["x/e:v1.0.0"]
  n0 --> n1
  n1 -->|"*"| n2
  n2 -->|"*"| n1
`,
    },
    {
      name: 'packages of both formats as a graph',
      reason: 'they are one',
      in: [['app', 'c'], '-o', 'mermaid'],
      want: `flowchart LR
  n0["you"]
  n1["x/c:v1.0.0"]
  n2["x/app:v1.0.0"]
  n0 --> n1
  n0 -->|"x/app"| n2
`,
    },
  ])('of $name: $reason', async ({in: [names, ...flags], want}) => {
    const source = 'registry.example.org'
    const declaration = declared(...(names as readonly string[]).map(name => `${source}/x/${name}`))
    const packages = ['--packages', packagesFolder(source)]
    const args = ['--declaration', declaration, ...packages, ...(flags as readonly string[])]
    const {stdout, stderr} = await runCli('package', 'tree', ...args)
    expect({stdout: stdout.replaceAll(`${source}/`, ''), stderr: stderr.match(/Error.*/)?.[0]}).toEqual({
      stdout: want,
    })
  })
})

/** A folder of packages: `a` requires `b`, which requires `c`; `d` and `e` require each other; `app` is one of v0.12. */
function packagesFolder(source: string): string {
  const provider = (name: string, required?: string, version = '*') => {
    const one = `[{provider: ${source}/x/${required}, version: "${version}"}]`
    const head = `apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: ${name}}\n`
    return {
      [`x/${name}@v1.0.0/crossplane.yaml`]: `${head}spec: {dependsOn: ${required === undefined ? '[]' : one}}\n`,
    }
  }
  return writeTree(mkdtempSync(join(folder, 'packages-')), {
    ...provider('a', 'b', '>=v1.0.0'),
    ...provider('b', 'c'),
    ...provider('c'),
    ...provider('d', 'e'),
    ...provider('e', 'd'),
    'x/app@v1.0.0/.registry/app.yaml': 'version: 1.0.0\ntitle: Test\npermissionScope: Cluster\n',
  })
}

describe('a package for a current Crossplane in a registry', () => {
  let server: RegistryServer | undefined
  beforeAll(async () => {
    server = await startRegistry()
    const repository = server.contents.ensure('example/provider')
    const runtime = part(OCI.layer, tarOfFiles({'.registry/app.yaml': 'x', 'bin/provider': 'x'}))
    const base = part(OCI.layer, tarOfFiles({'package.yaml': PROVIDER}))
    const config = part(OCI.config, {})
    for (const {descriptor, bytes} of [runtime, base, config]) repository.blobs.set(descriptor.digest, bytes)
    const annotations = {'io.crossplane.xpkg': 'base'}
    const manifest = {
      schemaVersion: 2,
      mediaType: OCI.manifest,
      config: config.descriptor,
      layers: [runtime.descriptor, {...base.descriptor, annotations}],
    }
    const bytes = Buffer.from(JSON.stringify(manifest))
    repository.putManifest('v1.0.0', {mediaType: OCI.manifest, bytes})
  })
  afterAll(() => server?.close())

  const name = () => `${present(server).host}/example/provider:v1.0.0`
  const cache = ['--cache-dir', join(folder, 'cache')]

  it('is pulled into the cache, and inspected offline from there', async () => {
    const pulled = await runCli('package', 'pull', name(), ...cache)
    expect(pulled).toMatchObject({status: 0})
    const {stdout} = await runCli('package', 'inspect', name(), ...cache, '--offline', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'XpkgReport',
      package: {kind: 'Provider', installsAs: 'example-provider'},
    })
    expect(present(server).seen.filter(({path}) => path.includes('/blobs/'))).toHaveLength(1)
  })

  it('is rendered from the cache', async () => {
    const {status, stdout} = await renderDeclared(name(), ...cache, '--offline', '-o', 'name')
    expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining('.pkg.crossplane.io/')})
  })
})

const PROVIDER = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: p}\n'
