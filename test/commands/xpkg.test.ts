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
import {temporaryFolder} from '../temporary-folder.js'
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

/** Renders a declaration, which is for packages with .registry/. */
async function renderDeclared(reference: string, ...flags: readonly string[]) {
  const file = join(mkdtempSync(join(folder, 'declared-')), 'crossplane-packages.yaml')
  const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
  writeFileSync(file, `${head}packages:\n- package: ${reference}\n`)
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

  it('is text or a document only', async () => {
    expect(await tree('-o', 'dot')).toMatchObject({status: 2, stdout: ''})
  })
})

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
