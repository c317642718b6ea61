import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, describe, expect, it} from '@jest/globals'
import {at, status as answerOf} from '../registry/faults.js'
import {startFaulty} from '../fakes/faulty-registry.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {owner} from './locked-world.js'

const folder = temporaryFolder()
const running: {close(): Promise<void>}[] = []
afterEach(() => Promise.all(running.splice(0).map(each => each.close())))

const DECLARATION = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'

function configuration(...requirements: readonly (readonly [string, string])[]): string {
  const head = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: c}\n'
  const entries = requirements.map(
    ([name, version]) => `  - {configuration: ${name}, version: '${version}'}\n`,
  )
  return entries.length === 0 ? head : `${head}spec:\n  dependsOn:\n${entries.join('')}`
}

/** A folder of packages, `PATH@VERSION` below registry.example.org, and a declaration. */
function packagesOf(packages: Readonly<Record<string, string>>, ...entries: readonly string[]): string {
  const root = mkdtempSync(join(folder, 'case-'))
  const files = Object.entries(packages).map(
    ([name, text]) => [`packages/${name}/crossplane.yaml`, text] as const,
  )
  const list = entries.map(entry => `- ${entry}\n`).join('')
  return writeTree(root, {
    ...Object.fromEntries(files),
    'crossplane-packages.yaml': `${DECLARATION}packages:\n${list}`,
  })
}

const declared = (root: string) => [
  ...['--declaration', join(root, 'crossplane-packages.yaml')],
  ...['--packages', join(root, 'packages')],
]
const LIB = 'registry.example.org/team/lib'
const WORLD = {
  'team/lib@v1.0.0': configuration(),
  'team/lib@v2.0.0': configuration(),
  'team/lib@v3.0.0-rc.1': configuration(),
  'team/app@v1.0.0': configuration([LIB, '>=v2.0.0']),
}
const APP = 'package: registry.example.org/team/app:v1.0.0'

async function registry(): Promise<RegistryServer> {
  const server = await startRegistry()
  running.push(server)
  return server
}

async function push(host: string, name: string, text: string): Promise<void> {
  const source = writeTree(mkdtempSync(join(folder, 'source-')), {'crossplane.yaml': text})
  const {status, stderr} = await runCli('package', 'push', `${host}/${name}`, source, '--no-lint')
  expect({status, errors: status === 0 ? '' : stderr}).toEqual({status: 0, errors: ''})
}

describe('a resolution that fails', () => {
  it('names a pin with its line, and the versions that exist', async () => {
    const root = packagesOf(WORLD, APP, `package: ${LIB}:v1.0.0`)
    const {status, stderr} = await runCli('package', 'tree', ...declared(root))
    expect(status).toBe(3)
    expect(stderr).toContain(`crossplane-packages.yaml:5: ${LIB} v1.0.0 was requested`)
    expect(stderr).toContain(`requires ${LIB} >=v2.0.0; satisfied by v2.0.0`)
  })

  it('names all missing packages, also of the folder in which it runs', async () => {
    const {host} = await registry()
    const names = [`${host}/none/a`, `${host}/none/b`]
    const text = configuration(...names.map(name => [name, '>=v1.0.0'] as const))
    const root = writeTree(mkdtempSync(join(folder, 'here-')), {'crossplane.yaml': text})
    const before = process.cwd()
    process.chdir(root)
    try {
      for (const here of ['.', './']) {
        const {status, stderr} = await runCli('package', 'tree', here)
        expect(status).toBe(3)
        for (const name of names) expect(stderr).toContain(`requires ${name} >=v1.0.0`)
      }
    } finally {
      process.chdir(before)
    }
  })

  it('explains that a constraint without a prerelease accepts none', async () => {
    const root = packagesOf(WORLD, APP, `package: ${LIB}:v3.0.0-rc.1`)
    const {stderr} = await runCli('package', 'tree', ...declared(root))
    expect(stderr).toContain(
      'satisfied by v2.0.0; v3.0.0-rc.1 is a prerelease, which a constraint without one does not accept',
    )
  })

  it('names the lock that alone is read', async () => {
    const root = packagesOf({...WORLD, 'team/app@v1.0.0': configuration([LIB, '>=v1.0.0'])}, APP)
    const lock = ['--lock-file', join(root, 'crossplane-packages.lock')]
    await runCli('package', 'lock', ...declared(root), ...lock)
    writeTree(root, {'packages/team/app@v2.0.0/crossplane.yaml': configuration([LIB, '>=v3.0.0'])})
    writeTree(root, {
      'crossplane-packages.yaml': `${DECLARATION}packages:\n- package: registry.example.org/team/app:v2.0.0\n`,
    })
    const {status, stderr} = await runCli('package', 'tree', ...declared(root), ...lock, '--locked')
    expect(status).not.toBe(0)
    expect(stderr).toMatch(/only the lock \S*crossplane-packages\.lock is read, which has v1\.0\.0/)
  })

  it('reports all missing packages at once', async () => {
    const server = await registry()
    const {host} = server
    await push(host, 'acme/sql:v1.0.0', configuration())
    const root = writeTree(mkdtempSync(join(folder, 'missing-')), {
      'crossplane.yaml': configuration(
        [`${host}/none/a`, '>=v1.0.0'],
        [`${host}/none/b`, '>=v1.0.0'],
        [`${host}/none/c`, 'v0.2.0'],
        [`${host}/acme/sql`, '>=v9.0.0'],
      ),
    })
    const {status, stderr} = await runCli('package', 'tree', root)
    expect(status).toBe(3)
    for (const name of ['none/a', 'none/b', 'none/c'])
      expect(stderr).toMatch(new RegExp(`requires ${host}/${name} .*; it cannot be read: .*not found`))
    expect(stderr).toContain(`requires ${host}/acme/sql >=v9.0.0; no version satisfies it: it has v1.0.0`)
  })

  it('reports all misspelled packages at once, beside those that exist', async () => {
    const server = await registry()
    await push(server.host, 'team/lib:v1.0.0', configuration())
    const meta = configuration(
      ['ghcr.io/MyOrg/Provider-X', '>=v1.0.0'],
      [`'${server.host}/team/b '`, '>=v1.0.0'],
      [`${server.host}/team/lib`, '>=v1.0.0'],
    )
    const {status, stderr} = await runCli(
      'package',
      'tree',
      writeTree(mkdtempSync(join(folder, 'case-')), {'crossplane.yaml': meta}),
    )
    expect(status).toBe(3)
    expect(stderr).toContain('"ghcr.io/MyOrg/Provider-X": repositories are lowercase')
    expect(stderr).toContain(`invalid package reference "${server.host}/team/b ": it has a blank`)
  })

  it('reports all missing packages of a declaration at once, with their lines', async () => {
    const {host} = await registry()
    const entries = ['none/a:v1.0.0', 'none/b'].map(path => `package: ${host}/${path}`)
    const root = packagesOf({}, ...entries, 'package: registry.example.org/team/lib:v1.0.0')
    writeTree(root, {'packages/team/lib@v1.0.0/crossplane.yaml': configuration()})
    const {status, stderr} = await runCli('package', 'lock', ...declared(root))
    expect(status).toBe(1)
    expect(stderr).toContain('Error: cannot read 2 packages\n')
    for (const [line, path] of [
      [4, 'none/a'],
      [5, 'none/b'],
    ])
      expect(stderr).toMatch(new RegExp(`crossplane-packages.yaml:${line}: .*${host}/${path}`))
  })

  it.each([401, 403])('reports all packages that may not be read (%s)', async code => {
    const {host} = await registry()
    const faulty = await startFaulty(host, at({path: /\/none\//}, answerOf(code)))
    running.push(faulty)
    const names = ['a', 'b', 'c'].map(name => `${faulty.host}/none/${name}`)
    const root = writeTree(mkdtempSync(join(folder, 'denied-')), {
      'crossplane.yaml': configuration(...names.map(name => [name, '>=v1.0.0'] as const)),
    })
    const {status, stderr} = await runCli('package', 'tree', root)
    expect({status, named: names.filter(name => stderr.includes(`requires ${name} `))}).toEqual({
      status: 1,
      named: names,
    })
  })

  it('names the mirror that has no tags', async () => {
    const {host} = await registry()
    const tags = answerOf(200, {'content-type': 'application/json'}, '{"name":"x","tags":[]}')
    const faulty = await startFaulty(host, at({path: /tags\/list$/}, tags))
    running.push(faulty)
    const root = packagesOf(WORLD, APP)
    writeTree(root, {
      'crossplane-packages.yaml': `${DECLARATION}registries: {other.example.org: ${faulty.host}/hub}\npackages:\n- ${APP}\n`,
      'packages/team/app@v1.0.0/crossplane.yaml': configuration(['other.example.org/a', '>=v1.0.0']),
    })
    const {stderr} = await runCli('package', 'tree', ...declared(root))
    expect(stderr).toContain(`it has no tags; it is read from its mirror ${faulty.host}/hub/a`)
  })
})

describe('render --no-dependencies', () => {
  it('renders a package for a current Crossplane alone, whatever it requires', async () => {
    const {host} = await registry()
    await push(host, 'acme/app:v1.0.0', configuration([`${host}/none/a`, '>=v1.0.0']))
    const reference = `${host}/acme/app:v1.0.0`
    const {status, stdout} = await runCli('package', 'render', reference, '--no-dependencies', '-o', 'name')
    expect({status, kinds: stdout.match(/^configuration\S*/gm)}).toEqual({
      status: 0,
      kinds: [expect.stringContaining('acme-app')],
    })
    expect(await runCli('package', 'render', reference)).toMatchObject({status: 3})
  })
})

describe('a newest version of a package of Crossplane v0.12 that cannot be read', () => {
  const ENTRY = '{package: x/as, namespace: team}'
  const world = () => {
    const root = packagesOf({}, ENTRY)
    for (const tag of ['v1.0.0', 'v2.0.0']) writeTree(join(root, 'packages'), owner(tag, 'as', 'v1'))
    return root
  }
  const damage = (root: string) =>
    writeTree(join(root, 'packages'), {
      'x/as@v2.0.0/.registry/resources/role.yaml':
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: x}\n',
      'x/as@v2.0.0/.registry/app.yaml': 'title: [\n',
    })

  it('is passed over with a warning that has its errors', async () => {
    const root = world()
    damage(root)
    const {status, stderr} = await runCli('package', 'tree', ...declared(root))
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringMatching(/Warning: x\/as:v2\.0\.0 was not considered: .*app\.yaml:\d+: /),
    })
  })

  it('is an error where the lock names it', async () => {
    const root = world()
    const lock = ['--lock-file', join(root, 'crossplane-packages.lock')]
    expect(await runCli('package', 'lock', ...declared(root), ...lock)).toMatchObject({status: 0})
    damage(root)
    const {status, stderr} = await runCli('package', 'lock', ...declared(root), ...lock)
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringMatching(/x\/as:v2\.0\.0/)})
  })
})

describe('a newest version that cannot be read', () => {
  const BROKEN = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n'

  async function world(...entries: readonly string[]): Promise<string> {
    const root = packagesOf({...WORLD, 'team/lib@v2.5.0': configuration()}, ...entries)
    writeTree(root, {'packages/team/lib@v2.5.0/crossplane.yaml': `${configuration()}---\n${BROKEN}`})
    return await Promise.resolve(root)
  }

  it('is passed over with a warning that names it and why', async () => {
    const {status, stderr} = await runCli('package', 'tree', ...declared(await world(APP)))
    expect(status).toBe(0)
    expect(stderr).toMatch(
      /Warning: registry\.example\.org\/team\/lib:v2\.5\.0 was passed over, and v2\.0\.0 is selected: .*ConfigMap/,
    )
  })

  it('is an error where the user names it, with its errors', async () => {
    const {status, stderr} = await runCli(
      'package',
      'tree',
      ...declared(await world(APP, `package: ${LIB}:v2.5.0`)),
    )
    expect(status).not.toBe(0)
    expect(stderr).toContain('ConfigMap')
  })

  it('is named by outdated', async () => {
    const root = packagesOf(WORLD, APP)
    const lock = ['--lock-file', join(root, 'crossplane-packages.lock')]
    expect(await runCli('package', 'lock', ...declared(root), ...lock)).toMatchObject({status: 0})
    writeTree(root, {'packages/team/lib@v2.5.0/crossplane.yaml': `${configuration()}---\n${BROKEN}`})
    const {stdout} = await runCli('package', 'outdated', ...declared(root), ...lock, '-o', 'json')
    expect(stdout).toMatch(/team\/lib:v2\.5\.0 cannot be selected: .*ConfigMap/)
  })

  it('is an error where the lock names it', async () => {
    const root = packagesOf({...WORLD, 'team/lib@v2.5.0': configuration()}, APP)
    const lock = ['--lock-file', join(root, 'crossplane-packages.lock')]
    expect(await runCli('package', 'lock', ...declared(root), ...lock)).toMatchObject({status: 0})
    writeTree(root, {'packages/team/lib@v2.5.0/crossplane.yaml': `${configuration()}---\n${BROKEN}`})
    const {status, stderr} = await runCli('package', 'lock', ...declared(root), ...lock)
    expect(status).toBe(1)
    expect(stderr).toMatch(/cannot read registry\.example\.org\/team\/lib:v2\.5\.0 of the lock/)
  })

  it('leaves a message with its errors where no other version is left', async () => {
    const root = packagesOf({'team/app@v1.0.0': WORLD['team/app@v1.0.0']}, APP)
    writeTree(root, {'packages/team/lib@v2.5.0/crossplane.yaml': `${configuration()}---\n${BROKEN}`})
    const {status, stderr} = await runCli('package', 'tree', ...declared(root))
    expect(status).toBe(3)
    expect(stderr).toMatch(/no version satisfies it: .*ConfigMap/)
  })
})
