import {describe, expect, it} from '@jest/globals'
import {rmSync, writeFileSync} from 'node:fs'
import {expectGolden} from '../golden.js'
import {writeTree} from '../temporary-folder.js'
import {runCli} from '../run-cli.js'
import {done, IndexedWorlds} from './indexed-world.js'
import {codeOf, lines, locked, owner, prefixed} from './locked-world.js'

const worlds = new IndexedWorlds()

describe('package outdated', () => {
  it('prints no package if there is no newer version', async () => {
    const world = await locked()
    expect(await world.outdated()).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('4 packages up to date\n'),
    })
  })

  it('distinguishes outdated packages from packages that are held back', async () => {
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
        'CAN BE UPGRADED LOCKED SELECTED LATEST',
        'x/as v1.0.0 v2.0.0 v2.0.0',
        'x/bs v1.0.0 v2.0.0 v2.0.0',
        'x/cs v1.0.0 v2.0.0 v3.0.0',
        ' x/as:v2.0.0 requires cs.x.example.org/v2, which only other versions satisfy',
        '',
        '1 package up to date.',
      ],
    })
    await world.lock('--upgrade', 'x/as', '--upgrade', 'x/bs', '--upgrade', 'x/cs')
    const held = await world.outdated()
    expect({status: held.status, lines: lines(held.stdout)}).toEqual({
      status: 0,
      lines: [
        'HELD BACK LOCKED SELECTED LATEST',
        'x/cs v2.0.0 v2.0.0 v3.0.0',
        ' x/as:v2.0.0 requires cs.x.example.org/v2, which only other versions satisfy',
        '',
        '3 packages up to date.',
      ],
    })
  })

  it.each(['dot', 'mermaid'])('draws what holds packages back as %s', async format => {
    const world = await locked()
    world.publish()
    writeTree(world.root, prefixed('packages/', owner('v3.0.0', 'cs', 'v3')))
    world.edit('x/app', 'x/app\n- package: x/bs:v1.0.0', 'wanted.yaml')
    const {status, stdout, stderr} = await world.outdated('-o', format)
    expect({status, stderr}).toEqual({status: 1, stderr: ''})
    expectGolden(`outdated.${format}`, stdout)
  })

  it('exits with 7 if the lookup failed, and with a more specific code if there is one', async () => {
    const world = await locked()
    const nowhere = await world.outdated('--lock-file', 'nowhere.lock', '-o', 'json')
    expect({status: nowhere.status, code: codeOf(nowhere.stderr)}).toEqual({status: 7, code: 'not-found'})
    rmSync(world.at('packages/x/cs@v1.0.0'), {recursive: true})
    expect(await world.outdated()).toMatchObject({status: 3, stdout: ''})
  })

  it('shows packages pinned by a tag or range', async () => {
    const world = await locked()
    world.edit('x/app', 'x/app\n- package: x/bs:v1.0.0\n- package: x/as\n  version: ^1.0', 'wanted.yaml')
    await world.lock()
    world.publish()
    const {status, stdout} = await world.outdated()
    expect({status, lines: lines(stdout).slice(1)}).toEqual({
      status: 0,
      lines: [
        'x/cs v1.0.0 v1.0.0 v2.0.0',
        ' x/as:v1.0.0 requires cs.x.example.org/v1, which only other versions satisfy',
        '',
        'PINNED LOCKED SELECTED LATEST',
        'x/as v1.0.0 v1.0.0 v2.0.0',
        ' x/as is requested within ^1.0',
        'x/bs v1.0.0 v1.0.0 v2.0.0',
        ' x/bs:v1.0.0 is requested',
        '',
        '1 package up to date.',
      ],
    })
  })

  it('shows locked packages of which all versions were yanked, also several', async () => {
    const world = await worlds.filled()
    const at = ['--index', world.root]
    const declaration = worlds.path('crossplane-packages.yaml')
    const requested = ['gears', 'wheels']
      .map(name => `- package: ${world.server.host}/team/${name}\n`)
      .join('')
    const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
    writeFileSync(declaration, `${head}packages:\n${requested}`)
    const run = async (verb: string, ...flags: readonly string[]) =>
      await runCli('package', verb, '--declaration', declaration, '--cache-dir', world.cache, ...at, ...flags)
    await done(run('lock'))
    for (const version of ['gears:v1.0.0', 'gears:v2.0.0', 'wheels:v0.1.0']) {
      const name = `${world.server.host}/team/${version}`
      await done(runCli('registry', 'index', 'yank', name, '--reason', 'it leaks', ...at))
    }
    const {status, stdout} = await run('outdated')
    expect({status, lines: lines(stdout)}).toEqual({
      status: 1,
      lines: [
        'YANKED LOCKED SELECTED LATEST',
        `${world.server.host}/team/gears v2.0.0 v2.0.0 -`,
        ' it leaks',
        `${world.server.host}/team/wheels v0.1.0 v0.1.0 -`,
        ' it leaks',
        '',
        '0 packages up to date.',
      ],
    })
  })

  it.each(['json', 'yaml'])('prints %s', async format => {
    const world = await locked()
    world.publish()
    const {stdout} = await world.outdated('-o', format)
    expect(stdout).toContain(format === 'json' ? '"kind": "OutdatedPackages"' : 'kind: OutdatedPackages')
    expect(stdout).toMatch(/"?status"?: "?outdated"?/)
  })

  it.each([
    {format: 'name', want: 'x/as\n'},
    {format: 'jsonpath={.packages[*].status}', want: 'outdated'},
  ])('prints -o $format', async ({format, want}) => {
    const world = await locked()
    world.publish()
    expect((await world.outdated('-o', format)).stdout).toContain(want)
  })
})
