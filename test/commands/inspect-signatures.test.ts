import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {cpSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {newKeys} from '../signatures/signed-images.js'
import {FakeSigstore, ISSUER} from '../signatures/sigstore/fake-sigstore.js'
import {temporaryFolder} from '../temporary-folder.js'
import {keyHash} from '../../src/signatures/public-key.js'

const BUILDER = 'https://ci.example.org/builder'
const SUBJECT = 'https://git.example.org/team/counter/release@refs/tags/v1'
const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const sigstore = new FakeSigstore()
const {privateKey, pem} = newKeys()
const key = keyHash(pem)
let registry: RegistryServer

beforeAll(async () => {
  registry = await startRegistry()
  await sigstore.start()
  cpSync('test/testdata/packages/image-counter', at('source'), {recursive: true})
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', at('source'), '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args])
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'the package')
  git('remote', 'add', 'origin', 'https://git.example.org/team/counter.git')
  writeFileSync(at('key.pem'), privateKey.export({type: 'pkcs8', format: 'pem'}))
  writeFileSync(at('key.pub'), pem)
  writeFileSync(at('other.pub'), newKeys().pem)
  writeFileSync(at('token'), sigstore.token({sub: SUBJECT}))
  await push('signed', '--sign-key', at('key.pem'), '--provenance', '--builder', BUILDER)
  await push('keyless', '--identity-token', at('token'), ...['fulcio', 'rekor'].flatMap(serverFlag))
  await push('unsigned')
})
afterAll(async () => {
  await sigstore.stop()
  await registry.close()
})

const serverFlag = (name: string) => [`--${name}-url`, sigstore.url]
const named = (name: string) => `${registry.host}/team/${name}:0.3.0`
async function push(name: string, ...flags: readonly string[]): Promise<void> {
  const {status, stderr} = await runCli('package', 'push', named(name), at('source'), '--no-lint', ...flags)
  expect({status, errors: status === 0 ? '' : stderr}).toEqual({status: 0, errors: ''})
}
const inspect = (name: string, ...flags: readonly string[]) =>
  runCli('package', 'inspect', named(name), '--cache-dir', at('cache'), ...flags)
async function signaturesOf(name: string, ...flags: readonly string[]): Promise<unknown> {
  const {stdout} = await inspect(name, '-o', 'json', ...flags)
  const report = JSON.parse(stdout) as {readonly signatures?: unknown}
  expect(schemaViolations(schemaOf('inspect-report'), report)).toEqual([])
  return report.signatures
}
function policy(name: string, keyFile: string, more = ''): string {
  const rule = `- repositories: ["*"]\n  signers: [{keyFile: ${keyFile}}]\n${more}`
  const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\nsignatures:\n'
  writeFileSync(at(name), `${head}${rule}`)
  return at(name)
}
const signed = [
  {kind: 'signature', predicateType: 'https://sigstore.dev/cosign/sign/v1', signer: {key}},
  {
    ...{kind: 'provenance', predicateType: 'https://slsa.dev/provenance/v1', signer: {key}},
    ...{builder: BUILDER, source: 'https://git.example.org/team/counter'},
  },
]

describe('package inspect shows who has signed', () => {
  it.each([
    {name: 'signed', what: 'a key, builder and source', want: signed},
    {
      ...{name: 'keyless', what: 'an identity'},
      want: [{...signed[0], signer: {issuer: ISSUER, subject: SUBJECT}}],
    },
    {name: 'unsigned', what: 'nothing', want: []},
  ])('$what, as unverified claims without a policy', async ({name, want}) => {
    const signatures = await signaturesOf(name)
    expect(signatures).toMatchObject({status: 'unverified', rejected: []})
    const {statements} = signatures as {readonly statements: readonly unknown[]}
    expect(new Set<unknown>(statements)).toEqual(new Set<unknown>(want))
  })

  it('verified by the signers of a policy', async () => {
    const signatures = await signaturesOf('signed', '--policy', policy('team.yaml', 'key.pub'))
    expect(signatures).toMatchObject({status: 'verified', rejected: []})
    const {statements} = signatures as {readonly statements: readonly unknown[]}
    expect(new Set<unknown>(statements)).toEqual(new Set<unknown>(signed))
  })

  it('and nothing of a package that the policy rejects', async () => {
    const flags = ['--policy', policy('other.yaml', 'other.pub')]
    expect(await inspect('signed', ...flags)).toMatchObject({
      ...{status: 4, stdout: ''},
      stderr: expect.stringContaining('it is not signed as required'),
    })
  })

  it('and does not ignore a policy for a package without a name', async () => {
    const flags = ['--policy', policy('other.yaml', 'other.pub')]
    expect(await runCli('package', 'inspect', at('source'), ...flags)).toMatchObject({
      ...{status: 2, stdout: ''},
      stderr: expect.stringContaining('it has no name that the policy could be about'),
    })
    const named = ['--as-package', 'x/app:v1.0.0', ...flags]
    expect(await runCli('package', 'inspect', at('source'), ...named)).toMatchObject({status: 4, stdout: ''})
  })

  it('less than a policy requires that only warns', async () => {
    const flags = ['--policy', policy('warn.yaml', 'other.pub', '  otherwise: warn\n')]
    expect(await signaturesOf('signed', ...flags)).toEqual({status: 'warned', statements: [], rejected: []})
    const {status, stdout, stderr} = await inspect('signed', ...flags)
    expect({status, stdout, stderr}).toEqual({
      status: 0,
      stdout: expect.stringContaining('SIGNATURES 0 statements, less than the policy requires\n'),
      stderr: expect.stringContaining('signature-missing'),
    })
  })

  it.each([
    {
      ...{name: 'signed', what: 'claims', flags: () => []},
      want: [
        'SIGNATURES 2 statements, NOT VERIFIED: anyone can write them (verify with --policy or package verify)\n',
        new RegExp(`  signature +key ${key} +- +-\n`),
        new RegExp(`  provenance +key ${key} +${BUILDER} +https://git.example.org/team/counter\n`),
      ],
    },
    {name: 'unsigned', what: 'none', flags: () => [], want: ['\nSIGNATURES none\n']},
    {
      ...{name: 'signed', what: 'verified ones', flags: () => ['--policy', policy('team.yaml', 'key.pub')]},
      want: ['\nSIGNATURES 2 statements, verified by the policy\n'],
    },
  ])('as text: $what', async ({name, flags, want}) => {
    const {stdout} = await inspect(name, ...flags())
    for (const text of want) expect(stdout).toMatch(text instanceof RegExp ? text : text.trim())
  })

  it('not at all for a package in a folder', async () => {
    const {stdout} = await runCli('package', 'inspect', at('source'))
    expect(stdout).not.toContain('SIGNATURES')
  })

  it('of a bundle without its registry', async () => {
    const tar = at('bundle.tar')
    const created = await runCli(
      ...['bundle', 'create', named('signed'), '-O', tar],
      ...['--namespace', 'team-a', '--cache-dir', at('cache'), '--quiet'],
    )
    expect(created).toMatchObject({status: 0, stderr: ''})
    expect(await signaturesOf('signed', '--packages', tar, '--offline')).toMatchObject({
      status: 'unverified',
      statements: expect.arrayContaining(signed),
    })
  })

  describe('where the registry cannot be asked', () => {
    beforeEach(async () => {
      await inspect('signed')
    })

    it('not with --offline', async () => {
      expect(await signaturesOf('signed', '--offline')).toEqual({
        ...{status: 'unread', statements: [], rejected: []},
        reason: expect.stringContaining('--offline was given'),
      })
      expect((await inspect('signed', '--offline')).stdout).toContain('\nSIGNATURES were not read\n')
    })
  })
})
