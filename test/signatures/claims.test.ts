import {describe, expect, it} from '@jest/globals'
import {readSigningCertificate} from '../../src/adapters/sigstore/signing-certificate.js'
import {readClaims} from '../../src/signatures/claims.js'
import {keyHash} from '../../src/signatures/public-key.js'
import {SIGNATURE_LIMITS} from '../../src/signatures/signature-limits.js'
import {Artifacts, bundleOf, digestOf, newKeys, statement} from './signed-images.js'
import {certificateAuthority, newKeyPair} from './sigstore/certificates.js'

const DIGEST = digestOf(Buffer.from('an image'))
const OTHER = digestOf(Buffer.from('another image'))
const {privateKey, pem} = newKeys()
const claims = (store: Artifacts) => readClaims(DIGEST, store, () => Promise.resolve(readSigningCertificate))
const hint = Buffer.from(keyHash(pem).slice('sha256:'.length), 'hex').toString('base64')
const by = (content: unknown, verificationMaterial: Record<string, unknown>) => ({
  ...bundleOf(content, privateKey),
  verificationMaterial,
})
const issuer = 'https://tokens.example.test'
const subject = 'https://git.example.test/team/app'
const certificate = () => {
  const [from, to] = [Date.now(), Date.now() + 60_000]
  return certificateAuthority().issue({spki: newKeyPair().spki, issuer, subject, from, to}).toString('base64')
}
const SIGNATURE = {kind: 'signature', predicateType: 'https://sigstore.dev/cosign/sign/v1'}

describe('claims of signatures', () => {
  it.each([
    {name: 'the key of a hint', material: {publicKey: {hint}}, want: {signer: {key: keyHash(pem)}}},
    {name: 'no key without a hint', material: {publicKey: {hint: ''}}, want: {}},
    {
      name: 'the identity of a certificate',
      material: {certificate: {rawBytes: certificate()}},
      want: {signer: {issuer, subject}},
    },
    {
      name: 'the identity of the first certificate of a chain',
      material: {x509CertificateChain: {certificates: [{rawBytes: certificate()}]}},
      want: {signer: {issuer, subject}},
    },
  ])('name $name', async ({material, want}) => {
    expect(await claims(new Artifacts().refer(by(statement(DIGEST), material)))).toEqual({
      statements: [{...SIGNATURE, ...want}],
      rejected: [],
    })
  })

  it('have builder and source of provenance', async () => {
    const predicateType = 'https://slsa.dev/provenance/v1'
    const predicate = {
      buildDefinition: {externalParameters: {source: 'git+https://git.example.test/team/app@refs/tags/v1'}},
      runDetails: {builder: {id: 'https://ci.example.test/builder'}},
    }
    const store = new Artifacts().refer(by(statement(DIGEST, predicateType, predicate), {publicKey: {hint}}))
    expect((await claims(store)).statements).toEqual([
      {
        ...{kind: 'provenance', predicateType, signer: {key: keyHash(pem)}},
        ...{builder: 'https://ci.example.test/builder', source: 'https://git.example.test/team/app'},
      },
    ])
  })

  it('are read in the tags of older versions of cosign', async () => {
    const critical = {
      ...{type: 'cosign container image signature', identity: {'docker-reference': ''}},
      image: {'docker-manifest-digest': DIGEST},
    }
    const layer = {
      bytes: Buffer.from(JSON.stringify({critical, optional: null})),
      mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
      annotations: {'dev.cosignproject.cosign/signature': 'AAAA'},
    }
    const store = new Artifacts().tag(`${DIGEST.replace(':', '-')}.sig`, [layer])
    expect(await claims(store)).toEqual({statements: [SIGNATURE], rejected: []})
  })

  it.each([
    {
      name: 'of another image',
      bundle: by(statement(OTHER), {publicKey: {hint}}),
      want: `it is for "${OTHER}"`,
    },
    {
      name: 'with a certificate that is none',
      bundle: by(statement(DIGEST), {certificate: {rawBytes: 'AAAA'}}),
      want: 'its certificate cannot be read',
    },
    {
      name: 'with a certificate that is too large',
      bundle: by(statement(DIGEST), {certificate: {rawBytes: 'A'.repeat(SIGNATURE_LIMITS.partLength + 1)}}),
      want: 'it has a certificate or timestamp that is too large',
    },
    {name: 'that are no statement', bundle: by('text', {}), want: 'the signed content is not valid JSON'},
    {name: 'without content', bundle: {}, want: 'the signed content is not valid JSON'},
  ])('are no claims if they are $name', async ({bundle, want}) => {
    const place = expect.any(String)
    expect(await claims(new Artifacts().refer(bundle))).toEqual({
      statements: [],
      rejected: [{place, reason: expect.stringContaining(want)}],
    })
  })

  it('are limited', async () => {
    const store = new Artifacts()
    for (let number = 0; number <= SIGNATURE_LIMITS.documents; number += 1) {
      const mediaType = 'application/vnd.oci.image.manifest.v1+json'
      const digest = digestOf(Buffer.from(String(number)))
      store.list({mediaType, digest, size: 1, annotations: {}})
    }
    await expect(claims(store)).rejects.toMatchObject({code: 'limit-exceeded'})
  })
})
