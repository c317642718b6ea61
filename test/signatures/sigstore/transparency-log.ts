import {sign} from 'node:crypto'
import {type KeyPair, newKeyPair, sha256} from './certificates.js'

/** The name of the log in its checkpoints. */
export const LOG_NAME = 'rekor.example.test'
/** The first index of the log: other trees have those before. */
const FIRST = 1000

/** A transparency log as Rekor has it: a tree of hashes, signed promises and checkpoints. */
export class TransparencyLog {
  readonly keys: KeyPair = newKeyPair()
  readonly id = sha256(this.keys.spki)
  readonly #leaves: Buffer[] = ['a', 'b', 'c'].map(text => leafHash(Buffer.from(text)))

  /** Adds an entry, and returns what Rekor responds. */
  add(body: Buffer, integratedTime: number) {
    const treeIndex = this.#leaves.push(leafHash(body)) - 1
    // Later entries make the proof one of a tree that goes on.
    this.#leaves.push(leafHash(Buffer.from('d')))
    const logIndex = FIRST + treeIndex
    const entry = {body: body.toString('base64'), integratedTime, logID: this.id.toString('hex'), logIndex}
    const inclusionProof = {
      checkpoint: this.#checkpoint(),
      hashes: proof(this.#leaves, treeIndex).map(hash => hash.toString('hex')),
      logIndex: treeIndex,
      rootHash: rootOf(this.#leaves).toString('hex'),
      treeSize: this.#leaves.length,
    }
    // The keys are in the order of canonical JSON.
    const signedEntryTimestamp = this.#sign(JSON.stringify(entry)).toString('base64')
    return {...entry, verification: {inclusionProof, signedEntryTimestamp}}
  }

  /** https://github.com/transparency-dev/formats/blob/main/log/README.md */
  #checkpoint(): string {
    const root = rootOf(this.#leaves).toString('base64')
    const note = `${LOG_NAME} - 1193050959916656506\n${this.#leaves.length}\n${root}\n`
    const signature = Buffer.concat([this.id.subarray(0, 4), this.#sign(note)])
    return `${note}\n\u2014 ${LOG_NAME} ${signature.toString('base64')}\n`
  }

  #sign(text: string): Buffer {
    return sign('sha256', Buffer.from(text), this.keys.privateKey)
  }
}

/** The content of an entry for a signed envelope. https://github.com/sigstore/rekor/tree/main/pkg/types/dsse */
export function dsseEntry({
  envelope,
  payload,
  sig,
  verifier,
}: {
  readonly envelope: string
  readonly payload: Uint8Array
  readonly sig: string
  readonly verifier: string
}): Buffer {
  const hash = (bytes: Uint8Array) => ({algorithm: 'sha256', value: sha256(bytes).toString('hex')})
  const spec = {
    ...{envelopeHash: hash(Buffer.from(envelope)), payloadHash: hash(payload)},
    signatures: [{signature: sig, verifier}],
  }
  return Buffer.from(JSON.stringify({apiVersion: '0.0.1', kind: 'dsse', spec}))
}

/** https://www.rfc-editor.org/rfc/rfc6962#section-2.1 */
function leafHash(body: Buffer): Buffer {
  return sha256(Buffer.from([0]), body)
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only = Buffer.alloc(0), ...others] = leaves
  if (others.length === 0) return only
  const middle = half(leaves.length)
  return sha256(Buffer.from([1]), rootOf(leaves.slice(0, middle)), rootOf(leaves.slice(middle)))
}

function proof(leaves: readonly Buffer[], index: number): readonly Buffer[] {
  if (leaves.length === 1) return []
  const middle = half(leaves.length)
  return index < middle
    ? [...proof(leaves.slice(0, middle), index), rootOf(leaves.slice(middle))]
    : [...proof(leaves.slice(middle), index - middle), rootOf(leaves.slice(0, middle))]
}

/** The largest power of two below a number. */
function half(size: number): number {
  return 2 ** Math.floor(Math.log2(size - 1))
}
