import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {generateKeyPairSync} from 'node:crypto'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML, owner, prefixed} from './locked-world.js'

const folder = temporaryFolder()
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
const policy = (fields: string) => `${API}kind: Policy\n${fields}`

/** A repository with packages, a policy, and a declaration that names it. */
function world(fields: string, declared = '') {
  const root = writeTree(mkdtempSync(join(folder, 'world-')), {
    ...prefixed('packages/', {
      'x/app@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{crd: as.x.example.org}]\n`,
      ...owner('v1.0.0', 'as', 'v1'),
      ...prefixed('other/', owner('v1.0.0', 'as', 'v1')),
    }),
    'team/policy.yaml': policy(fields),
    'cluster/crossplane-packages.yaml': `${API}kind: PackageDeclaration\npolicy: ../team/policy.yaml\n${declared}packages:\n- package: x/app\n`,
  })
  const at = (path: string) => join(root, path)
  const source = ['--packages', at('packages')]
  const declaration = ['--declaration', at('cluster/crossplane-packages.yaml')]
  return {
    at,
    lock: (...args: readonly string[]) => runCli('package', 'lock', ...declaration, ...source, ...args),
    render: (...args: readonly string[]) => runCli('package', 'render', ...declaration, ...source, ...args),
    run: (verb: string, ...args: readonly string[]) =>
      runCli('package', verb, ...declaration, ...source, ...args),
    renderRef: (...args: readonly string[]) =>
      runCli('package', 'render', 'x/app:v1.0.0', ...source, '--policy', at('team/policy.yaml'), ...args),
    set: (text: string) => {
      writeFileSync(at('team/policy.yaml'), policy(text))
    },
  }
}

const OWNER = 'owners: {x.example.org: x/as}\n'

describe('a policy', () => {
  it('decides owners, for a declaration and for a package', async () => {
    const {lock, renderRef, at} = world(OWNER)
    expect(await lock()).toMatchObject({status: 0})
    expect(readFileSync(at('cluster/crossplane-packages.lock'), 'utf8')).toContain('x/as:')
    expect(await renderRef()).toMatchObject({status: 0})
  })

  it('can be extended by a declaration', async () => {
    expect(await world(OWNER, 'owners: {y.example.org: x/y, x.example.org: x/as}\n').lock()).toMatchObject({
      status: 0,
    })
  })

  it('is not contradicted by a declaration or a flag; the error names both places', async () => {
    const {lock} = world('owners: {"*.example.org": x/as}\n', 'owners:\n  x.example.org: other/x/as\n')
    const {status, stderr} = await lock()
    expect({status, stderr}).toMatchObject({status: 4, stderr: expect.stringContaining('line 5 of ')})
    expect(stderr).toMatch(/line 3 of \S*policy\.yaml assigns \*\.example\.org to x\/as/)
    const flag = await world(OWNER).lock('--owner', 'x.example.org=other/x/as')
    expect(flag).toMatchObject({status: 4, stderr: expect.stringContaining('in --owner')})
  })

  it('changes the lock by its owners', async () => {
    const {lock, set} = world(OWNER)
    await lock()
    set('owners: {x.example.org: other/x/as}\n')
    expect(await lock('--dry-run')).toMatchObject({stdout: expect.stringContaining('+requestHash: ')})
  })

  it('ignores entries of other sources', async () => {
    const {lock, at} = world('sources:\n- docker.io/x\n')
    expect(await lock()).toMatchObject({status: 0})
    expect(readFileSync(at('cluster/crossplane-packages.lock'), 'utf8')).not.toContain('other/x/as')
  })

  it('rejects a request from another source, and one that needs another, naming the line', async () => {
    const {renderRef} = world('sources:\n- registry.example.org\n')
    const {status, stderr} = await renderRef()
    expect({status, stderr}).toMatchObject({status: 4, stderr: expect.stringContaining('(line 4)')})
    const needing = await world('sources: [docker.io/x/app]\n').lock()
    expect(needing).toMatchObject({status: 4, stderr: expect.stringMatching(/policy\.yaml \(line 3\)/)})
  })

  it('judges the packages of a lock', async () => {
    const {lock, render, set} = world(OWNER)
    await lock()
    set(`${OWNER}sources: [docker.io/x/app]\n`)
    expect(await render('--locked')).toMatchObject({status: 4})
  })

  it('limits the number of packages', async () => {
    const {lock, set} = world(`${OWNER}limits: {packages: 1}\n`)
    expect(await lock()).toMatchObject({status: 4, stderr: expect.stringContaining('line 4')})
    set(`${OWNER}limits: {packages: 2}\n`)
    expect(await lock()).toMatchObject({status: 0})
  })

  it('is reported with its line if it is invalid, and with its path if it is missing', async () => {
    const {lock, at, set} = world('sigs: []\n')
    expect(await lock()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/policy\.yaml:3.* unknown field sigs/),
    })
    set('')
    expect(await runCli('package', 'render', 'x/app:v1.0.0', '--policy', at('nowhere'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Check the value of --policy.'),
    })
  })

  it('is named as a relative path', async () => {
    const {lock, at} = world(OWNER)
    writeTree(at('.'), {
      'cluster/crossplane-packages.yaml': `${API}kind: PackageDeclaration\npolicy: /etc/passwd\npackages: []\n`,
    })
    expect(await lock()).toMatchObject({status: 1, stderr: expect.stringContaining('is not a path relative')})
  })
})

describe('the signatures of a policy for packages in folders', () => {
  const {publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const key = publicKey.export({type: 'spki', format: 'pem'}).toString().replaceAll('\n', '\n      ')

  it.each([
    ...['app', 'App', 'app@v1.0.0', '_app', 'an app'].map(name => ({name, repositories: 'docker.io'})),
    {name: 'App', repositories: '"*"'},
  ])('reject the folder $name by a rule for $repositories', async ({name, repositories}) => {
    const root = writeTree(mkdtempSync(join(folder, 'signed-')), {
      [`${name}/.registry/app.yaml`]: `version: v1.0.0\n${APP_YAML}`,
      'policy.yaml': policy(
        `signatures:\n- repositories: [${repositories}]\n  signers:\n  - key: |\n      ${key}\n`,
      ),
    })
    const flags = ['--cluster', '--policy', join(root, 'policy.yaml')]
    expect(await runCli('package', 'render', join(root, name), ...flags)).toMatchObject({
      ...{status: 4, stdout: ''},
      stderr: expect.stringContaining(`local/${name} has no signature of a trusted signer`),
    })
  })
})

describe('the policy of whoever checks, and that of a declaration', () => {
  const OTHERS = 'sources: [docker.io/x/app]\n'
  const {publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const pem = publicKey.export({type: 'spki', format: 'pem'}).toString().replaceAll('\n', '\n      ')
  const SIGNED = `signatures:\n- repositories: ["*"]\n  signers:\n  - key: |\n      ${pem}\n`

  it.each([
    {name: 'sources', strict: OTHERS},
    {name: 'a limit', strict: 'limits: {packages: 1}\n'},
    {name: 'an owner', strict: 'owners: {x.example.org: other/x/as}\n'},
    {name: 'rules', strict: 'rules: [{name: none, expression: "false"}]\n'},
    {name: 'signatures', strict: SIGNED},
  ])('both apply, for every command: $name', async ({strict}) => {
    const {lock, run, at, set} = world(OWNER)
    expect(await lock()).toMatchObject({status: 0})
    const render = ['render', '--output-dir', at('cluster/packages')] as const
    expect(await run(...render)).toMatchObject({status: 0})
    const commands = [['lock', '--dry-run'], render, ['render', '--locked'], ['check']] as const
    const statuses = async (...flags: readonly string[]) => {
      const all: number[] = []
      for (const [verb, ...words] of commands) all.push((await run(verb, ...words, ...flags)).status)
      return all
    }
    writeFileSync(at('strict.yaml'), policy(strict))
    // `check` and `lock` know no rules of images and packages that are not rendered.
    const judged = strict.startsWith('rules') ? [0, 4, 4, 4] : [4, 4, 4, 4]
    expect(await statuses()).toEqual([0, 0, 0, 0])
    expect(await statuses('--policy', at('strict.yaml'))).toEqual(judged)
    set(strict)
    writeFileSync(at('strict.yaml'), policy(OWNER))
    expect(await statuses('--policy', at('strict.yaml'))).toEqual(judged)
  })

  it('cannot be left out of check by an edit of the declaration, nor by packages that are not available', async () => {
    const {lock, run, at} = world(OWNER)
    await lock()
    await run('render', '--output-dir', at('cluster/packages'))
    writeFileSync(at('strict.yaml'), policy(OTHERS))
    const declaration = at('cluster/crossplane-packages.yaml')
    const text = readFileSync(declaration, 'utf8').replace(
      'policy: ../team/policy.yaml\n',
      'owners: {x.example.org: x/as}\n',
    )
    writeFileSync(declaration, text)
    expect(await run('check', '--policy', at('strict.yaml'))).toMatchObject({status: 4})
    const check = ['package', 'check', '--declaration', declaration, '--policy', at('strict.yaml')] as const
    const hashes = await runCli(
      ...check,
      '--packages',
      mkdtempSync(join(folder, 'empty-')),
      '--allow-unavailable',
    )
    expect(hashes.status).toBe(4)
    expect(await runCli(...check, '--hashes')).toMatchObject({status: 2})
  })
})

it('the policy of a flag applies with --git as well', async () => {
  const {at} = world(OWNER)
  const home = mkdtempSync(join(folder, 'home-'))
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', home, ...args])
  git('init', '--quiet')
  git('config', 'user.email', 'a@example.org')
  git('config', 'user.name', 'a')
  writeFileSync(at('strict.yaml'), policy('sources: [docker.io/x/app]\n'))
  const install = (name: string) =>
    runCli(
      ...['package', 'install', 'x/app:v1.0.0', '-n', 'a', '--git', home, '--packages', at('packages')],
      ...['--owner', 'x.example.org=x/as', '--policy', at(name), '--yes'],
    )
  expect(await install('strict.yaml')).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('strict.yaml'),
  })
  expect(await install('team/policy.yaml')).toMatchObject({status: 0})
})
