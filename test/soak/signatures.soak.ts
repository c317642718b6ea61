import {describe, expect, it} from '@jest/globals'
import {isDeepStrictEqual} from 'node:util'
import {sigstoreCryptography} from '../../src/adapters/sigstore/sigstore-cryptography.js'
import {readPolicyFile} from '../../src/declaration/policy/read-policy.js'
import {CrossplaneError} from '../../src/errors.js'
import {signatureRules} from '../../src/pipeline/request/signature-rules.js'
import {packageTrust} from '../../src/signatures/package-trust.js'
import type {RecordedStatement} from '../../src/signatures/recorded-statement.js'
import type {SignatureRule} from '../../src/signatures/signature-rule.js'
import {readTrustedRoot} from '../../src/signatures/read-trusted-root.js'
import {trustedKey} from '../../src/signatures/public-key.js'
import {Artifacts, bundleOf, digestOf, newKeys, statement} from '../signatures/signed-images.js'
import {keylessBundle, signingServices, trustedRootOf} from '../signatures/sigstore/keyless-bundle.js'
import {below, campaign, pick} from './campaign.js'
import {mutated} from './mutated.js'

const IMAGE = digestOf(Buffer.from('the image'))
const OTHER = digestOf(Buffer.from('another image'))
const REPOSITORY = 'registry.example.org/team/app'
const TYPE = 'https://sigstore.dev/cosign/sign/v1'
const issuer = 'https://tokens.example.test'
const subject = 'https://git.example.test/team/app/release.yaml@refs/tags/v1'
/** Five campaigns: 200 rounds in the full check, 2,000 in `npm run soak`. */
const LENGTH = {short: 40, long: 400}
/** Milliseconds that one verification may take, on a machine that has much else to do. */
const LIMIT = 10_000

const [team, attacker] = [newKeys(), newKeys()]
const [services, foreign] = [signingServices(), signingServices()]
const rootBytes = Buffer.from(JSON.stringify(trustedRootOf(services)))
const cryptography = sigstoreCryptography()

type Path = readonly (string | number)[]
type Json = Record<string, unknown>

const LOG = ['verificationMaterial', 'tlogEntries', 0] as const
const ENVELOPE: readonly Path[] = [
  ['dsseEnvelope', 'payload'],
  ['dsseEnvelope', 'signatures', 0, 'sig'],
]
/** Everything in a bundle of an identity that its signatures cover. */
const SIGNED: readonly Path[] = [
  ...ENVELOPE,
  ['verificationMaterial', 'certificate', 'rawBytes'],
  [...LOG, 'canonicalizedBody'],
  [...LOG, 'logId', 'keyId'],
  [...LOG, 'inclusionPromise', 'signedEntryTimestamp'],
  [...LOG, 'inclusionProof', 'rootHash'],
  [...LOG, 'inclusionProof', 'hashes', 0],
]
const NUMBERS: readonly Path[] = [
  [...LOG, 'integratedTime'],
  [...LOG, 'inclusionProof', 'logIndex'],
  [...LOG, 'inclusionProof', 'treeSize'],
]
const CHECKPOINT: Path = [...LOG, 'inclusionProof', 'checkpoint', 'envelope']
/** What of a bundle is about one artifact only. */
const PARTS: readonly Path[] = [
  ...SIGNED,
  ['dsseEnvelope'],
  ['verificationMaterial', 'certificate'],
  ['verificationMaterial', 'tlogEntries'],
  [...LOG, 'inclusionPromise'],
  [...LOG, 'inclusionProof'],
]

const rule = (signers: SignatureRule['signers']): SignatureRule => ({
  ...{repositories: ['*'], signers, require: ['signature'], otherwise: 'reject'},
})
const identity = (bytes: Uint8Array) =>
  rule([{kind: 'identity', issuer, subject, trustedRoot: readTrustedRoot(bytes, 'root.json')}])
const POLICY = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: Policy
signatures:
- repositories: ["*"]
  signers:
  - keyFile: team.pub
- repositories: [registry.example.org/team]
  trustedRoot: root.json
  signers:
  - issuer: ${issuer}
    subject: ${subject}
  require: [signature]
  otherwise: reject
`
const KEY = rule([trustedKey(team.pem, 'team.pub')])
const IDENTITY = identity(rootBytes)

/** Bundles of the image and of another one, by a key and by an identity. */
const byKey = (digest = IMAGE, {privateKey} = team) => bundleOf(statement(digest), privateKey)
const byIdentity = (digest = IMAGE, by = services) => keylessBundle(statement(digest), {issuer, subject}, by)
const SOUND = {key: byKey(), identity: byIdentity()}
const OF_OTHERS = {key: byKey(OTHER), identity: byIdentity(OTHER)}

/** What is stated of the image, or the code of the error. */
async function outcome(
  rules: readonly SignatureRule[],
  store: Artifacts,
): Promise<readonly RecordedStatement[] | string | undefined> {
  const ports = {cryptography: () => Promise.resolve(cryptography), warn: () => undefined}
  const start = performance.now()
  try {
    return await packageTrust(rules, ports).expect(REPOSITORY, IMAGE, () => Promise.resolve(store))
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  } finally {
    expect(performance.now() - start).toBeLessThan(LIMIT)
  }
}

function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Json)[key], document)
}

function changed(document: unknown, path: Path, value: unknown): Json {
  const copy = structuredClone(document) as Json
  ;(valueAt(copy, path.slice(0, -1)) as Json)[path.at(-1) ?? ''] = value
  return copy
}

/** The same bytes in base64 but for one bit. */
function flipped(random: () => number, text: unknown): string {
  const bytes = Buffer.from(String(text), 'base64')
  const at = below(random, bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8))
  return bytes.toString('base64')
}

/** A layer of older versions of cosign. */
function tagged(random: () => number): Artifacts {
  const payload = {
    critical: {
      ...{identity: {'docker-reference': REPOSITORY}, type: 'cosign container image signature'},
      image: {'docker-manifest-digest': OTHER},
    },
  }
  const bytes = Buffer.from(JSON.stringify(payload).replace(OTHER, pick(random, [IMAGE, OTHER])))
  const sig = pick(random, [SOUND.key.dsseEnvelope.signatures[0]?.sig ?? '', 'AAAA', ''])
  const annotations = {
    'dev.cosignproject.cosign/signature': flipped(random, `${sig}AAAA`),
    ...(random() < 0.3 && {
      'dev.sigstore.cosign/bundle': mutated(random, rootBytes.subarray(0, 400)).toString(),
    }),
    ...(random() < 0.3 && {'dev.sigstore.cosign/certificate': pick(random, ['', '-----BEGIN', team.pem])}),
  }
  const mediaType = 'application/vnd.dev.cosign.simplesigning.v1+json'
  const layer = {bytes: random() < 0.5 ? mutated(random, bytes) : bytes, mediaType, annotations}
  return new Artifacts().tag(`${IMAGE.replace(':', '-')}.sig`, [layer])
}

describe('mutated signatures', () => {
  it('count as long as they are not mutated', async () => {
    for (const [kind, one] of Object.entries({key: KEY, identity: IDENTITY})) {
      const store = new Artifacts().refer(SOUND[kind as keyof typeof SOUND])
      expect(await outcome([one], store)).toEqual([expect.objectContaining({predicateType: TYPE})])
    }
  })

  const refused = async (document: unknown, by = IDENTITY) => {
    expect(await outcome([by], new Artifacts().refer(document))).toEqual(
      expect.stringMatching(/^(?:signature-refused|limit-exceeded|source-invalid)$/),
    )
  }

  campaign('do not count with one bit that differs', LENGTH, async ({random}) => {
    const path = pick(random, SIGNED)
    await refused(changed(SOUND.identity, path, flipped(random, valueAt(SOUND.identity, path))))
    const other = pick(random, ENVELOPE)
    await refused(changed(SOUND.key, other, flipped(random, valueAt(SOUND.key, other))), KEY)
  })

  campaign('do not count with another proof', LENGTH, async ({random}) => {
    const path = pick(random, NUMBERS)
    const value = Number(valueAt(SOUND.identity, path)) + pick(random, [-1, 1]) * (1 + below(random, 10_000))
    await refused(changed(SOUND.identity, path, String(value)))
    const note = String(valueAt(SOUND.identity, CHECKPOINT))
    const at = below(random, note.indexOf('\n\n') + 1)
    const other = String.fromCharCode(note.charCodeAt(at) ^ (1 << below(random, 5)))
    await refused(changed(SOUND.identity, CHECKPOINT, note.slice(0, at) + other + note.slice(at + 1)))
  })

  campaign('do not count with a part of those of another image', LENGTH, async ({random}) => {
    const from = pick(random, [OF_OTHERS.identity, byIdentity(IMAGE, foreign)])
    const differing = PARTS.filter(
      path => !isDeepStrictEqual(valueAt(from, path), valueAt(SOUND.identity, path)),
    )
    const path = pick(random, differing)
    await refused(changed(SOUND.identity, path, valueAt(from, path)))
  })

  campaign('state what was signed, or are rejected with a code', LENGTH, async ({random}) => {
    const [kind, one] = pick(random, [['key', KEY] as const, ['identity', IDENTITY] as const])
    const text = mutated(random, Buffer.from(JSON.stringify(SOUND[kind])))
    const sound = await outcome([one], new Artifacts().refer(SOUND[kind]))
    const result = await outcome([one], new Artifacts().referBytes(text))
    if (typeof result !== 'string') expect(result).toEqual(sound)
    expect(typeof (await outcome([one], tagged(random)))).toBe('string')
  })

  campaign('of others do not count by a mutated policy or root', LENGTH, async ({random}) => {
    const store = new Artifacts()
      .refer(byKey(IMAGE, attacker))
      .refer(byIdentity(IMAGE, foreign))
      .refer(pick(random, [OF_OTHERS.key, OF_OTHERS.identity]))
    const files = {
      'policy.yaml': Buffer.from(POLICY),
      'root.json': rootBytes,
      'team.pub': Buffer.from(team.pem),
    }
    const name = pick(random, Object.keys(files) as (keyof typeof files)[])
    const result = await byPolicy({...files, [name]: mutated(random, files[name])}, store)
    // A policy may be about other repositories, or only warn: still no signature counts.
    if (typeof result !== 'string') expect(result ?? []).toEqual([])
  })
})

/** Judges an image by a policy and the files that it names. */
async function byPolicy(
  files: Readonly<Record<string, Uint8Array>>,
  store: Artifacts,
): ReturnType<typeof outcome> {
  const read = (name: string) => {
    const bytes = files[name]
    if (bytes === undefined) throw new CrossplaneError('not-found', `no ${name}`)
    return Promise.resolve({name, bytes})
  }
  try {
    const policy = readPolicyFile('policy.yaml', files['policy.yaml'] ?? Buffer.alloc(0))
    const inputs = {read, beside: (_path: string, name: string) => name}
    return await outcome(await signatureRules(policy, 'policy.yaml', inputs), store)
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}
