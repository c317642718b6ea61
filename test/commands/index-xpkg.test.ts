import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {type JsonSchema, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import type {JsonValue} from '../../src/yaml/json-value.js'

const PROVIDER = `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata: {name: p}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.s3.example.org}
spec:
  group: s3.example.org
  names: {kind: Bucket, plural: buckets, singular: bucket, listKind: BucketList}
  scope: Cluster
  versions:
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1beta2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`

const XRD = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xdatabases.example.org}
spec:
  group: example.org
  names: {kind: XDatabase, plural: xdatabases}
  claimNames: {kind: Database, plural: databases}
  versions:
  - {name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: {type: object}}}
`

const folder = temporaryFolder()

describe('an index of packages for a current Crossplane', () => {
  let server: RegistryServer
  beforeAll(async () => {
    server = await startRegistry()
    addXpkg(server, 'example/provider-s3', 'v1.0.0', PROVIDER)
    addXpkg(server, 'example/provider-s3', 'v1.1.0', PROVIDER)
    const add = await runCli('registry', 'index', 'add', name('v1.0.0'), '--index', root())
    expect(add).toMatchObject({status: 0})
  })
  afterAll(() => server.close())
  const root = () => `${server.host}/index`
  const name = (tag: string) => `${server.host}/example/provider-s3:${tag}`

  it('lists who provides a CRD', async () => {
    const at = ['--index', root()]
    const {status, stdout} = await runCli(
      'package',
      'provides',
      'buckets.s3.example.org',
      ...at,
      '-o',
      'json',
    )
    expect(status).toBe(0)
    const document = JSON.parse(stdout) as JsonValue
    expect(document).toMatchObject({
      providers: [
        {
          ...{package: name('').slice(0, -1), tag: 'v1.0.0', xpkg: 'Provider', kind: 'Bucket'},
          ...{scope: 'Cluster', served: ['v1beta1', 'v1beta2'], stored: 'v1beta2', serves: true},
        },
      ],
    })
    const schema = JSON.parse(readFileSync('docs/schemas/providers.v1alpha1.json', 'utf8')) as JsonSchema
    expect(schemaViolations(schema, document)).toEqual([])
  })

  it('answers which package a requested CRD needs', async () => {
    const declaration = join(folder, 'crds.yaml')
    const declare = (crd: string) =>
      writeFileSync(
        declaration,
        `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- crd: ${crd}\n`,
      )
    const run = (command: string, ...more: readonly string[]) =>
      runCli('package', command, '--declaration', declaration, '--index', root(), ...more)
    declare('buckets.s3.example.org/v1beta1')
    expect(await run('lock')).toMatchObject({status: 0})
    const lock = readFileSync(join(folder, 'crds.lock'), 'utf8')
    expect(lock).toContain(`${server.host}/example/provider-s3:`)
    const rendered = await run('render', '--output', 'name', '--pin', 'tag')
    expect(rendered).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('provider.pkg.crossplane.io/example-provider-s3') as unknown,
    })
    // A lock that binds decides alone.
    const locked = await runCli('package', 'tree', '--declaration', declaration, '--locked')
    expect(locked).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('provider-s3:v1.0.0') as unknown,
    })
    declare('buckets.s3.example.org/v9')
    expect(await run('tree')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('provider-s3:v1.0.0 does not serve v9') as unknown,
    })
  })

  it('names the versions that can be selected', async () => {
    const declaration = join(folder, 'crossplane-packages.yaml')
    writeFileSync(
      declaration,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
indexes: ["${root()}"]
packages:
- package: ${name('').slice(0, -1)}
`,
    )
    const tree = await runCli('package', 'tree', '--declaration', declaration, '--no-cache')
    expect(tree).toMatchObject({status: 0, stdout: `Provider ${name('v1.0.0')}\n`})
  })

  it('has a locked or requested version that was yanked reported', async () => {
    addXpkg(server, 'example/provider-old', 'v1.0.0', PROVIDER)
    const old = `${server.host}/example/provider-old`
    const at = ['--index', `${server.host}/yanks`]
    expect(await runCli('registry', 'index', 'add', `${old}:v1.0.0`, ...at)).toMatchObject({status: 0})
    const declaration = join(folder, 'yanked.yaml')
    const declare = (reference: string) =>
      writeFileSync(
        declaration,
        `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: ${reference}\n`,
      )
    declare(old)
    const package_ = async (verb: string, ...args: readonly string[]) =>
      await runCli('package', verb, '--declaration', declaration, ...at, ...args)
    expect(await package_('lock')).toMatchObject({status: 0, stderr: expect.not.stringContaining('yanked')})
    const yank = ['registry', 'index', 'yank', `${old}:v1.0.0`, '--reason', 'it leaks', ...at]
    expect(await runCli(...yank)).toMatchObject({status: 0})
    const said = `${old}:v1.0.0 is locked but was yanked: it leaks`
    expect(await package_('lock')).toMatchObject({status: 0, stderr: expect.stringContaining(said)})
    expect(await package_('render', '--locked')).toMatchObject({status: 0})
    // Without the lock, nothing keeps it, though the registry has it.
    expect(await package_('lock', '--upgrade')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('v1.0.0 was yanked: it leaks'),
    })
    const unpinned = await package_('outdated')
    expect(unpinned).toMatchObject({status: 1, stdout: expect.stringMatching(/^YANKED[^]*it leaks/)})
    declare(`${old}:v1.0.0`)
    expect((await package_('lock')).stderr).toContain(said.replace('locked', 'requested'))
    const own = join(folder, 'own')
    writeTree(own, {
      'crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: own}\n',
    })
    expect(await runCli('package', 'tree', own, ...at)).toMatchObject({status: 0})
    const outdated = await package_('outdated', '-o', 'json')
    expect(outdated.status).toBe(1)
    expect(JSON.parse(outdated.stdout)).toMatchObject({
      packages: [{package: old, locked: 'v1.0.0', status: 'yanked', reason: 'it leaks'}],
    })
  })

  it('is no source for requirements of other packages', async () => {
    const app = 'version: v0.1.0\npermissionScope: Cluster\ndependsOn: [{crd: buckets.s3.example.org}]\n'
    const stack = writeTree(join(folder, 'stack'), {'.registry/app.yaml': app})
    const at = ['--as-package', 'example/stack', '--index', root(), '--no-cache']
    const {status, stderr} = await runCli('package', 'tree', stack, ...at)
    expect(status).toBe(3)
    expect(stderr).toContain('no package')
  })
})

describe('a folder of packages of both formats', () => {
  const packages = writeTree(join(folder, 'packages'), {
    'example/configuration-db/v1.0.0/crossplane.yaml':
      'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: c}\n',
    'example/configuration-db/v1.0.0/definition.yaml': XRD,
  })

  it.each(['oci', 'oci-archive'])('is searched, also in a package as %s', async form => {
    const into = writeTree(join(folder, `of-${form}`), {'example/provider-s3/.keep': ''})
    const source = writeTree(join(folder, `source-${form}`), {'crossplane.yaml': PROVIDER})
    const at = join(into, 'example/provider-s3', form === 'oci' ? 'v1.0.0' : 'v1.0.0.tar')
    const built = await runCli('package', 'build', `${form}:${at}:v1.0.0`, source, '--no-lint')
    expect(built).toMatchObject({status: 0})
    const {status, stdout, stderr} = await runCli(
      'package',
      'provides',
      '*.s3.example.org',
      '--packages',
      into,
    )
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expect(stdout).toContain('buckets.s3.example.org')
    const tree = await runCli('package', 'tree', 'example/provider-s3:v1.0.0', '--packages', into)
    expect(tree).toMatchObject({status: 0, stdout: 'Provider example/provider-s3:v1.0.0\n', stderr: ''})
  })

  it('lists composites and claims of XRDs', async () => {
    const {stdout} = await runCli(
      'package',
      'provides',
      '*.example.org',
      '--packages',
      packages,
      '-o',
      'json',
    )
    const {providers} = JSON.parse(stdout) as {readonly providers: readonly object[]}
    expect(providers).toMatchObject([
      {name: 'databases.example.org', kind: 'Database', scope: 'Namespaced', served: ['v1']},
      {name: 'xdatabases.example.org', kind: 'XDatabase', scope: 'Cluster', served: ['v1']},
    ])
  })
})
