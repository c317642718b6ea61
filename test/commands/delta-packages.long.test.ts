import {beforeAll, describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {allCommands} from '../cli/shell/all-commands.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {owner} from './locked-world.js'

const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const PACKAGES = ['as', 'bs', 'cs']
const FLAGS = ['--offline', '--cache-dir', at('cache'), '--quiet']

const succeeded = async (...args: readonly string[]) => {
  const result = await runCli(...args)
  if (result.status !== 0) throw new Error(`${args.join(' ')}: ${result.stderr}`)
  return result.stdout
}
/** Bundles the first packages, and returns the digest of the bundle. */
const bundled = async (count: number, output: string, ...bases: readonly string[]) => {
  const references = PACKAGES.slice(0, count).map(name => `x/${name}:v1.0.0`)
  const base = bases.flatMap(name => ['--base', at(name)])
  const words = [...references, '--packages', at('archives'), ...FLAGS, '--output-file', at(output), ...base]
  const stdout = await succeeded('bundle', 'create', ...words)
  return /sha256:[0-9a-f]{64}/.exec(stdout)?.[0] ?? ''
}
const rendering = (bundle: string, ...flags: readonly string[]) => [
  ...['package', 'render', 'x/as:v1.0.0', '--packages', at(bundle), ...FLAGS, '--output', 'name', ...flags],
]
const bases = (flag: string, ...names: readonly string[]) => names.flatMap(name => [flag, at(name)])

/** Each adds one package to the one before it. */
describe('packages of a bundle that adds to another one', () => {
  const digests: Record<string, string> = {}

  beforeAll(async () => {
    for (const name of PACKAGES) {
      writeTree(at('sources'), owner('v1.0.0', name, 'v1'))
      const archive = `oci-archive:${at(`archives/x/${name}/v1.0.0.tar`)}:v1.0.0`
      await succeeded('package', 'build', archive, at(`sources/x/${name}@v1.0.0`), '--no-lint', '--quiet')
    }
    digests.first = await bundled(1, 'first.tar')
    digests.second = await bundled(2, 'second.tar', 'first.tar')
    digests.third = await bundled(3, 'third.tar', 'second.tar', 'first.tar')
    await bundled(3, 'alone.tar', 'second.tar')
  }, 60_000)

  it('are read with the bundles that it adds to, in any order', async () => {
    const want = await succeeded(...rendering('first.tar'))
    const given: readonly (readonly [string, ...string[]])[] = [
      ['second.tar', ...bases('--packages-base', 'first.tar')],
      ['third.tar', ...bases('--packages-base', 'second.tar', 'first.tar')],
      ['third.tar', ...bases('--packages-base', 'first.tar', 'second.tar', 'first.tar')],
      ['alone.tar', ...bases('--packages-base', 'second.tar')],
    ]
    for (const words of given) expect(await succeeded(...rendering(...words))).toBe(want)
  })

  it('are named by bundle list, not as a package', async () => {
    const path = at('first.tar')
    for (const words of [
      ['images', path],
      ['create', path, '--output-file', at('other.tar')],
    ])
      expect(await runCli('bundle', ...words, ...FLAGS)).toEqual({
        status: 2,
        stdout: '',
        stderr: `Error: ${path} is a bundle, not a package in a registry\nTry: kubectl crossplane bundle list ${path}\n`,
      })
    expect(await succeeded('bundle', 'list', path)).toContain('x/as:v1.0.0')
  })

  it('are read by --base, too, where that has no other meaning', async () => {
    const words = ['x/as:v1.0.0', '--packages', at('second.tar'), ...bases('--base', 'first.tar'), ...FLAGS]
    for (const command of [
      ['package', 'inspect', ...words],
      ['package', 'tree', ...words],
      ['package', 'lock', ...words, '--lock-file', at('written.lock')],
      ['package', 'versions', ...words, '--default-source', 'docker.io'],
    ])
      await succeeded(...command)
  })

  it('are not read without them, and the error names what is missing', async () => {
    for (const [words, missing] of [
      [rendering('second.tar'), 'first'],
      [rendering('third.tar'), 'second'],
      [rendering('third.tar', ...bases('--packages-base', 'second.tar')), 'first'],
    ] as const) {
      const {status, stderr} = await runCli(...words)
      expect({words, status}).toEqual({words, status: 2})
      expect(stderr).toContain(`it adds to the bundle ${digests[missing] ?? ''}, which is not given`)
      expect(stderr).toContain('--packages-base FILE')
    }
  })

  it.each([
    ['another bundle', ['second.tar', ...bases('--packages-base', 'third.tar')], 'is not the base of'],
    [
      'a base of a whole bundle',
      ['first.tar', ...bases('--packages-base', 'third.tar')],
      'it is a whole bundle',
    ],
    ['a base of a folder', ['archives', ...bases('--packages-base', 'first.tar')], 'adds to no bundle'],
    ['a folder as base', ['second.tar', ...bases('--packages-base', 'archives')], 'it is not a bundle'],
  ])('rejects %s', async (_, [bundle = '', ...flags], message) => {
    const {status, stderr} = await runCli(...rendering(bundle, ...flags))
    expect(status).toBeGreaterThan(0)
    expect(stderr).toContain(message)
  })

  it('are read with bases of a variable, of which what does not fit is ignored', async () => {
    const want = await succeeded(...rendering('first.tar'))
    process.env.CROSSPLANE_PACKAGES_BASE = `${at('second.tar')},${at('first.tar')}`
    try {
      for (const bundle of ['second.tar', 'third.tar', 'first.tar'])
        expect(await succeeded(...rendering(bundle))).toBe(want)
      await succeeded(...rendering('archives'))
    } finally {
      delete process.env.CROSSPLANE_PACKAGES_BASE
    }
  })

  it('are verified and compared with them', async () => {
    await succeeded('bundle', 'verify', at('third.tar'), ...bases('--base', 'first.tar', 'second.tar'))
    await succeeded('bundle', 'list', at('third.tar'), ...bases('--base', 'second.tar', 'first.tar'))
    const verified = await runCli('bundle', 'verify', at('third.tar'), ...bases('--base', 'second.tar'))
    expect(verified.status).toBe(1)
    expect(verified.stdout).toContain(digests.first)
    expect(await succeeded('bundle', 'diff', at('first.tar'), at('second.tar'))).toContain('+ docker.io/x/bs')
    const difference = ['bundle', 'diff', at('second.tar'), at('third.tar')]
    expect(await runCli(...difference)).toMatchObject({status: 1})
    expect(await succeeded(...difference, ...bases('--base', 'first.tar'))).toContain('+ docker.io/x/cs')
  })

  it('is a flag of every command with --packages', async () => {
    const flagsOf = (flags: readonly (readonly [string, unknown])[]) => flags.map(([name]) => name)
    const without = (await allCommands())
      .map(({id, flags}) => ({id, names: flagsOf(flags)}))
      .filter(({names}) => names.includes('packages') && !names.includes('packages-base'))
    expect(without.map(({id}) => id)).toEqual([])
  }, 60_000)
})
