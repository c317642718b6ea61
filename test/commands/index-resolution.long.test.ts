import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {type CliResult, runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {codeOf, owner, rulesIn} from './locked-world.js'

const folder = temporaryFolder()
let server: RegistryServer | undefined
beforeAll(async () => {
  server = await startRegistry({pageSize: 2, keepsTags: true})
})
afterAll(() => server?.close())

const host = () => present(server).host
const cache = () => ['--cache-dir', mkdtempSync(join(folder, 'cache-'))]

async function succeeded(...args: readonly string[]): Promise<CliResult> {
  const result = await runCli(...args)
  expect({status: result.status, stderr: result.status === 0 ? '' : result.stderr}).toEqual({
    status: 0,
    stderr: '',
  })
  return result
}

/** Pushes a package that owns `as.x.example.org` in one version, and adds it to an index of this name. */
async function publish(index: string, reference: string, served: string, title = 'Test'): Promise<string> {
  const tag = reference.slice(reference.lastIndexOf(':') + 1)
  const source = mkdtempSync(join(folder, 'source-'))
  const files = owner(tag, 'as', served)
  const app = `x/as@${tag}/.registry/app.yaml`
  writeTree(source, {...files, [app]: (files[app] ?? '').replace('Test', title)})
  const {stdout} = await succeeded(
    ...['package', 'push', `${host()}/${reference}`, join(source, `x/as@${tag}`), '--no-lint', '--force'],
    ...['--index', `${host()}/${index}`],
  )
  return stdout.trim()
}

/** An application of our own in a folder, that needs something. */
function application(need: string): string {
  return writeTree(mkdtempSync(join(folder, 'app-')), {
    '.registry/app.yaml': `version: v1.0.0\ntitle: Test\npermissionScope: Cluster\ndependsOn:\n- ${need}\n`,
  })
}

interface Node {
  readonly met: {readonly package?: string; readonly tag?: string}
  readonly needs: readonly Node[]
}

/** What satisfies the requirement of an application, with its notes; or the code and rules of an error. */
async function met(index: string, need: string, ...flags: readonly string[]) {
  const {status, stdout, stderr} = await runCli(
    ...['package', 'tree', application(need), '--as-package', 'example/app:v1.0.0', '-o', 'json'],
    ...['--index', `${host()}/${index}`, ...flags],
  )
  if (status !== 0) return {status, code: codeOf(stderr), rules: rulesOf(stderr)}
  const {roots, notes} = JSON.parse(stdout) as {roots: Node[]; notes: {rule: string}[]}
  const [node] = roots.flatMap(({needs}) => needs)
  const by = `${node?.met.package ?? ''}:${node?.met.tag ?? ''}`.replace(`${host()}/`, '')
  return {status, by, rules: notes.map(({rule}) => rule)}
}

const rulesOf = (stderr: string) =>
  (JSON.parse(stderr.slice(stderr.search(/^\{/m))) as {faults: {rule: string}[]}).faults.map(({rule}) => rule)

describe('a required CRD is found in an index of a registry', () => {
  beforeAll(async () => {
    for (const tag of ['v1.0.0', 'v1.1.0', 'v2.0.0']) await publish('plain', `x/as:${tag}`, 'v1')
  })

  it.each([
    {name: 'an exact kind', in: 'crd: as.x.example.org/v1'},
    {name: 'a wildcard', in: 'crd: "*.x.example.org"'},
    {name: 'a package', in: () => `package: ${host()}/x/as`},
  ])('$name', async ({in: need}) => {
    const answer = await met('plain', typeof need === 'string' ? need : need(), '--no-cache')
    expect(answer).toMatchObject({status: 0, by: 'x/as:v2.0.0'})
  })

  it('a reference without a tag is the newest version of the index', async () => {
    const {stdout} = await succeeded(
      ...['package', 'tree', `${host()}/x/as`, '--index', `${host()}/plain`, '--no-cache'],
    )
    expect(stdout).toContain(`${host()}/x/as:v2.0.0`)
  })

  it('a name that neither index nor registry contains is reported as missing in both', async () => {
    const {status, stderr} = await runCli(
      ...['package', 'tree', `${host()}/x/unheard-of`, '--index', `${host()}/plain`, '--no-cache'],
    )
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('the indexes have no stable version of it'),
    })
    expect(stderr).toContain(`${host()}/x/unheard-of`)
  })

  it('a lock is kept when there is a newer version, and --locked reads no index', async () => {
    const kept = cache()
    const declaration = join(folder, 'wanted.yaml')
    writeFileSync(
      declaration,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
indexes: ["${host()}/plain"]
packages: [{crd: as.x.example.org}]
`,
    )
    const requested = ['--declaration', declaration, ...kept]
    await succeeded('package', 'lock', ...requested)
    expect(readFileSync(join(folder, 'wanted.lock'), 'utf8')).toMatch(/digest: sha256:[^]*tag: v2\.0\.0/)
    await publish('plain', 'x/as:v2.1.0', 'v1')
    const {stdout} = await succeeded('package', 'render', ...requested, '--locked')
    expect(stdout).toContain('v2.0.0')
    writeFileSync(declaration, readFileSync(declaration, 'utf8').replace(host(), '127.0.0.1:9'))
    for (const command of ['render', 'tree', 'why']) {
      const what = command === 'why' ? ['as.x.example.org'] : []
      await succeeded('package', command, ...what, ...requested, '--locked')
    }
    const alone = await succeeded('package', 'render', ...requested, '--locked')
    expect(alone.stdout).toBe(stdout)
    writeFileSync(declaration, readFileSync(declaration, 'utf8').replace('127.0.0.1:9', host()))
    const {status, stdout: outdated} = await runCli('package', 'outdated', ...requested)
    expect({status, isTold: outdated.includes('v2.1.0')}).toEqual({status: 1, isTold: true})
  })

  it('versions of the folder take precedence over those of the index', async () => {
    for (const tag of ['v1.0.0', 'v1.1.0']) await publish('overlaid', `x/as:${tag}`, 'v1')
    const packages = writeTree(mkdtempSync(join(folder, 'packages-')), owner('v1.1.0', 'as', 'v9'))
    const flags = ['--packages', packages, '--default-source', host(), '--no-cache']
    const by = async (served: string) =>
      (await met('overlaid', `crd: as.x.example.org/${served}`, ...flags)).by
    expect([await by('v9'), await by('v1')]).toEqual(['x/as:v1.1.0', 'x/as:v1.0.0'])
  })

  it('a missing index is reported, with a suggestion', async () => {
    expect(await met('nowhere', 'crd: as.x.example.org', '--no-cache')).toMatchObject({
      status: 1,
      code: 'not-found',
    })
  })
})

describe('write access to an index is not ownership of a group', () => {
  beforeAll(async () => {
    await publish('contested', 'good/provider:v1.0.0', 'v1')
    await publish('contested', 'evil/provider:v99.0.0', 'v2')
  })
  const trusting = (who: string) => ['--owner', `x.example.org=${host()}/${who}`]

  it.each([
    {name: 'without a word', in: 'as.x.example.org', flags: [], want: {status: 3, code: 'ambiguous-owner'}},
    {
      name: 'where only the squatter serves it',
      in: 'as.x.example.org/v2',
      flags: [],
      want: {status: 3, code: 'ambiguous-owner'},
    },
    {
      name: 'with the word for the rightful owner',
      in: 'as.x.example.org',
      flags: ['good/provider'],
      want: {status: 0, by: 'good/provider:v1.0.0'},
    },
    {
      name: 'with that word, where only the squatter serves it',
      in: 'as.x.example.org/v2',
      flags: ['good/provider'],
      want: {status: 3, code: 'unresolvable'},
    },
    {
      name: 'with the word for the squatter',
      in: 'as.x.example.org/v2',
      flags: ['evil/provider'],
      want: {status: 0, by: 'evil/provider:v99.0.0'},
    },
  ])('$name', async ({in: need, flags, want}) => {
    const answer = await met('contested', `crd: ${need}`, ...flags.flatMap(trusting), '--no-cache')
    expect(answer).toMatchObject(want)
  })

  it('does not silently select the only owner left after the entry of another was overwritten', async () => {
    await publish('poisoned', 'good/provider:v1.0.0', 'v1')
    await publish('poisoned', 'evil/provider:v98.0.0', 'v1')
    const {tags} = present(present(server).contents.repository('poisoned/x.example.org'))
    const tagOf = (version: string) => present([...tags.keys()].find(tag => tag.includes(`-${version}-`)))
    tags.set(tagOf('v1.0.0'), present(tags.get(tagOf('v98.0.0'))))
    const answer = await met('poisoned', 'crd: as.x.example.org', '--no-cache')
    expect(answer).toMatchObject({by: 'evil/provider:v98.0.0'})
    expect(answer.rules).toEqual(expect.arrayContaining(['owner-first-use', 'unreadable-candidate']))
  })
})

describe('the content of an index is verified', () => {
  it('of two entries for one tag, the one that contradicts the registry is excluded', async () => {
    await publish('twins', 'x/twin:v1.0.0', 'v1')
    const first = await publish('twins', 'x/twin:v2.0.0', 'v1')
    // Another v2.0.0 cannot be pushed here: it is imported, as another index may have it.
    const file = await exported('twins')
    const other = `sha256:${'0'.repeat(64)}`
    const digest = first.slice(first.indexOf('sha256:'))
    const twin = file
      .split('\n')
      .filter(line => line.includes(digest))
      .map(line => line.replace(digest, other))
    await imported('twins', [file.split('\n')[0] ?? '', ...twin])
    const answer = await met('twins', 'crd: as.x.example.org', '--no-cache')
    expect(answer).toMatchObject({status: 0, by: 'x/twin:v2.0.0'})
    expect(answer.rules).toContain('lying-version')
  })

  it.each([
    {
      name: 'a forged entry',
      reason: 'the content of its package counts',
      edit: (line: string) => line.replaceAll('"v1"', '"v3"'),
      need: 'as.x.example.org',
      want: 'v2.0.0',
    },
    {
      name: 'an entry with the digest of another version',
      reason: 'the registry does not have that tag',
      edit: (line: string) => line.replace('"tag":"v2.0.0"', '"tag":"v3.0.0"'),
      need: 'as.x.example.org',
      want: 'v1.0.0',
    },
    {
      name: 'an entry of nothing',
      reason: 'the package does not exist',
      edit: (line: string) => line.replace(/sha256:[0-9a-f]{64}/, `sha256:${'1'.repeat(64)}`),
      need: 'as.x.example.org',
      want: 'v1.0.0',
    },
  ])('$name: $reason', async ({name, edit, need, want}) => {
    const index = name.replaceAll(' ', '-')
    await publish(index, `x/${index}:v1.0.0`, 'v1')
    await publish(`${index}-source`, `x/${index}:v2.0.0`, 'v1')
    await imported(index, (await exported(`${index}-source`)).split('\n').map(edit))
    const answer = await met(index, `crd: ${need}`, '--no-cache')
    expect(answer).toMatchObject({status: 0, by: `x/${index}:${want}`})
  })

  async function exported(index: string): Promise<string> {
    const {stdout} = await succeeded(
      'registry',
      'index',
      'export',
      '--index',
      `${host()}/${index}`,
      '--no-cache',
    )
    return stdout
  }

  async function imported(index: string, lines: readonly string[]): Promise<void> {
    const file = join(mkdtempSync(join(folder, 'edited-')), 'index.jsonl')
    writeFileSync(file, lines.join('\n'))
    await succeeded('registry', 'index', 'import', file, '--index', `${host()}/${index}`)
  }
})

describe('a yanked version', () => {
  const requested = () => join(folder, 'yanked.yaml')
  const args = () => ['--declaration', requested(), '--no-cache']
  beforeAll(async () => {
    await publish('yanks', 'x/bad:v1.0.0', 'v1')
    await publish('yanks', 'x/bad:v2.0.0', 'v1')
    writeFileSync(
      requested(),
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
indexes: ["${host()}/yanks"]
packages: [{crd: as.x.example.org}]
`,
    )
    await succeeded('package', 'lock', ...args())
    await succeeded(
      ...['registry', 'index', 'yank', `${host()}/x/bad:v2.0.0`, '--reason', 'it loses data'],
      ...['--index', `${host()}/yanks`],
    )
  })

  it('is not selected, with a note', async () => {
    const answer = await met('yanks', 'crd: as.x.example.org', '--no-cache')
    expect(answer).toMatchObject({status: 0, by: 'x/bad:v1.0.0'})
    expect(answer.rules).toContain('yanked-version')
  })

  it('is the reason for another version in the output of why', async () => {
    const {stdout} = await succeeded(
      ...['package', 'why', 'as.x.example.org', '--crd', 'as.x.example.org'],
      ...['--index', `${host()}/yanks`, '--no-cache'],
    )
    expect(stdout).toContain(`${host()}/x/bad:v2.0.0 is not selected: it was yanked: it loses data`)
  })

  it('is not selected even if it is requested', async () => {
    const reference = `${host()}/x/bad:v2.0.0`
    const {status, stderr} = await runCli(
      ...['package', 'render', reference, '--index', `${host()}/yanks`, '--no-cache'],
    )
    expect({status, rules: rulesIn(stderr)}).toEqual({
      status: 3,
      rules: expect.arrayContaining(['yanked-version']),
    })
    expect(stderr).toContain('it loses data')
  })

  it('stays if it is locked, with a warning', async () => {
    const {stdout, stderr} = await succeeded('package', 'render', ...args())
    expect(stdout).toContain('v2.0.0')
    expect(stderr).toContain('was yanked: it loses data')
  })
  it('is not reported as the newest version by outdated', async () => {
    const newest = async () => {
      const {status, stdout} = await runCli('package', 'outdated', ...args(), '-o', 'json')
      return {status, packages: (JSON.parse(stdout) as {packages: object[]}).packages}
    }
    const outdated = {locked: 'v2.0.0', fits: 'v1.0.0', newest: 'v1.0.0', status: 'outdated'}
    expect(await newest()).toMatchObject({status: 1, packages: [outdated]})
    await succeeded('package', 'lock', ...args(), '--upgrade', `${host()}/x/bad`)
    expect(await newest()).toEqual({status: 0, packages: []})
  })
})
