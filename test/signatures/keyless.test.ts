import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {sigstoreCryptography} from '../../src/adapters/sigstore/sigstore-cryptography.js'
import {outOfBounds} from '../../src/signatures/bundle-bounds.js'
import {readTrustedRoot} from '../../src/signatures/read-trusted-root.js'
import type {TrustedSigner} from '../../src/signatures/trusted-signer.js'
import {verifyImage} from '../../src/signatures/verify-image.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {Artifacts, newKeys} from './signed-images.js'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../testdata/signatures', name))
const root = readTrustedRoot(read('trusted-root.json'), 'trusted-root.json')
const bundleIn = (name: string) => JSON.parse(read(name).toString()) as JsonObject
const bundle = bundleIn('provenance-2.0.0.json')
const other = bundleIn('provenance-1.3.0.json')
const cryptography = sigstoreCryptography()
const verify = (changed: JsonObject, trustedRoot = root) =>
  cryptography.verify({place: 'x', bundle: changed}, {kind: 'certificate', trustedRoot})

const SIGNER = {
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'https://github.com/sigstore/sigstore-js/.github/workflows/release.yml@refs/heads/main',
}

/** A copy of a document in which one field is replaced, or removed. */
function changed(document: JsonObject, path: readonly (string | number)[], value?: JsonValue): JsonObject {
  const copy = structuredClone(document) as Record<string, JsonValue>
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, JsonValue>
  const last = path.at(-1) ?? ''
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else parent[last] = value
  return copy
}

function valueAt(document: JsonObject, path: readonly (string | number)[]): JsonValue {
  return path.reduce<JsonValue>((value, key) => (value as Record<string, JsonValue>)[key] ?? null, document)
}

const MATERIAL = 'verificationMaterial'
const LOG = [MATERIAL, 'tlogEntries']
const CERTIFICATES = [MATERIAL, 'x509CertificateChain']
const everywhere = (list: string, validFor: JsonValue) =>
  changed(
    root,
    [list],
    (root[list] as readonly JsonObject[]).map(authority =>
      list === 'certificateAuthorities'
        ? changed(authority, ['validFor'], validFor)
        : changed(authority, ['publicKey', 'validFor'], validFor),
    ),
  )

describe('a signature by an identity', () => {
  it('is valid by a trusted root', () => {
    expect(verify(bundle)).toMatchObject({signer: SIGNER, payloadType: 'application/vnd.in-toto+json'})
  })

  const past = {start: '2019-01-01T00:00:00Z', end: '2020-01-01T00:00:00Z'}
  const future = {start: '2049-01-01T00:00:00Z'}
  it.each([
    {name: 'an authority that is not in the root', root: changed(root, ['certificateAuthorities'], [])},
    {name: 'an authority that has expired', root: everywhere('certificateAuthorities', past)},
    {name: 'an authority that is not yet valid', root: everywhere('certificateAuthorities', future)},
    {name: 'a log that is not in the root', root: changed(root, ['tlogs'], [])},
    {name: 'a log whose key has expired', root: everywhere('tlogs', past)},
    {name: 'a log of certificates that is not in the root', root: changed(root, ['ctlogs'], [])},
    {name: 'a log of certificates that is not yet valid', root: everywhere('ctlogs', future)},
    {name: 'no log entry', in: changed(bundle, LOG, [])},
    {name: 'the log entry of another artifact', in: changed(bundle, LOG, valueAt(other, LOG))},
    {
      name: 'the certificate of another artifact',
      in: changed(bundle, CERTIFICATES, valueAt(other, CERTIFICATES)),
    },
    {
      name: 'the content of another artifact',
      in: changed(bundle, ['dsseEnvelope'], valueAt(other, ['dsseEnvelope'])),
    },
    {name: 'a later time in the log entry', in: changed(bundle, [...LOG, 0, 'integratedTime'], '4102444800')},
    {
      name: 'an entry without promise and proof',
      in: changed(changed(bundle, [...LOG, 0, 'inclusionPromise']), [...LOG, 0, 'inclusionProof']),
    },
    {name: 'a proof of another place', in: changed(bundle, [...LOG, 0, 'inclusionProof', 'logIndex'], '1')},
    {name: 'a proof without hashes', in: changed(bundle, [...LOG, 0, 'inclusionProof', 'hashes'], [])},
    {
      name: 'a key in place of the certificate',
      in: changed(changed(bundle, CERTIFICATES), [MATERIAL, 'publicKey'], {hint: ''}),
    },
  ])('is not valid with $name', ({in: document = bundle, root: trustedRoot = root}) => {
    expect(verify(document, trustedRoot)).toEqual({reason: expect.any(String)})
  })

  it('is not one by a key', () => {
    const {pem} = newKeys()
    expect(cryptography.verify({place: 'x', bundle}, {kind: 'key', pem})).toEqual({
      reason: 'it is signed with a certificate',
    })
  })

  const identity = (issuer: string, subject: string): TrustedSigner => ({
    ...{kind: 'identity', trustedRoot: root},
    ...{issuer, subject},
  })
  it.each([
    {name: 'the identity', signer: identity(SIGNER.issuer, SIGNER.subject), isTrusted: true},
    {name: 'a pattern', signer: identity(SIGNER.issuer, 'https://github.com/sigstore/**'), isTrusted: true},
    {
      name: 'another issuer',
      signer: identity('https://accounts.example.org', SIGNER.subject),
      isTrusted: false,
    },
    {
      name: 'a longer issuer',
      signer: identity(`${SIGNER.issuer}.evil.example`, SIGNER.subject),
      isTrusted: false,
    },
    {
      name: 'a pattern across segments',
      signer: identity(SIGNER.issuer, 'https://github.com/*'),
      isTrusted: false,
    },
    {name: 'a regular expression', signer: identity('.*', '.*'), isTrusted: false},
    {name: 'nothing', signer: identity('', ''), isTrusted: false},
  ])('is compared with the trusted one: $name', async ({signer, isTrusted}) => {
    const store = new Artifacts().refer(bundle)
    const {statements, rejected} = await verifyImage(
      `sha256:${'a'.repeat(64)}`,
      store,
      [signer],
      cryptography,
    )
    // The statement is about a package of npm, of which it has another hash: it never counts for an image.
    expect(statements).toEqual([])
    expect(rejected).toMatchObject([
      {
        reason: expect.stringMatching(
          isTrusted ? /^it is for/ : /^it is signed by https:\/\/github\.com\/sigstore/,
        ),
      },
    ])
  })
})

/** Numbers between 0 and `limit`, the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

function leaves(
  value: JsonValue,
  path: readonly (string | number)[] = [],
): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))]
}

function mutated(document: JsonObject, random: (limit: number) => number): JsonObject {
  const paths = leaves(document).filter(path => path.length > 0)
  const path = paths[random(paths.length)] ?? []
  const value = valueAt(document, path)
  if (typeof value !== 'string' || value === '')
    return changed(document, path, [undefined, {}, '', 7][random(4)])
  const place = random(value.length)
  const character = String.fromCharCode(33 + random(90))
  return changed(document, path, value.slice(0, place) + character + value.slice(place + random(2)))
}

describe('200 mutations of a signature', () => {
  const SEED = Number(process.env.SOAK_SEED ?? 20_261_126)
  const original = verify(bundle)
  it(`by the seed ${SEED} are rejected, or change nothing that is signed`, () => {
    const random = numbers(SEED)
    const accepted: JsonObject[] = []
    for (let round = 0; round < 200; round += 1) {
      const document = mutated(bundle, random)
      if (outOfBounds(document) !== undefined) continue
      const result = verify(document)
      if ('reason' in result) continue
      expect(result).toEqual(original)
      accepted.push(document)
    }
    expect(accepted.length).toBeLessThan(100)
  })
})
