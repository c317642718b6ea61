import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {startRegistry, type RegistryServer} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {type CliResult, runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {codeOf, owner, prefixed} from './locked-world.js'

const folder = temporaryFolder()
const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'

/** Runs a command in a folder. */
async function runIn(at: string, ...argv: readonly string[]): Promise<CliResult> {
  const before = process.cwd()
  process.chdir(at)
  try {
    return await runCli(...argv)
  } finally {
    process.chdir(before)
  }
}

/** A Git repository with a declaration, and packages beside it. */
function repository(packages = '- package: x/as\n'): string {
  const root = mkdtempSync(join(folder, 'repository-'))
  mkdirSync(join(root, '.git'))
  return writeTree(root, {
    ...prefixed('packages/', {
      ...owner('v1.0.0', 'as', 'v1'),
      ...owner('v1.1.0', 'as', 'v1'),
      ...owner('v2.0.0', 'as', 'v1'),
    }),
    'team/readme.md': '',
    'crossplane-packages.yaml': `${HEAD}packages:\n${packages}`,
  })
}

describe('a command without REF', () => {
  it.each(['.', 'team'])('uses the declaration of the working folder or a parent: %s', async place => {
    const root = repository()
    const packages = ['--packages', join(root, 'packages')]
    const at = join(root, place)
    expect(await runIn(at, 'package', 'lock', ...packages)).toMatchObject({status: 0})
    expect(readFileSync(join(root, 'crossplane-packages.lock'), 'utf8')).toContain('tag: v2.0.0')
    for (const command of [['render'], ['tree'], ['why', 'x/as'], ['outdated']]) {
      expect(await runIn(at, 'package', ...command, ...packages)).toMatchObject({status: 0})
    }
  })

  it.each([
    {in: ['inspect', 'as:v1.0.0'], want: 'x/as:v1.0.0'},
    {in: ['versions', 'mine'], want: 'x/as'},
    {in: ['compare', 'mine:v1.0.0', 'mine:v2.0.0'], want: 'x/as:v1.0.0'},
  ])('and not found by a name of its lock suggests $want for $in', async ({in: argv, want}) => {
    const root = repository('- {package: x/as, name: mine}\n')
    expect(await runIn(root, 'package', 'lock', '--packages', 'packages')).toMatchObject({status: 0})
    const {status, stderr} = await runIn(join(root, 'team'), 'package', ...argv, '--offline')
    expect(status).not.toBe(0)
    expect(stderr).toContain(`Did you mean ${want}?`)
    const other = await runIn(root, 'package', 'versions', 'other', '--offline')
    expect(other.stderr).not.toContain('Did you mean')
  })

  it('looks no further than the root of the repository', async () => {
    const root = repository()
    mkdirSync(join(root, 'team/.git'))
    const {status, stderr} = await runIn(join(root, 'team'), 'package', 'tree', '-o', 'json')
    expect({status, code: codeOf(stderr)}).toEqual({status: 2, code: 'usage'})
  })

  it('points -f with a declaration to --declaration', async () => {
    const {status, stderr} = await runIn(repository(), 'package', 'render', '-f', 'crossplane-packages.yaml')
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: expect.stringContaining(
        'kubectl crossplane package render --declaration crossplane-packages.yaml',
      ),
    })
  })

  it('rejects --locked without a lock with 3, and the suggested command writes one', async () => {
    const root = repository()
    const packages = ['--packages', join(root, 'packages')]
    const {status, stderr} = await runIn(root, 'package', 'render', '--locked', ...packages)
    expect(status).toBe(3)
    const [, command = ''] = /^Try: kubectl crossplane (.*)$/m.exec(stderr) ?? []
    expect(await runIn(root, ...command.split(' '))).toMatchObject({status: 0})
    expect(await runIn(root, 'package', 'render', '--locked', ...packages)).toMatchObject({status: 0})
  })
})

describe('a version range', () => {
  it.each([
    {range: '^1.0', want: 'v1.1.0'},
    {range: '~1.0.0', want: 'v1.0.0'},
    {range: '>=1 <3', want: 'v2.0.0'},
  ])('selects the newest stable version within $range', async ({range, want}) => {
    const root = repository(`- package: x/as\n  version: "${range}"\n`)
    const packages = ['--packages', join(root, 'packages')]
    expect(await runIn(root, 'package', 'lock', ...packages)).toMatchObject({status: 0})
    expect(readFileSync(join(root, 'crossplane-packages.lock'), 'utf8')).toContain(`tag: ${want}`)
    expect(await runIn(root, 'package', 'lock', '--upgrade', ...packages)).toMatchObject({
      status: 0,
      stdout: '1 package unchanged.\n',
    })
    expect(await runIn(root, 'package', 'tree', '--locked', ...packages)).toMatchObject({status: 0})
  })

  it('is part of the request: a lock for another range is outdated', async () => {
    const root = repository('- package: x/as\n  version: "^1.0"\n')
    const packages = ['--packages', join(root, 'packages')]
    await runIn(root, 'package', 'lock', ...packages)
    writeFileSync(
      join(root, 'crossplane-packages.yaml'),
      readFileSync(join(root, 'crossplane-packages.yaml'), 'utf8').replace('^1.0', '^2.0'),
    )
    const {status, stderr} = await runIn(root, 'package', 'tree', '--locked', ...packages, '-o', 'json')
    expect({status, code: codeOf(stderr)}).toEqual({status: 3, code: 'lock-outdated'})
    expect(await runIn(root, 'package', 'lock', ...packages)).toMatchObject({status: 0})
    expect(readFileSync(join(root, 'crossplane-packages.lock'), 'utf8')).toContain('tag: v2.0.0')
  })

  describe('of a package in a registry', () => {
    let server: RegistryServer | undefined
    beforeAll(async () => {
      server = await startRegistry()
      for (const tag of ['v0.9.0', 'v0.10.1', 'v0.11.0']) {
        const source = writeTree(mkdtempSync(join(folder, 'source-')), owner(tag, 'as', 'v1'))
        const reference = `${server.host}/x/as:${tag}`
        expect(
          await runCli('package', 'push', reference, join(source, `x/as@${tag}`), '--no-lint'),
        ).toMatchObject({status: 0})
      }
    })
    afterAll(() => server?.close())

    it('is resolved against its tags', async () => {
      const root = repository(`- package: ${present(server).host}/x/as\n  version: ^0.10.0\n`)
      const {status, stdout} = await runIn(root, 'package', 'tree', '--no-cache')
      expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining('x/as:v0.10.1')})
    })

    it('is rejected if no tag is within it', async () => {
      const root = repository(`- package: ${present(server).host}/x/as\n  version: ^3\n`)
      const {status, stderr} = await runIn(root, 'package', 'tree', '--no-cache')
      expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('the newest is v0.11.0')})
    })
  })
})

describe('lock --upgrade', () => {
  it('without names unlocks all packages', async () => {
    const root = repository()
    const packages = ['--packages', join(root, 'packages')]
    await runIn(root, 'package', 'lock', ...packages)
    writeTree(root, prefixed('packages/', owner('v3.0.0', 'as', 'v1')))
    expect(await runIn(root, 'package', 'lock', ...packages)).toMatchObject({
      stdout: '1 package unchanged.\n',
    })
    expect(await runIn(root, 'package', 'lock', '--upgrade', ...packages)).toMatchObject({status: 0})
    expect(readFileSync(join(root, 'crossplane-packages.lock'), 'utf8')).toContain('tag: v3.0.0')
  })
})
