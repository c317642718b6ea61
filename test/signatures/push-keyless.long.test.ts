import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {sigstoreCryptography} from '../../src/adapters/sigstore/sigstore-cryptography.js'
import type {Digest} from '../../src/fetch/image.js'
import {readTrustedRoot} from '../../src/signatures/read-trusted-root.js'
import type {TrustedSigner} from '../../src/signatures/trusted-signer.js'
import {verifyImage} from '../../src/signatures/verify-image.js'
import {asObject, type JsonObject} from '../../src/yaml/json-value.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {Artifacts} from './signed-images.js'
import {FakeSigstore, ISSUER} from './sigstore/fake-sigstore.js'

const COUNTER = 'test/testdata/packages/image-counter'
const SUBJECT = 'https://git.example.test/team/counter/release.yaml@refs/tags/v1'
const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const sigstore = new FakeSigstore()
let registry: RegistryServer
let number = 0

beforeAll(async () => {
  registry = await startRegistry()
  await sigstore.start()
  writeFileSync(at('root.json'), JSON.stringify(sigstore.trustedRoot()))
  writeFileSync(at('token'), `${sigstore.token({sub: SUBJECT})}\n`)
})
afterAll(async () => {
  await sigstore.stop()
  await registry.close()
})
beforeEach(() => {
  sigstore.fault = {}
  sigstore.requests.length = 0
  number += 1
})

/** Each test has a repository of its own. */
const reference = () => `${registry.host}/team/app-${number}:0.3.0`
const pushTo = (fulcio: string, ...flags: readonly string[]) =>
  runCli(
    ...['package', 'push', reference(), COUNTER, '--no-lint'],
    ...['--fulcio-url', fulcio, '--rekor-url', `${sigstore.url}/`, ...flags],
  )
const push = (...flags: readonly string[]) => pushTo(sigstore.url, ...flags)
const verify = (subject = SUBJECT, issuer = ISSUER) =>
  runCli(
    ...['package', 'verify', reference(), '--trusted-root', at('root.json'), '-o', 'json'],
    ...['--certificate-identity', subject, '--certificate-oidc-issuer', issuer],
  )
const rejected = (why: string | RegExp) => ({
  status: 4,
  stderr: expect.stringMatching(why),
})

describe('package push --identity-token', () => {
  it('signs as the subject of the token, and package verify accepts it', async () => {
    const {status, stdout, stderr} = await push('--identity-token', at('token'), '-o', 'json')
    expect({status, errors: status === 0 ? '' : stderr}).toEqual({status: 0, errors: ''})
    const signer = {issuer: ISSUER, subject: SUBJECT}
    expect(JSON.parse(stdout)).toMatchObject({signer, attached: ['https://sigstore.dev/cosign/sign/v1']})
    const verified = await verify()
    expect({...verified, report: JSON.parse(verified.stdout || '{}') as unknown}).toMatchObject({
      status: 0,
      report: {packages: [{statements: [{kind: 'signature', signer}]}]},
    })
  })

  it('signs all statements with one certificate, and logs each', async () => {
    expect(await push('--identity-token', at('token'), '--sbom', 'generate')).toMatchObject({status: 0})
    expect(sigstore.requests).toEqual([
      'POST /api/v2/signingCert',
      'POST /api/v1/log/entries',
      'POST /api/v1/log/entries',
    ])
  })

  it('signs as a verified email address', async () => {
    const claims = {sub: '42', email: 'release@example.test', email_verified: true}
    writeFileSync(at('email'), sigstore.token(claims))
    expect(await push('--identity-token', at('email'))).toMatchObject({status: 0})
    expect(await verify(claims.email)).toMatchObject({status: 0})
  })

  it.each([
    {name: 'of another subject', subject: `${SUBJECT}0`, issuer: ISSUER},
    {name: 'of another issuer', subject: SUBJECT, issuer: `${ISSUER}.evil.test`},
  ])('is not trusted as one $name', async ({subject, issuer}) => {
    expect(await push('--identity-token', at('token'))).toMatchObject({status: 0})
    expect(await verify(subject, issuer)).toMatchObject(rejected(`it is signed by ${SUBJECT}`))
  })

  it.each([
    {name: 'had expired', logged: 60 * 60_000},
    {name: 'was not yet valid', logged: -60 * 60_000},
  ])('is not trusted if the certificate $name when it was logged', async ({logged}) => {
    sigstore.fault = {logged}
    expect(await push('--identity-token', at('token'))).toMatchObject({status: 0})
    expect(await verify()).toMatchObject(rejected(/certificate/))
  })

  it('reads the entry that the log has already if an answer is lost', async () => {
    let isLost = false
    sigstore.fault = {
      answer: path => {
        if (isLost || path !== '/api/v1/log/entries') return {}
        isLost = true
        return {status: 503}
      },
    }
    expect(await push('--identity-token', at('token'))).toMatchObject({status: 0})
    const entries = 'POST /api/v1/log/entries'
    expect(sigstore.requests.slice(1)).toEqual([
      ...[entries, entries],
      expect.stringMatching(/^GET .*entries\/\w+$/),
    ])
    expect(await verify()).toMatchObject({status: 0})
  })

  it('does not count with the log entry of another artifact', async () => {
    const [one, other] = [await pushedBundle(), await pushedBundle()]
    const trusted: TrustedSigner = {
      ...{kind: 'identity', issuer: ISSUER, subject: SUBJECT},
      trustedRoot: readTrustedRoot(readFileSync(at('root.json')), 'root.json'),
    }
    const evidence = (bundle: JsonObject) =>
      verifyImage(one.digest, new Artifacts().refer(bundle), [trusted], sigstoreCryptography())
    expect(await evidence(one.bundle)).toMatchObject({
      statements: [{signer: {subject: SUBJECT}}],
      rejected: [],
    })
    const {tlogEntries} = asObject(other.bundle['verificationMaterial'])
    for (const entries of [tlogEntries ?? [], []]) {
      const verificationMaterial = {...asObject(one.bundle['verificationMaterial']), tlogEntries: entries}
      expect(await evidence({...one.bundle, verificationMaterial})).toMatchObject({
        statements: [],
        rejected: [{reason: expect.any(String)}],
      })
    }
  })
})

/** Pushes a package, and returns the bundle that its repository then has. */
async function pushedBundle(): Promise<{readonly digest: Digest; readonly bundle: JsonObject}> {
  number += 1
  const {stdout} = await push('--identity-token', at('token'), '-o', 'json')
  const {digest} = JSON.parse(stdout) as {digest: Digest}
  const blobs = [...(registry.contents.repository(`team/app-${number}`)?.blobs.values() ?? [])]
  const bundle = blobs.map(bytes => bytes.toString()).find(text => text.includes('"dsseEnvelope"'))
  return {digest, bundle: JSON.parse(bundle ?? '{}') as JsonObject}
}

describe('package push --identity-token pushes nothing', () => {
  const CERTIFICATES = '/api/v2/signingCert'
  const ENTRIES = '/api/v1/log/entries'
  const other = (path: string, status: number, document: unknown) => ({
    answer: (requested: string) => (requested === path ? {status, text: JSON.stringify(document)} : {}),
  })
  let entry = ''
  beforeAll(async () => {
    sigstore.fault = {answer: (path, text) => (path === ENTRIES ? ((entry = text), {}) : {})}
    await push('--identity-token', at('token'))
  })

  it.each([
    {
      name: 'a rejected token',
      fault: other(CERTIFICATES, 401, {code: 16, message: 'the token has expired'}),
      want: 'cannot get a certificate of URL: the server responded with 401: "the token has expired"',
    },
    {
      name: 'no certificate',
      fault: other(CERTIFICATES, 200, {}),
      want: 'cannot get a certificate of URL: the answer has no certificate with a proof that it is logged',
    },
    {
      name: 'a certificate that is none',
      fault: other(CERTIFICATES, 200, {signedCertificateEmbeddedSct: {chain: {certificates: ['x']}}}),
      want: 'cannot get a certificate of URL: the answer has no certificate for signing',
    },
    {
      name: 'a log that rejects the entry',
      fault: other(ENTRIES, 400, {code: 400, message: 'no'}),
      want: 'cannot get a log entry of URL: the server responded with 400: "no"',
    },
    {
      name: 'no entry',
      fault: other(ENTRIES, 201, {}),
      want: 'cannot get a log entry of URL: the answer is not one entry',
    },
    {
      name: 'an answer that is too large',
      fault: other(ENTRIES, 201, {x: 'x'.repeat(2 ** 20)}),
      want: 'cannot get a log entry of URL: the answer of',
    },
    {
      name: 'a web page',
      fault: {answer: () => ({text: '<html>'})},
      want: 'cannot get a certificate of URL: the answer of HOST is not valid JSON',
    },
  ])('with $name', async ({fault, want}) => {
    sigstore.fault = fault
    const {status, stderr} = await push('--identity-token', at('token'))
    const wanted = want.replace('URL', sigstore.url).replace('HOST', new URL(sigstore.url).host)
    expect({status, stderr}).toEqual({
      status: want.includes('too') || want.endsWith('answer of') ? 4 : 1,
      stderr: expect.stringContaining(wanted),
    })
    expect(stderr).not.toContain('Create the repository')
    expectNothingPushed()
  })

  it('with the entry of another signature', async () => {
    sigstore.fault = {answer: path => (path === ENTRIES ? {text: entry} : {})}
    expect(await push('--identity-token', at('token'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`of ${sigstore.url}: the entry is about another signature`),
    })
    expectNothingPushed()
  })

  it('with a token of another issuer, which is not printed even if the server repeats it', async () => {
    const token = `${sigstore.token({sub: SUBJECT}).slice(0, -4)}AAAA`
    writeFileSync(at('forged'), token)
    const {status, stdout, stderr} = await push('--identity-token', at('forged'), '--debug')
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('error processing ***')})
    for (const part of token.split('.')) expect(stdout + stderr).not.toContain(part)
    expectNothingPushed()
  })

  it('with the token in place of its file, which is not printed either', async () => {
    const token = sigstore.token({sub: SUBJECT})
    for (const flags of [['--debug'], ['-o', 'json']]) {
      const {status, stdout, stderr} = await push('--identity-token', token, ...flags)
      expect({status, said: stdout + stderr}).toEqual({
        status: 2,
        said: expect.stringContaining('--identity-token takes the file of a token, not the token itself'),
      })
      for (const part of token.split('.')) expect(stdout + stderr).not.toContain(part)
    }
    expect(sigstore.requests).toEqual([])
    expectNothingPushed()
  })

  it.each([
    {name: 'text', token: 'secret-text', want: 'it is not an identity token (JWT)'},
    {name: 'claims that are no JSON', token: 'aaaa.bbbb.cccc', want: 'it is not an identity token (JWT)'},
    {name: 'no subject', token: () => sigstore.token({}), want: 'without a subject'},
    {
      name: 'an address that is not verified',
      token: () => sigstore.token({sub: '1', email: 'a@example.test'}),
      want: 'has not verified the email address',
    },
  ])('with a file of $name, and asks no server', async ({token, want}) => {
    const text = typeof token === 'string' ? token : token()
    writeFileSync(at('other'), text)
    const {status, stderr} = await push('--identity-token', at('other'))
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining(want)})
    expect(stderr).not.toContain(text.split('.')[1] ?? text)
    expect(sigstore.requests).toEqual([])
    expectNothingPushed()
  })

  it.each([
    'http://fulcio.example.test',
    'fulcio.example.test',
    'https://a:b@fulcio.example.test',
    'https://x/?a=b',
  ])('to %s, which is not an address for a secret', async url => {
    expect(await pushTo(url, '--identity-token', at('token'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--fulcio-url has to be the address of a server, with HTTPS'),
    })
    expectNothingPushed()
  })

  it('to a server without TLS, where the address has it', async () => {
    const url = sigstore.url.replace('http:', 'https:')
    const {status, stderr} = await pushTo(url, '--identity-token', at('token'))
    expect({status, stderr}).toEqual({
      status: 4,
      stderr: expect.stringContaining(`cannot get a certificate of ${url}: `),
    })
    expect(stderr).toContain('Check --fulcio-url, the network connection')
    expect(stderr).not.toContain('--plain-http')
    expectNothingPushed()
  })

  function expectNothingPushed(): void {
    expect(registry.contents.repository(`team/app-${number}`)?.manifests.size ?? 0).toBe(0)
  }
})
