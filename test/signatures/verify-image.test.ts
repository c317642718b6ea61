import {describe, expect, it} from '@jest/globals'
import {sign} from 'node:crypto'
import {sigstoreCryptography} from '../../src/adapters/sigstore/sigstore-cryptography.js'
import type {Digest} from '../../src/fetch/image.js'
import {keyHash, trustedKey} from '../../src/signatures/public-key.js'
import {verifyImage} from '../../src/signatures/verify-image.js'
import {outcome} from '../outcome.js'
import {Artifacts, BUNDLE, bundleOf, digestOf, newKeys, statement} from './signed-images.js'

const DIGEST: Digest = `sha256:${'a'.repeat(64)}`
const OTHER: Digest = `sha256:${'b'.repeat(64)}`
const team = newKeys()
const others = newKeys()
const trusted = [trustedKey(team.pem, 'team.pub')]
const verify = (store: Artifacts, digest = DIGEST) =>
  verifyImage(digest, store, trusted, sigstoreCryptography())

const simple = (digest: Digest) =>
  Buffer.from(
    JSON.stringify({
      critical: {
        identity: {'docker-reference': 'registry.example.org/team/app'},
        image: {'docker-manifest-digest': digest},
        type: 'cosign container image signature',
      },
      optional: null,
    }),
  )
const simpleLayer = (bytes: Uint8Array, signed = bytes) => ({
  bytes,
  mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
  annotations: {
    'dev.cosignproject.cosign/signature': sign('sha256', signed, team.privateKey).toString('base64'),
  },
})
const SIG = `${DIGEST.replace(':', '-')}.sig`

describe('the signatures of an image', () => {
  it('are statements of a trusted key about its digest', async () => {
    const evidence = await verify(new Artifacts().refer(bundleOf(statement(DIGEST), team.privateKey)))
    expect(evidence.rejected).toEqual([])
    expect(evidence.statements).toMatchObject([
      {signer: {key: keyHash(team.pem)}, predicateType: 'https://sigstore.dev/cosign/sign/v1'},
    ])
  })

  it('can be in the tag of older versions of cosign', async () => {
    const {statements} = await verify(new Artifacts().tag(SIG, [simpleLayer(simple(DIGEST))]))
    expect(statements).toMatchObject([{signer: {key: keyHash(team.pem)}}])
  })

  const signed = bundleOf(statement(DIGEST), team.privateKey)
  const withMaterial = (material: Record<string, unknown>) => ({
    ...signed,
    verificationMaterial: {...signed.verificationMaterial, ...material},
  })
  const repeated = JSON.stringify(statement(OTHER)).replace(
    '"subject"',
    `"subject":${JSON.stringify(statement(DIGEST).subject)},"subject"`,
  )
  it.each([
    {name: 'nothing', in: new Artifacts(), reason: undefined},
    {
      name: 'another key',
      in: new Artifacts().refer(bundleOf(statement(DIGEST), others.privateKey)),
      reason: /verification failed/,
    },
    {
      name: 'another digest',
      in: new Artifacts().refer(bundleOf(statement(OTHER), team.privateKey)),
      reason: /it is for "sha256:bbb/,
    },
    {
      name: 'no subject',
      in: new Artifacts().refer(bundleOf({...statement(DIGEST), subject: []}, team.privateKey)),
      reason: /it is for "nothing"/,
    },
    {
      name: 'a digest by another algorithm',
      in: new Artifacts().refer(
        bundleOf({...statement(DIGEST), subject: [{digest: {sha512: 'a'.repeat(64)}}]}, team.privateKey),
      ),
      reason: /it is for/,
    },
    {
      name: 'a payload of another type',
      in: new Artifacts().refer(bundleOf(statement(DIGEST), team.privateKey, 'text/plain')),
      reason: /not a statement/,
    },
    {
      name: 'the same key twice in the statement',
      in: new Artifacts().refer(bundleOf(repeated, team.privateKey)),
      reason: /"subject" twice/,
    },
    {
      name: 'a changed payload',
      in: new Artifacts().refer({
        ...signed,
        dsseEnvelope: {
          ...signed.dsseEnvelope,
          payload: bundleOf(statement(DIGEST, 'x'), others.privateKey).dsseEnvelope.payload,
        },
      }),
      reason: /verification failed/,
    },
    {
      name: 'two signatures in one envelope',
      in: new Artifacts().refer({
        ...signed,
        dsseEnvelope: {
          ...signed.dsseEnvelope,
          signatures: [
            ...bundleOf(statement(DIGEST), others.privateKey).dsseEnvelope.signatures,
            ...signed.dsseEnvelope.signatures,
          ],
        },
      }),
      reason: /invalid bundle/,
    },
    {
      name: 'no signature',
      in: new Artifacts().refer({...signed, dsseEnvelope: {...signed.dsseEnvelope, signatures: []}}),
      reason: /invalid bundle/,
    },
    {name: 'no bundle', in: new Artifacts().refer([]), reason: /not a JSON object/},
    {name: 'an empty bundle', in: new Artifacts().refer({}), reason: /invalid bundle/},
    {
      name: 'other bytes than the digest of the layer',
      in: new Artifacts().refer(signed).corrupt(),
      reason: /bytes instead|digest/,
    },
    {
      name: 'a thousand log entries',
      in: new Artifacts().refer(withMaterial({tlogEntries: Array.from({length: 1000}, () => ({}))})),
      reason: /too many parts/,
    },
    {
      name: 'a log whose name is a regular expression',
      in: new Artifacts().refer(
        withMaterial({
          tlogEntries: [
            {inclusionProof: {checkpoint: {envelope: 'log\n1\nAAAA\n\n\u2014 (([a-z]+)+)+$ AAAAAAAA\n'}}},
          ],
        }),
      ),
      reason: /its log has the name/,
    },
    {
      name: 'a proof of a million hashes',
      in: new Artifacts().refer(
        withMaterial({tlogEntries: [{inclusionProof: {hashes: Array.from({length: 65}, () => 'AAAA')}}]}),
      ),
      reason: /too long/,
    },
    {
      name: 'a plain signature of another image',
      in: new Artifacts().tag(SIG, [simpleLayer(simple(OTHER))]),
      reason: /it is for "sha256:bbb/,
    },
    {
      name: 'a plain signature of other bytes',
      in: new Artifacts().tag(SIG, [simpleLayer(simple(DIGEST), simple(OTHER))]),
      reason: /verification failed/,
    },
    {
      name: 'a layer of another type',
      in: new Artifacts().tag(SIG, [{...simpleLayer(simple(DIGEST)), mediaType: 'text/plain'}]),
      reason: /media type/,
    },
  ])('are not trusted: $name', async ({in: store, reason}) => {
    const {statements, rejected} = await verify(store)
    expect(statements).toEqual([])
    if (reason === undefined) expect(rejected).toEqual([])
    else expect(rejected).toMatchObject([{reason: expect.stringMatching(reason)}])
  })

  it('are not hidden by others', async () => {
    const store = new Artifacts()
      .refer({})
      .refer(bundleOf(statement(OTHER), others.privateKey))
      .refer(signed)
    const {statements, rejected} = await verify(store)
    expect([statements.length, rejected.length]).toEqual([1, 2])
  })

  const descriptor = (number: number, size = 2) => ({
    ...{mediaType: 'application/vnd.oci.image.manifest.v1+json', artifactType: BUNDLE, size, annotations: {}},
    digest: digestOf(Buffer.from(String(number))),
  })

  it('are at most 128', async () => {
    const store = new Artifacts()
    for (let number = 0; number < 129; number += 1) store.list(descriptor(number))
    expect(await outcome(() => verify(store))).toBe('limit-exceeded')
  })

  it('are at most of a size', async () => {
    const layer = {bytes: simple(DIGEST), mediaType: 'text/plain', annotations: {}}
    const large = {...layer, bytes: Buffer.alloc(17 * 1024 * 1024)}
    expect(await outcome(() => verify(new Artifacts().tag(SIG, [large])))).toBe('limit-exceeded')
  })

  it('are not in indexes that are listed as referrers', async () => {
    const index = {...descriptor(1), mediaType: 'application/vnd.oci.image.index.v1+json'}
    expect(await verify(new Artifacts().list(index))).toEqual({statements: [], rejected: []})
  })

  it('change nothing for another digest', async () => {
    expect((await verify(new Artifacts().refer(signed), digestOf(Buffer.from('x')))).statements).toEqual([])
  })
})
