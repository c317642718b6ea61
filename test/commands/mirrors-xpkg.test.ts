import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {installedPackage} from '../fakes/core-answers.js'
import {coreServer} from '../fakes/core-server.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {setVariable} from '../set-variable.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()
const ORIGINAL = 'xpkg.example.org/team'
const metadata = (kind: string, more = '') =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: x}\n${more}`
const requires = (name: string) =>
  `spec: {dependsOn: [{provider: ${ORIGINAL}/${name}, version: ">=v1.0.0"}]}\n`

let mirror: RegistryServer | undefined
let digest = ''
beforeAll(async () => {
  mirror = await startRegistry()
  addXpkg(mirror, 'hub/team/app', 'v1.0.0', metadata('Configuration', requires('base')))
  addXpkg(mirror, 'hub/team/base', 'v1.0.0', metadata('Provider'))
  addXpkg(mirror, 'hub/team/moved', 'v1.1.0', metadata('Provider', 'spec: {}\n'))
  digest = addXpkg(mirror, 'hub/team/base', 'v1.1.0', metadata('Provider', 'spec: {}\n'))
})
afterAll(() => mirror?.close())

it('packages for a current Crossplane and what they require are read from the mirror of their registry', async () => {
  const declaration = join(folder, 'crossplane-packages.yaml')
  writeFileSync(
    declaration,
    `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
registries: {"${ORIGINAL}": "${present(mirror).host}/hub/team"}
packages:
- package: ${ORIGINAL}/app
`,
  )
  const run = (command: string, ...more: readonly string[]) =>
    runCli('package', command, '--declaration', declaration, ...more)
  expect(await run('tree')).toMatchObject({
    status: 0,
    stdout: `Configuration ${ORIGINAL}/app:v1.0.0\n└── Provider ${ORIGINAL}/base:v1.1.0 (>=v1.0.0)\n`,
  })
  expect(await run('lock')).toMatchObject({status: 0})
  const lock = readFileSync(join(folder, 'crossplane-packages.lock'), 'utf8')
  expect(lock).toContain(digest)
  expect(lock).not.toContain(present(mirror).host)
  expect(await run('render')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`prefix: ${ORIGINAL}/base@${digest}`) as unknown,
  })
})

it('--mirror is for packages for a current Crossplane, too, and changes no bytes', async () => {
  const home = mkdtempSync(join(folder, 'home-'))
  const declaration = join(home, 'crossplane-packages.yaml')
  writeFileSync(
    declaration,
    `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: ${ORIGINAL}/app\n`,
  )
  const mirrored = ['--mirror', `${ORIGINAL}=${present(mirror).host}/hub/team`, '--no-cache']
  const run = (command: string, ...more: readonly string[]) =>
    runCli('package', command, '--declaration', declaration, ...mirrored, ...more)
  expect(await run('lock')).toMatchObject({status: 0})
  expect(await run('render', '--locked', '--output-dir', join(home, 'packages'))).toMatchObject({status: 0})
  for (const file of ['crossplane-packages.lock', 'packages'])
    expect(readAll(join(home, file))).not.toContain(present(mirror).host)
  expect(await run('check')).toMatchObject({status: 0})
  expect(await run('outdated')).toMatchObject({status: 0})
  const versions = [`${ORIGINAL}/base:v1.0.0`, `${ORIGINAL}/base:v1.1.0`]
  expect(await runCli('package', 'compare', ...versions, ...mirrored)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(ORIGINAL) as unknown,
  })
  expect(await runCli('package', 'inspect', `${ORIGINAL}/base:v1.1.0`, ...mirrored)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      new RegExp(`Read from +${present(mirror).host}/hub/team/base:v1.1.0@sha256:`),
    ) as unknown,
  })
})

function readAll(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8')
  return readdirSync(path, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

it('Crossplane reads packages from the mirrors of a declaration that says so, with each pin', async () => {
  const declaration = join(folder, 'mirrored.yaml')
  const {host} = present(mirror)
  const text = (source: string, pin: string) => `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
registries: {"${source}": "${host}/hub/team${source.slice(ORIGINAL.length)}"}
xpkg: {mirrors: true, pin: ${pin}}
packages:
- package: ${ORIGINAL}/base
`
  const rewrites = async (source: string, pin: string, ...more: readonly string[]) => {
    writeFileSync(declaration, text(source, pin))
    const {status, stdout, stderr} = await runCli(
      'package',
      'render',
      '--declaration',
      declaration,
      '-o',
      'json',
      ...more,
    )
    expect({status, stderr}).toMatchObject({status: 0})
    const {items} = JSON.parse(stdout) as {items: {kind: string; spec: Record<string, unknown>}[]}
    return items.flatMap(({kind, spec}) => {
      if (kind === 'Deployment') return [JSON.stringify(spec).match(/"image":"([^"]+)"/)?.[1]]
      if (kind !== 'ImageConfig') return []
      const {matchImages, rewriteImage} = spec as {
        matchImages: {prefix: string}[]
        rewriteImage: {prefix: string}
      }
      return matchImages.map(({prefix}) => `${prefix} ${rewriteImage.prefix}`)
    })
  }
  const general = `${ORIGINAL}/ ${host}/hub/team/`
  const pinned = `${host}/hub/team/base@${digest}`
  const pin = `${ORIGINAL}/base:v1.1.0 ${pinned}`
  expect((await rewrites(ORIGINAL, 'config', '--expand')).sort()).toEqual([general, pin, pinned].sort())
  expect(await rewrites(ORIGINAL, 'digest', '--expand')).toEqual([general, pinned])
  expect(await rewrites(ORIGINAL, 'tag', '--expand')).toEqual([general, `${host}/hub/team/base:v1.1.0`])
  const whole = (separator: string) => `${ORIGINAL}/base${separator} ${host}/hub/team/base${separator}`
  expect(await rewrites(`${ORIGINAL}/base`, 'tag')).toEqual([whole(':')])
  expect(await rewrites(`${ORIGINAL}/base`, 'digest')).toEqual([whole('@')])
  const old = await runCli('package', 'render', '--declaration', declaration, '--core-version', 'v1.19.0')
  expect(old).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('xpkg.mirrors requires Crossplane v1.20') as unknown,
  })
})

it.each(['docker.io', 'index.docker.io'])(
  'a mirror of docker.io is for names that begin with %s',
  async name => {
    const declaration = join(folder, `${name}.yaml`)
    const {host} = present(mirror)
    writeFileSync(
      declaration,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
registries: {docker.io: "${host}/hub"}
xpkg: {mirrors: true, pin: tag}
packages:
- package: ${name}/team/base
`,
    )
    const {status, stdout} = await runCli('package', 'render', '--declaration', declaration)
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: expect.stringContaining(`prefix: ${name}/\n`) as unknown,
    })
    expect(stdout).toContain(`prefix: ${host}/hub/\n`)
  },
)

it('mirrors that no package has are warned of', async () => {
  const declaration = join(folder, 'unmirrored.yaml')
  const {host} = present(mirror)
  writeFileSync(
    declaration,
    `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
xpkg: {mirrors: true}
packages:
- package: ${host}/hub/team/base
`,
  )
  const {status, stderr} = await runCli('package', 'render', '--declaration', declaration)
  expect({status, stderr}).toEqual({
    status: 0,
    stderr: expect.stringContaining('[xpkg-no-mirror]') as unknown,
  })
})

describe('a cluster whose packages are read from a mirror', () => {
  const before = process.env.KUBECONFIG
  afterAll(() => {
    setVariable('KUBECONFIG', before)
  })

  const BASE = `${ORIGINAL}/base`
  /** The Provider at v1.1.0, and its revision of v1.0.0 before. */
  async function cluster(): Promise<void> {
    const [request, revision] = installedPackage('Provider', BASE, 'v1.1.0')
    const [, former] = installedPackage('Provider', BASE, 'v1.0.0')
    const metadata = {...present(former).metadata, name: 'team-base-0', uid: 'uid-0'}
    const spec = {...(present(former).spec as object), desiredState: 'Inactive', revision: 0}
    process.env.KUBECONFIG = join(mkdtempSync(join(folder, 'cluster-')), 'kubeconfig')
    const entry = {name: 'team-base-1', source: BASE, version: 'v1.1.0', dependencies: []}
    const lock = {
      ...{
        apiVersion: 'pkg.crossplane.io/v1beta1',
        kind: 'Lock',
        metadata: {name: 'lock', resourceVersion: '1'},
      },
      packages: [{apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', ...entry}],
    }
    const objects = [present(request), present(revision), {...present(former), metadata, spec}, lock]
    writeFileSync(process.env.KUBECONFIG, await coreServer(objects))
  }
  const PLAN = ['--dry-run=client', '--adopt', '--force-conflicts', '-o', 'json']

  it.each([
    {command: ['install', `${ORIGINAL}/app:v1.0.0`, ...PLAN, '--core-version', 'v2.3.4']},
    {command: ['upgrade', `${BASE}:v1.0.0`, ...PLAN, '--core-version', 'v2.3.4']},
    {command: ['rollback', 'team-base', ...PLAN, '--core-version', 'v2.3.4']},
    // It exits with 1 for differences.
    {command: ['diff', `${BASE}:v1.0.0`, '--adopt', '--core-version', 'v2.3.4', '-o', 'json'], want: 1},
    {command: ['outdated', '--installed', '-o', 'json']},
    {command: ['import', '--dry-run', '--core-version', 'v2.3.4']},
    {
      command: [
        'move',
        BASE,
        `${ORIGINAL}/moved`,
        '--dry-run=client',
        '--core-version',
        'v2.3.4',
        '-o',
        'json',
      ],
    },
  ])(
    'is planned with it, and its objects do not have it: package $command.0',
    async ({command, want = 0}) => {
      await cluster()
      const server = present(mirror)
      const seen = server.seen.length
      const home = mkdtempSync(join(folder, 'empty-'))
      const flags = ['--mirror', `${ORIGINAL}=${server.host}/hub/team`, '--no-cache']
      const declaration = command[0] === 'import' ? ['--declaration', join(home, 'new.yaml')] : []
      const {status, stdout, stderr} = await runCli('package', ...command, ...declaration, ...flags)
      expect({status, stderr: status === want ? '' : stderr}).toEqual({status: want, stderr: ''})
      expect(stdout).not.toContain(server.host)
      expect(server.seen.length).toBeGreaterThan(seen)
    },
  )
})
