import {describe, expect, it} from '@jest/globals'
import type {TrustedSigner} from '../../src/signatures/trusted-signer.js'
import {verifyImage} from '../../src/signatures/verify-image.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {bundle, bundleIn, changed, cryptography, root, valueAt, verify} from './keyless-bundles.js'
import {Artifacts, newKeys} from './signed-images.js'

const other = bundleIn('provenance-1.3.0.json')

const SIGNER = {
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'https://github.com/sigstore/sigstore-js/.github/workflows/release.yml@refs/heads/main',
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
