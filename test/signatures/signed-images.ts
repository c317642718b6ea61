import {createHash, generateKeyPairSync, type KeyObject, sign} from 'node:crypto'
import type {ArtifactStore} from '../../src/fetch/artifact-store.js'
import type {Descriptor, Digest} from '../../src/fetch/image.js'
import {oneChunk} from '../../src/http/one-chunk.js'

export const digestOf = (bytes: Uint8Array): Digest =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** A pair of keys, with the public one in PEM. */
export function newKeys(): {readonly privateKey: KeyObject; readonly pem: string} {
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  return {privateKey, pem: publicKey.export({type: 'spki', format: 'pem'}).toString()}
}

export const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const IN_TOTO = 'application/vnd.in-toto+json'

/** A statement of in-toto about an image. */
export function statement(
  digest: Digest,
  predicateType = 'https://sigstore.dev/cosign/sign/v1',
  predicate: unknown = {},
) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{digest: {sha256: digest.replace('sha256:', '')}}],
    predicateType,
    predicate,
  }
}

/** A bundle as cosign writes it: an envelope of DSSE, signed with a key. */
export function bundleOf(content: unknown, privateKey: KeyObject, payloadType = IN_TOTO) {
  const payload = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ])
  return {
    mediaType: BUNDLE,
    verificationMaterial: {publicKey: {hint: ''}} as Record<string, unknown>,
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType,
      signatures: [{sig: sign('sha256', signed, privateKey).toString('base64')}],
    },
  }
}

/** What a repository has about an image, in memory. */
export class Artifacts implements ArtifactStore {
  readonly name = 'registry.example.org/team/app'
  readonly #manifests = new Map<string, Uint8Array>()
  readonly #blobs = new Map<string, Uint8Array>()
  readonly #referrers: Descriptor[] = []

  /** Adds a bundle that refers to the image. */
  refer(bundle: unknown): this {
    return this.referBytes(Buffer.from(JSON.stringify(bundle)))
  }

  /** Adds what need not be JSON. */
  referBytes(bytes: Uint8Array): this {
    const layer = this.#layer(bytes, BUNDLE)
    const manifest = this.#manifest([layer])
    this.#referrers.push({...manifest, artifactType: BUNDLE})
    return this
  }

  /** Adds what any client can push: a descriptor of whatever it likes. */
  list(descriptor: Descriptor): this {
    this.#referrers.push(descriptor)
    return this
  }

  /** Adds layers under a tag, with annotations. */
  tag(
    tag: string,
    layers: readonly {bytes: Uint8Array; mediaType: string; annotations: Record<string, string>}[],
  ): this {
    const listed = layers.map(({bytes, mediaType, annotations}) => ({
      ...this.#layer(bytes, mediaType),
      annotations,
    }))
    this.#manifests.set(
      tag,
      Buffer.from(JSON.stringify({schemaVersion: 2, mediaType: MANIFEST, layers: listed})),
    )
    return this
  }

  /** Replaces the bytes of every layer, which keep their digests. */
  corrupt(): this {
    for (const digest of this.#blobs.keys()) this.#blobs.set(digest, Buffer.from('{}'))
    return this
  }

  referrers(): Promise<readonly Descriptor[]> {
    return Promise.resolve(this.#referrers)
  }

  manifest(reference: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#manifests.get(reference))
  }

  blob({digest}: Descriptor): AsyncIterable<Uint8Array> {
    return oneChunk(this.#blobs.get(digest) ?? Buffer.alloc(0))
  }

  #layer(bytes: Uint8Array, mediaType: string): Descriptor {
    this.#blobs.set(digestOf(bytes), bytes)
    return {mediaType, digest: digestOf(bytes), size: bytes.length, annotations: {}}
  }

  #manifest(layers: readonly Descriptor[]): Descriptor {
    const bytes = Buffer.from(JSON.stringify({schemaVersion: 2, mediaType: MANIFEST, layers}))
    this.#manifests.set(digestOf(bytes), bytes)
    return {mediaType: MANIFEST, digest: digestOf(bytes), size: bytes.length, annotations: {}}
  }
}
