import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {startRegistry, type RegistryServer} from '../fakes/registry-server.js'
import {type JsonSchema, schemaViolations} from '../json-schema.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {owner} from './locked-world.js'

const folder = temporaryFolder()
let server: RegistryServer | undefined
beforeAll(async () => {
  server = await startRegistry()
  for (const tag of ['v0.9.0', 'v0.11.0', 'v0.10.0', 'v0.12.0-rc.1']) {
    const source = writeTree(mkdtempSync(join(folder, 'source-')), owner(tag, 'as', 'v1'))
    const reference = `${server.host}/x/as:${tag}`
    const {status} = await runCli('package', 'push', reference, join(source, `x/as@${tag}`), '--no-lint')
    expect(status).toBe(0)
  }
})
afterAll(() => server?.close())

const name = () => `${present(server).host}/x/as`

function rowsOf(stdout: string): readonly (readonly string[])[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split(/ +/))
}

describe('package versions', () => {
  it('lists the tags, newest first, and marks the stable ones', async () => {
    const {status, stdout} = await runCli('package', 'versions', `${name()}:v0.9.0`, '--no-cache')
    expect({status, rows: rowsOf(stdout)}).toEqual({
      status: 0,
      rows: [
        ['TAG', 'STABLE'],
        ['v0.12.0-rc.1', 'no'],
        ['v0.11.0', 'yes', 'newest'],
        ['v0.10.0', 'yes'],
        ['v0.9.0', 'yes'],
      ],
    })
  })

  it('prints references, one per line', async () => {
    const {stdout} = await runCli('package', 'versions', name(), '--no-cache', '-o', 'name')
    expect(stdout.split('\n')[1]).toBe(`${name()}:v0.11.0`)
  })

  it('prints a document that its schema describes', async () => {
    const {stdout} = await runCli('package', 'versions', name(), '--no-cache', '-o', 'json')
    const schema = JSON.parse(
      readFileSync('docs/schemas/package-versions.v1alpha1.json', 'utf8'),
    ) as JsonSchema
    expect(schemaViolations(schema, JSON.parse(stdout))).toEqual([])
  })

  it('lists the tags of a folder of packages, without a registry', async () => {
    const args = ['example/provider-sql', '--packages', './examples/xpkg/packages', '--offline']
    const {status, stdout} = await runCli('package', 'versions', ...args)
    expect({status, rows: rowsOf(stdout)}).toEqual({
      status: 0,
      rows: [
        ['TAG', 'STABLE'],
        ['v2.0.0', 'yes', 'newest'],
        ['v1.6.0', 'yes'],
        ['v1.5.0', 'yes'],
        ['v1.2.0', 'yes'],
      ],
    })
  })

  it('lists the tags of the registry if the folder does not have the package', async () => {
    const args = [name(), '--packages', './examples/xpkg/packages', '--no-cache', '-o', 'name']
    const {status, stdout} = await runCli('package', 'versions', ...args)
    expect({status, lines: stdout.trimEnd().split('\n').length}).toEqual({status: 0, lines: 4})
  })

  it('names the package that the folder has in another spelling', async () => {
    const args = ['example/provider-sqll', '--packages', './examples/xpkg/packages', '--offline']
    const {status, stderr} = await runCli('package', 'versions', ...args)
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('the local packages have example/provider-sql'),
    })
  })

  it('rejects a local package', async () => {
    expect(await runCli('package', 'versions', './x')).toMatchObject({status: 2})
  })
})

describe('a tag that the registry does not have', () => {
  it.each([
    {tag: '0.11.0', want: 'v0.11.0'},
    {tag: 'v0.11', want: 'v0.11.0'},
    {tag: 'v0.1.0', want: 'v0.11.0'},
  ])('$tag: the error suggests $want, and the suggested list works', async ({tag, want}) => {
    const {status, stderr} = await runCli('package', 'render', `${name()}:${tag}`, '--no-cache')
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining(`Did you mean ${name()}:${want}`),
    })
    expect(stderr).toMatch(/its repository has no tag \S+; the newest it has: v\d+\.\d+\.\d+/)
    const [, command = ''] = /kubectl crossplane (package versions \S+)/.exec(stderr) ?? []
    expect(await runCli(...command.split(' '), '--no-cache')).toMatchObject({status: 0})
  })

  it('is distinguished from a missing repository', async () => {
    const {status, stderr} = await runCli(
      'package',
      'render',
      `${present(server).host}/x/other:v1`,
      '--no-cache',
    )
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('Check the name of the package'),
    })
  })
})

describe('package outdated of a pinned package in a registry', () => {
  it('shows its newest version', async () => {
    const root = mkdtempSync(join(folder, 'pinned-'))
    const declaration = join(root, 'wanted.yaml')
    writeFileSync(
      declaration,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: ${name()}:v0.9.0\n`,
    )
    expect(await runCli('package', 'lock', '--declaration', declaration, '--no-cache')).toMatchObject({
      status: 0,
    })
    const {status, stdout} = await runCli('package', 'outdated', '--declaration', declaration, '--no-cache')
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^PINNED .*\n.* v0\.9\.0 +v0\.9\.0 +v0\.11\.0\n/),
    })
  })
})

describe('package pull without REF', () => {
  it('pulls the packages of a declaration, and then of its lock by digest', async () => {
    const root = mkdtempSync(join(folder, 'pulled-'))
    const declaration = join(root, 'wanted.yaml')
    writeFileSync(
      declaration,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: ${name()}\n  version: ~0.10.0\n`,
    )
    const given = ['--declaration', declaration, '--cache-dir', join(root, 'cache')]
    const pulled = await runCli('package', 'pull', ...given)
    expect(pulled).toMatchObject({status: 0, stdout: expect.stringContaining(`${name()}:v0.10.0@sha256:`)})
    expect(await runCli('package', 'lock', ...given)).toMatchObject({status: 0})
    expect(await runCli('package', 'pull', ...given)).toMatchObject({status: 0, stdout: pulled.stdout})
    const lock = ['--lock-file', join(root, 'wanted.lock'), '--cache-dir', join(root, 'other')]
    expect(await runCli('package', 'pull', ...lock)).toMatchObject({status: 0, stdout: pulled.stdout})
    const offline = [
      '--declaration',
      declaration,
      '--cache-dir',
      join(root, 'other'),
      '--offline',
      '--locked',
    ]
    expect(await runCli('package', 'render', ...offline)).toMatchObject({status: 0})
  })

  it('rejects a pull without a reference', async () => {
    expect(await runCli('package', 'pull')).toMatchObject({status: 2})
  })
})
