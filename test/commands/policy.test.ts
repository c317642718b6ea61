import {describe, expect, it} from '@jest/globals'
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
      stderr: expect.stringMatching(/policy\.yaml:3.* sigs is not a field/),
    })
    set('')
    expect(await runCli('package', 'render', 'x/app:v1.0.0', '--policy', at('nowhere'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Check the value of --policy.'),
    })
  })

  it('is named by the flag or the declaration, and as a relative path', async () => {
    const {lock, at} = world(OWNER)
    expect(await lock('--policy', at('team/policy.yaml'))).toMatchObject({status: 2})
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
