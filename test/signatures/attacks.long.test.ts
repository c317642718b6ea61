import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {sigstoreCryptography} from '../../src/adapters/sigstore/sigstore-cryptography.js'
import {CrossplaneError} from '../../src/errors.js'
import {packageTrust} from '../../src/signatures/package-trust.js'
import {trustedKey} from '../../src/signatures/public-key.js'
import {readTrustedRoot} from '../../src/signatures/read-trusted-root.js'
import type {SignatureRule} from '../../src/signatures/signature-rule.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {Artifacts, BUNDLE, bundleOf, digestOf, newKeys, statement} from './signed-images.js'
import {keylessBundle, type Signing, signingServices, trustedRootOf} from './sigstore/keyless-bundle.js'

const IMAGE = digestOf(Buffer.from('the image'))
const OTHER = digestOf(Buffer.from('another image'))
const PROVENANCE = 'https://slsa.dev/provenance/v1'
const issuer = 'https://tokens.example.test'
const subject = 'https://git.example.test/team/app/release.yaml@refs/tags/v1'
const [team, attacker] = [newKeys(), newKeys()]
const [services, foreign] = [signingServices(), signingServices()]
const trustedRoot = readTrustedRoot(Buffer.from(JSON.stringify(trustedRootOf(services))), 'root.json')

const KEY: SignatureRule = {
  ...{repositories: ['*'], signers: [trustedKey(team.pem, 'team.pub')]},
  ...{require: ['signature'], otherwise: 'reject'},
}
const identity = (pattern = subject, from = issuer): SignatureRule => ({
  ...KEY,
  signers: [{kind: 'identity', issuer: from, subject: pattern, trustedRoot}],
})
const BUILT: SignatureRule = {
  ...{...KEY, require: ['signature', 'provenance']},
  ...{builder: 'https://ci.example.test/*', source: 'https://git.example.test/team/app'},
}

const signed = (digest = IMAGE, {privateKey} = team) => bundleOf(statement(digest), privateKey)
const provenance = (builder: string, source: string, by = team) =>
  bundleOf(
    statement(IMAGE, PROVENANCE, {
      buildDefinition: {externalParameters: {source}},
      runDetails: {builder: {id: builder}},
    }),
    by.privateKey,
  )
const RIGHT = ['https://ci.example.test/builder', 'https://git.example.test/team/app'] as const
const EVIL = 'https://evil.example.test/app'
const keyless = (signing: Partial<Signing> = {}, by = services, digest = IMAGE) =>
  keylessBundle(statement(digest), {issuer, subject, ...signing}, by)
const withPartOf = (part: 'tlogEntries' | 'certificate', other: ReturnType<typeof keyless>) => {
  const bundle = keyless()
  const value = {[part]: other.verificationMaterial[part]}
  return {...bundle, verificationMaterial: {...bundle.verificationMaterial, ...value}}
}
/** JSON that is nested more deeply than any reader can recurse. */
const NESTED = Buffer.from(`${'{"a":['.repeat(200_000)}${']}'.repeat(200_000)}`)
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'

/** What an error says about an image, for each of its problems. */
async function judged(rule: SignatureRule, store: Artifacts) {
  const ports = {cryptography: () => Promise.resolve(sigstoreCryptography()), warn: () => undefined}
  try {
    const trust = packageTrust([rule], ports)
    return await trust.expect('registry.example.org/app', IMAGE, () => Promise.resolve(store))
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const {code, diagnostics} = error
    return {code, problems: diagnostics.map(({rule: id, message}) => `${id}: ${message}`)}
  }
}

interface Attack {
  readonly name: string
  readonly rule: SignatureRule
  readonly documents: readonly unknown[]
  readonly why: RegExp
}

const ATTACKS: readonly Attack[] = [
  {
    ...{name: 'a signature of another digest, by a key', rule: KEY, documents: [signed(OTHER)]},
    why: /^signature-missing: .*it is for .*sha256:/,
  },
  {
    ...{name: 'a signature of another digest, by an identity', rule: identity()},
    ...{documents: [keyless({}, services, OTHER)], why: /it is for .*sha256:/},
  },
  {name: 'another key', rule: KEY, documents: [signed(IMAGE, attacker)], why: /verification failed/},
  {
    ...{name: 'a certificate that had expired', rule: identity(), documents: [keyless({logged: 60})]},
    why: /certificate/,
  },
  {
    ...{name: 'a certificate that was not yet valid', rule: identity(), documents: [keyless({logged: -60})]},
    why: /certificate/,
  },
  {
    ...{
      name: 'another issuer',
      rule: identity(),
      documents: [keyless({issuer: 'https://evil.example.test'})],
    },
    why: /it is signed by .*evil/,
  },
  {
    ...{
      name: 'an issuer that goes on',
      rule: identity(),
      documents: [keyless({issuer: `${issuer}.evil.test`})],
    },
    why: /it is signed by/,
  },
  ...[
    ['a longer path', 'https://git.example.test/team/*', subject],
    ['another host before it', subject, `https://evil.test/?${subject}`],
    [
      'a path with dots',
      'https://git.example.test/team/app/*',
      'https://git.example.test/team/app/../evil/x',
    ],
    ['other case', subject, subject.toUpperCase()],
    ['a line after it', subject, `${subject}\nhttps://evil.test`],
    ['a null byte', subject, `${subject}\0.evil.test`],
    ['a host that a dot matches', subject, subject.replace('git.example', 'gitXexample')],
    ['a regular expression', '.*', subject],
    ['an encoded slash', 'https://git.example.test/*/app', 'https://git.example.test/a/b/app'],
    ['the pattern itself', 'https://git.example.test/team/app', 'https://git.example.test/team/*'],
  ].map(([name, pattern, actual]) => ({
    ...{name: `a subject with ${name}`, rule: identity(pattern)},
    ...{documents: [keyless({subject: actual})], why: /it is signed by/},
  })),
  {
    ...{name: 'another authority with the same names', rule: identity(), documents: [keyless({}, foreign)]},
    why: /signature-missing/,
  },
  {
    ...{name: 'a certificate of another authority', rule: identity()},
    documents: [keyless({}, {authority: foreign.authority, log: services.log})],
    why: /certificate/,
  },
  {
    ...{name: 'an entry in another log', rule: identity()},
    documents: [keyless({}, {authority: services.authority, log: foreign.log})],
    why: /inclusion promise could not be verified/,
  },
  {
    ...{name: 'the log entry of another artifact', rule: identity()},
    documents: [withPartOf('tlogEntries', keyless({}, services, OTHER))],
    why: /signature-missing/,
  },
  {
    ...{name: 'the certificate of another signature', rule: identity()},
    documents: [withPartOf('certificate', keyless())],
    why: /signature-missing/,
  },
  {name: 'no log entry', rule: identity(), documents: [{...keyless(), ...unlogged(keyless())}], why: /./},
  {name: 'stripped signatures', rule: KEY, documents: [], why: /^signature-missing/},
  {name: 'stripped attestations', rule: BUILT, documents: [signed()], why: /^provenance-missing/},
  {
    ...{name: 'an attestation in place of the signature', rule: BUILT, documents: [provenance(...RIGHT)]},
    why: /^signature-missing/,
  },
  {
    ...{name: 'provenance of a builder that only another key states', rule: BUILT},
    documents: [signed(), provenance(EVIL, RIGHT[1]), provenance(...RIGHT, attacker)],
    why: /^provenance-other: .*built by https:\/\/evil.* from .*; required: the builder .* and the source /,
  },
  {
    ...{name: 'builder and source of two statements', rule: BUILT},
    documents: [signed(), provenance(EVIL, RIGHT[1]), provenance(RIGHT[0], EVIL)],
    why: /^provenance-other/,
  },
  {
    ...{name: 'a predicate twice in one statement', rule: BUILT},
    documents: [
      signed(),
      bundleOf(
        JSON.stringify(statement(IMAGE, PROVENANCE, {})).replace(
          '"predicate":{}',
          '"predicate":{},"predicate":{}',
        ),
        team.privateKey,
      ),
    ],
    why: /predicate.* twice/,
  },
  {
    ...{name: 'a statement about a thousand others', rule: KEY},
    documents: [
      bundleOf(
        {...statement(IMAGE), subject: Array.from({length: 1001}, () => statement(IMAGE).subject[0])},
        team.privateKey,
      ),
    ],
    why: /about too many images/,
  },
]

function unlogged({verificationMaterial}: ReturnType<typeof keyless>) {
  return {verificationMaterial: {...verificationMaterial, tlogEntries: []}}
}

describe('attacks on signatures', () => {
  it.each(ATTACKS)('$name: rejected', async ({rule, documents, why}) => {
    const store = new Artifacts()
    for (const document of documents) store.refer(document)
    expect(await judged(rule, store)).toEqual({
      code: 'signature-refused',
      problems: [expect.stringMatching(why)],
    })
  })

  it.each([
    {name: 'a key', rule: KEY, documents: [signed()]},
    {name: 'an identity', rule: identity('https://git.example.test/team/**'), documents: [keyless()]},
    {
      ...{name: 'a certificate that has expired since', rule: identity()},
      documents: [keyless({from: -60, to: -50, logged: -55})],
    },
    {name: 'builder and source', rule: BUILT, documents: [signed(), provenance(...RIGHT)]},
    {
      ...{name: 'a key, beside those of others', rule: KEY},
      documents: [signed(IMAGE, attacker), signed(OTHER), {}, signed()],
    },
  ])('$name: accepted, so that a rejection means something', async ({rule, documents}) => {
    const store = new Artifacts()
    for (const document of documents) store.refer(document)
    expect(await judged(rule, store)).toEqual(expect.arrayContaining([expect.anything()]))
  })

  it.each([
    {name: 'as a bundle', store: () => new Artifacts().referBytes(NESTED)},
    {
      name: 'as a statement',
      store: () => new Artifacts().refer(bundleOf(NESTED.toString(), team.privateKey)),
    },
    {
      name: 'as an index of referrers',
      store: () =>
        new Artifacts().list({
          ...{mediaType: 'application/vnd.oci.image.index.v1+json', artifactType: BUNDLE},
          ...{digest: digestOf(NESTED), size: NESTED.length, annotations: {}},
        }),
    },
  ])('referrers that are nested $name: rejected', async ({store}) => {
    expect(await judged(KEY, store())).toMatchObject({code: 'signature-refused'})
  })

  it.each([
    {name: 'a number of referrers', count: 129, size: 2},
    {name: 'a number of referrers that no registry has', count: 50_000, size: 2},
  ])('$name: rejected', async ({count, size}) => {
    const store = new Artifacts()
    for (let number = 0; number < count; number += 1) {
      const digest = digestOf(Buffer.from(String(number)))
      store.list({mediaType: MANIFEST, artifactType: BUNDLE, digest, size, annotations: {}})
    }
    expect(await judged(KEY, store)).toMatchObject({code: 'limit-exceeded'})
  })
})

describe('a tag that is moved between verification and pull', () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  let registry: RegistryServer
  let move: (() => void) | undefined
  const moved = {from: '', to: ''}
  beforeAll(async () => {
    registry = await startRegistry({
      beforeAnswer: ({path}) => {
        // The signatures are read after the tag, and before the package.
        if (/\/referrers\/|\/sha256-/.test(path)) move?.()
      },
    })
    writeFileSync(at('key.pem'), team.privateKey.export({type: 'pkcs8', format: 'pem'}))
    writeFileSync(at('team.pub'), team.pem)
    const rule = 'signatures: [{repositories: ["*"], signers: [{keyFile: team.pub}]}]'
    writeFileSync(
      at('policy.yaml'),
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n${rule}\n`,
    )
    moved.from = await push('app', '--sign-key', at('key.pem'))
    cpSync(SOURCE, at('evil'), {recursive: true})
    writeFileSync(at('evil/.registry/evil.txt'), 'evil')
    moved.to = await push('evil', '--force')
  })
  afterAll(() => registry.close())
  const SOURCE = 'test/testdata/packages/image-counter'
  const reference = () => `${registry.host}/team/app:0.3.0`
  async function push(name: string, ...flags: readonly string[]): Promise<string> {
    const source = name === 'evil' ? at('evil') : SOURCE
    const {stdout, status} = await runCli('package', 'push', reference(), source, '--no-lint', ...flags)
    expect(status).toBe(0)
    return stdout.trim().split('@')[1] ?? ''
  }
  const tagTo = (digest: string) => {
    registry.contents.repository('team/app')?.tags.set('0.3.0', digest)
  }
  it.each([
    {name: 'package inspect', argv: ['package', 'inspect']},
    {name: 'package pull', argv: ['package', 'pull']},
  ])('$name reads what was verified', async ({name, argv}) => {
    const {status, stdout, requests} = await runMoving(name, ...argv)
    expect(status).toBe(0)
    expect(stdout).toContain(moved.from)
    expect(requests.filter(path => path.includes(moved.to))).toEqual([])
  })

  it('package render rejects it: the image of the controller has the same tag', async () => {
    const argv = ['package', 'render', '--namespace', 'a']
    const {status, stdout, stderr} = await runMoving('package render', ...argv)
    expect({status, stdout, stderr}).toEqual({
      ...{status: 4, stdout: ''},
      stderr: expect.stringContaining(`@${moved.to}: it is not signed as required`),
    })
  })

  /** Runs a command while the tag is moved as soon as it reads signatures. */
  async function runMoving(name: string, ...argv: readonly string[]) {
    tagTo(moved.from)
    move = () => {
      tagTo(moved.to)
    }
    const mark = registry.seen.length
    const result = await runCli(
      ...[...argv, reference(), '--policy', at('policy.yaml'), '--cache-dir', at(`cache of ${name}`)],
    )
    expect(registry.contents.repository('team/app')?.tags.get('0.3.0')).toBe(moved.to)
    return {...result, requests: registry.seen.slice(mark).map(({path}) => path)}
  }

  it('is rejected if it was moved before', async () => {
    move = undefined
    tagTo(moved.to)
    const {status, stdout, stderr} = await runCli(
      ...['package', 'pull', reference(), '--policy', at('policy.yaml'), '--cache-dir', at('last cache')],
    )
    expect({status, stdout, stderr}).toEqual({
      ...{status: 4, stdout: ''},
      stderr: expect.stringContaining('it is not signed as required'),
    })
  })
})
