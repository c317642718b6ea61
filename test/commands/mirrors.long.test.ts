import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {generateKeyPairSync} from 'node:crypto'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {allCommands} from '../cli/shell/all-commands.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {codeOf, owner} from './locked-world.js'

const folder = temporaryFolder()
const CONTROLLER = `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller}
spec: {template: {spec: {containers: [{name: controller}]}}}
`
const ACCOUNT = {username: 'anna', password: 'opens the mirror'}

let [registry, mirror]: (RegistryServer | undefined)[] = []
beforeAll(async () => {
  registry = await startRegistry()
  mirror = await startRegistry({demand: {kind: 'basic', ...ACCOUNT}})
  const auth = Buffer.from(`${ACCOUNT.username}:${ACCOUNT.password}`).toString('base64')
  const auths = {[mirror.host]: {auth}}
  process.env.REGISTRY_AUTH_FILE = join(
    writeTree(folder, {'auth.json': JSON.stringify({auths})}),
    'auth.json',
  )
  await push(`${registry.host}/team/as:v1.0.0`, 'v1')
  await push(`${mirror.host}/hub/team/as:v1.0.0`, 'v1')
  // Only the original has a newer one, and they disagree on what v0.9.0 is.
  await push(`${registry.host}/team/as:v2.0.0`, 'v1')
  await push(`${registry.host}/team/as:v0.9.0`, 'v1')
  await push(`${mirror.host}/hub/team/as:v0.9.0`, 'v2')
})
afterAll(async () => {
  delete process.env.REGISTRY_AUTH_FILE
  await Promise.all([registry?.close(), mirror?.close()])
})

/** Pushes a package that serves its CRD in that version, and runs an image that has the name of the package. */
async function push(reference: string, version: string): Promise<void> {
  const tag = reference.slice(reference.lastIndexOf(':') + 1)
  const source = writeTree(mkdtempSync(join(folder, 'source-')), {
    ...owner(tag, 'as', version),
    [`x/as@${tag}/.registry/install.yaml`]: CONTROLLER,
  })
  const {status, stderr} = await runCli(
    ...['package', 'push', reference, join(source, `x/as@${tag}`), '--no-lint'],
  )
  expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
}

async function succeeded(...args: readonly string[]) {
  const result = await runCli(...args)
  expect(result).toMatchObject({status: 0})
  return result
}

const host = () => present(registry).host
const mirrored = () => `registries: {"${host()}/team": "${present(mirror).host}/hub/team"}\n`

/** A declaration of the package, with a lock beside it once that is written. */
function declared(tag: string, more = ''): string {
  const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
  const text = `${head}${more}packages:\n- package: ${host()}/team/as${tag}\n`
  return join(writeTree(mkdtempSync(join(folder, 'declared-')), {'wanted.yaml': text}), 'wanted.yaml')
}

const cache = () => ['--cache-dir', mkdtempSync(join(folder, 'cache-'))]
const run = (command: string, declaration: string, ...args: readonly string[]) =>
  runCli('package', command, '--declaration', declaration, ...args)

/** What was asked of either since, by method and path. */
async function asked(act: () => Promise<void>): Promise<{registry: string[]; mirror: string[]}> {
  const before = [present(registry).seen.length, present(mirror).seen.length]
  await act()
  const [own, other] = [present(registry), present(mirror)].map((server, index) =>
    server.seen.slice(before[index]).map(({method, path}) => `${method} ${path}`),
  )
  return {registry: own ?? [], mirror: other ?? []}
}

describe('a registry with a mirror', () => {
  it('is not contacted, and keeps its package names: objects and lock are the same bytes', async () => {
    const [plain, other] = [declared(':v1.0.0'), declared(':v1.0.0', mirrored())]
    const want = await run('render', plain, '--no-cache')
    expect(want).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`image: ${host()}/team/as:v1.0.0@sha256:`),
    })
    await run('lock', plain, '--no-cache')
    const requests = await asked(async () => {
      expect((await run('render', other, '--no-cache')).stdout).toBe(want.stdout)
      expect(await run('lock', other, '--no-cache')).toMatchObject({status: 0})
      expect(await run('tree', other, '--no-cache')).toMatchObject({status: 0})
      expect(await run('why', other, `${host()}/team/as`, '--no-cache')).toMatchObject({status: 0})
      expect(await run('outdated', other, '--no-cache')).toMatchObject({status: 0})
      expect((await run('render', other, '--locked', '--no-cache')).stdout).toBe(want.stdout)
    })
    expect(readFileSync(other.replace('.yaml', '.lock'), 'utf8')).toBe(
      readFileSync(plain.replace('.yaml', '.lock'), 'utf8'),
    )
    expect(requests.registry).toEqual([])
    expect(requests.mirror).toContain('HEAD /v2/hub/team/as/manifests/v1.0.0')
  })

  it('has the packages of both sides of a comparison', async () => {
    const file = declared(':v0.9.0', mirrored())
    await run('lock', file, '--no-cache')
    writeFileSync(file, readFileSync(file, 'utf8').replace('as:v0.9.0', 'as'))
    const requests = await asked(async () => {
      const {stdout} = await runCli('package', 'compare', file, '--no-cache', '-o', 'json')
      expect(JSON.parse(stdout)).toMatchObject({
        packages: [{package: `${host()}/team/as`, before: 'v0.9.0', after: 'v1.0.0'}],
      })
    })
    expect(requests.registry).toEqual([])
  })

  it('has the indexes of its mirror, under its own name', async () => {
    const source = writeTree(mkdtempSync(join(folder, 'source-')), owner('v1.5.0', 'bs', 'v1'))
    const there = `${present(mirror).host}/hub/team`
    await succeeded(
      ...['package', 'push', `${there}/bs:v1.5.0`, join(source, 'x/bs@v1.5.0'), '--no-lint'],
      ...['--index', `${there}/index`],
    )
    // The index says where its entries were published, and a mirror has the same bytes.
    const exported = await succeeded('registry', 'index', 'export', '--index', `${there}/index`, '--no-cache')
    const file = join(writeTree(mkdtempSync(join(folder, 'index-')), {'index.jsonl': ''}), 'index.jsonl')
    writeFileSync(file, exported.stdout.replaceAll(there, `${host()}/team`))
    await succeeded('registry', 'index', 'import', file, '--index', `${there}/names`)
    const requested = declared(':v1.0.0', `${mirrored()}indexes: ["${host()}/team/names"]\n`)
    const text = readFileSync(requested, 'utf8').replace(/- package: .*/, '- crd: bs.x.example.org')
    writeFileSync(requested, text)
    const requests = await asked(async () => {
      const {stdout} = await run('tree', requested, '--no-cache')
      expect(stdout).toContain(`${host()}/team/bs`)
      const index = ['--index', `${host()}/team/names`, '--mirror', HUB(), '--no-cache']
      const provided = await succeeded('package', 'provides', 'bs.x.example.org', ...index)
      expect(provided.stdout).toContain(`${host()}/team/bs`)
    })
    expect(requests.registry).toEqual([])
  })

  it('has the tags of its mirror', async () => {
    const {stdout} = await run('tree', declared('', mirrored()), '--no-cache', '-o', 'json')
    expect(stdout).toContain(`${host()}/team/as`)
    expect(stdout).toContain('v1.0.0')
    expect(stdout).not.toContain('v2.0.0')
  })

  it('has its own tags in the cache', async () => {
    const [plain, other, kept] = [declared(':v0.9.0'), declared(':v0.9.0', mirrored()), cache()]
    const fromRegistry = await run('render', plain, ...kept)
    const none = await run('render', other, ...kept, '--offline', '-o', 'json')
    expect({status: none.status, stdout: none.stdout, code: codeOf(none.stderr)}).toEqual({
      status: 1,
      stdout: '',
      code: 'offline',
    })
    // What it says to do helps: the mirror is one by its own name, too.
    const copy = `${present(mirror).host}/hub/team/as:v0.9.0`
    expect(none.stderr).toContain(`package pull ${copy}`)
    expect(await runCli('package', 'pull', copy, ...kept)).toMatchObject({status: 0})
    const offline = await run('render', other, ...kept, '--offline')
    expect([fromRegistry.status, offline.status]).toEqual([0, 0])
    expect(offline.stdout).not.toBe(fromRegistry.stdout)
    expect((await run('render', plain, ...kept, '--offline')).stdout).toBe(fromRegistry.stdout)
    expect((await run('render', other, ...kept)).stdout).toBe(offline.stdout)
  })

  it('is locked by the digest from its mirror: other bytes are rejected', async () => {
    const {stdout} = await run('render', declared(':v0.9.0'), '--no-cache')
    const [digest = ''] = /@sha256:[0-9a-f]{64}/.exec(stdout) ?? []
    const {status, stderr} = await run('render', declared(digest, mirrored()), '--no-cache', '-o', 'json')
    expect({status, code: codeOf(stderr)}).toEqual({status: 1, code: 'not-found'})
  })

  it.each([
    {reason: 'a tag that it lacks', tag: ':v2.0.0', code: 'not-found'},
    {reason: 'a user without permission', tag: ':v1.0.0', code: 'access-denied', auth: 'nobody.json'},
  ])('is named with its mirror on failure: $reason', async ({tag, code, auth}) => {
    const before = present(process.env.REGISTRY_AUTH_FILE)
    if (auth !== undefined) {
      process.env.REGISTRY_AUTH_FILE = join(folder, auth)
      writeFileSync(join(folder, auth), '{}')
    }
    const {stderr} = await run('render', declared(tag, mirrored()), '--no-cache', '-o', 'json').finally(
      () => {
        process.env.REGISTRY_AUTH_FILE = before
      },
    )
    expect(codeOf(stderr)).toBe(code)
    const {message} = JSON.parse(stderr.slice(stderr.search(/^\{/m))) as {message: string}
    const where = `(read from the mirror ${present(mirror).host}/hub/team/as`
    expect(message).toContain(`${where} of ${host()}/team/as${tag})`)
  })
})

const HUB = () => `${host()}/team=${present(mirror).host}/hub/team`

/** Runs in a folder, as a user would in a home. */
async function inFolder<T>(path: string, act: () => Promise<T>): Promise<T> {
  const before = process.cwd()
  process.chdir(path)
  return await act().finally(() => process.chdir(before))
}

describe.each([
  {reason: '--mirror', flags: () => ['--mirror', HUB()], home: ''},
  {
    reason: 'a longer one among --mirror',
    flags: () => ['--mirror', HUB(), '--mirror', `${host()}=localhost:1`],
    home: '',
  },
  {
    reason: '--mirror before the declaration',
    flags: () => ['--mirror', HUB()],
    home: () => `registries: {"${host()}": localhost:1, "${host()}/team/as": "localhost:1/no"}\n`,
  },
  {reason: 'the declaration of the working folder', flags: () => [], home: mirrored},
])('a package by its name, with $reason', ({flags, home}) => {
  const reads = async (...args: readonly string[]) => {
    const declaration = typeof home === 'string' ? undefined : declared(':v1.0.0', home())
    const place =
      declaration === undefined
        ? folder
        : writeTree(mkdtempSync(join(folder, 'home-')), {
            'crossplane-packages.yaml': readFileSync(declaration, 'utf8'),
          })
    const requests = await inFolder(
      place,
      async () =>
        await asked(async () => {
          await succeeded(...args, `${host()}/team/as`, '--no-cache', ...flags())
        }),
    )
    expect(requests.registry).toEqual([])
    expect(requests.mirror.length).toBeGreaterThan(0)
  }

  it.each([
    {command: ['package', 'versions']},
    {command: ['package', 'inspect']},
    {command: ['package', 'lint']},
    {command: ['package', 'render']},
    {command: ['package', 'tree']},
    {command: ['package', 'pull']},
    {command: ['bundle', 'create']},
  ])('is read from the mirror by $command', async ({command}) => {
    const isBundle = command[0] === 'bundle'
    await reads(
      ...command,
      ...(isBundle ? ['--output', join(mkdtempSync(join(folder, 'bundle-')), 'all.tar')] : []),
    )
  })
})

describe('--mirror', () => {
  it('is obeyed by what reads the packages of a lock', async () => {
    const declaration = declared(':v1.0.0')
    const throughMirror = ['--mirror', HUB(), '--no-cache']
    expect(await run('lock', declaration, ...throughMirror)).toMatchObject({status: 0})
    const requests = await asked(async () => {
      expect(await run('why', declaration, `${host()}/team/as`, ...throughMirror)).toMatchObject({status: 0})
      expect(await run('outdated', declaration, ...throughMirror)).toMatchObject({status: 0})
      expect(
        await run('lock', declaration, '--upgrade', `${host()}/team/as`, ...throughMirror),
      ).toMatchObject({status: 0})
      expect(await run('render', declaration, '--locked', ...throughMirror)).toMatchObject({status: 0})
    })
    expect(requests.registry).toEqual([])
    expect(requests.mirror.length).toBeGreaterThan(0)
  })

  it('is taken by every command that reads packages', async () => {
    const names = (await allCommands()).map(({id, flags}) => ({id, flags: flags.map(([name]) => name)}))
    const readers = names.filter(({flags}) => flags.includes('cache-dir') && flags.includes('platform'))
    expect(readers.length).toBeGreaterThan(20)
    expect(readers.filter(({flags}) => !flags.includes('mirror')).map(({id}) => id)).toEqual([])
  })

  it('is obeyed by what compares files, packages and the content of packages', async () => {
    const declaration = declared(':v1.0.0')
    const home = dirname(declaration)
    const throughMirror = ['--mirror', HUB(), '--no-cache']
    const key = join(home, 'key.pem')
    writeFileSync(key, generateKeyPairSync('ed25519').publicKey.export({type: 'spki', format: 'pem'}))
    const reference = (tag: string) => `${host()}/team/as:${tag}`
    const requests = await asked(async () => {
      await succeeded('package', 'lock', '--declaration', declaration, ...throughMirror)
      const tree = ['--output-dir', join(home, 'packages'), '--locked', ...throughMirror]
      await succeeded('package', 'render', '--declaration', declaration, ...tree)
      await succeeded('package', 'check', '--declaration', declaration, ...throughMirror)
      const compared = ['compare', reference('v0.9.0'), reference('v1.0.0'), ...throughMirror]
      expect(await runCli('package', ...compared)).toMatchObject({status: 1})
      const to = [join(home, 'translated'), '--target', 'registry.example.org/team/as:v1.0.0']
      await succeeded('package', 'translate', reference('v1.0.0'), ...to, ...throughMirror)
      const index = ['--index', `${present(mirror).host}/hub/rebuilt`, ...throughMirror]
      await succeeded('registry', 'index', 'add', reference('v1.0.0'), ...index)
      const {stdout} = await succeeded('registry', 'index', 'rebuild', `${host()}/team/as`, ...index)
      expect(stdout).toContain(`${host()}/team/as:v0.9.0@`)
      const verified = ['verify', reference('v1.0.0'), '--key', key, ...throughMirror]
      expect(await runCli('package', ...verified)).toMatchObject({status: 4})
    })
    expect(requests.registry).toEqual([])
  })

  it('is transport only: objects and lock are the same bytes', async () => {
    const [plain, other] = [declared(':v1.0.0'), declared(':v1.0.0')]
    const want = await run('render', plain, '--no-cache')
    expect((await run('render', other, '--no-cache', '--mirror', HUB())).stdout).toBe(want.stdout)
    await run('lock', plain, '--no-cache')
    expect(await run('lock', other, '--no-cache', '--mirror', HUB())).toMatchObject({status: 0})
    const [locked, want2] = [other, plain].map(path => readFileSync(path.replace('.yaml', '.lock'), 'utf8'))
    expect(locked).toBe(want2)
  })

  it('is an environment variable, too, which names both in what was pulled', async () => {
    process.env.CROSSPLANE_MIRRORS = `${HUB()}, xpkg.example.org=localhost:1`
    try {
      await succeeded('package', 'pull', `${host()}/team/as:v1.0.0`, ...cache())
      const {stderr: said} = await succeeded('package', 'render', `${host()}/team/as:v1.0.0`, ...cache())
      expect(said).toMatch(/^Pulled \S+\/team\/as:v1.0.0@sha256:\S+ from \S+\/hub\/team\/as$/m)
    } finally {
      delete process.env.CROSSPLANE_MIRRORS
    }
  })

  it.each([
    {reason: 'no second part', in: ['a.example.org'], want: 'invalid --mirror "a.example.org"'},
    {
      reason: 'three parts',
      in: ['a.example.org=b.example.org=c'],
      want: 'invalid --mirror "a.example.org=b.example.org=c"',
    },
    {
      reason: 'a tag',
      in: ['a.example.org=b.example.org/x:v1'],
      want: 'invalid --mirror "a.example.org=b.example.org/x:v1"',
    },
    {
      reason: 'two for one registry',
      in: ['a.example.org=b.example.org', 'a.example.org/=c.example.org'],
      want: '--mirror names two mirrors of a.example.org: b.example.org and c.example.org',
    },
  ])('is rejected: $reason', async ({in: given, want}) => {
    const mirrors = given.flatMap(text => ['--mirror', text])
    const {status, stderr} = await runCli('package', 'versions', 'a.example.org/x', ...mirrors)
    expect({status, stderr: stderr.split('\n')[0]}).toEqual({status: 2, stderr: `Error: ${want}`})
  })

  it('does without the mirrors of a declaration that cannot be read, and says so', async () => {
    const home = writeTree(mkdtempSync(join(folder, 'home-')), {'crossplane-packages.yaml': 'kind: [\n'})
    const {status, stderr} = await inFolder(
      home,
      async () => await runCli('package', 'versions', `${host()}/team/as`, '--no-cache'),
    )
    expect(status).toBe(0)
    expect(stderr).toMatch(
      /^Warning: packages are read without the mirrors of the declaration: .*crossplane-packages.yaml.* \[declaration-unread\]$/m,
    )
  })

  it('says so once', async () => {
    const home = writeTree(mkdtempSync(join(folder, 'home-')), {
      'crossplane-packages.yaml': 'kind: [\n',
      'package/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: x\nspec: {}\n',
    })
    const {stderr} = await inFolder(home, async () => await runCli('package', 'render', './package'))
    expect(stderr.match(/declaration-unread/g)).toHaveLength(1)
  })
})
