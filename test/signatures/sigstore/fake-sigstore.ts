import {createPublicKey, sign, verify, X509Certificate} from 'node:crypto'
import {createServer, type IncomingMessage, type Server} from 'node:http'
import {once} from 'node:events'
import type {AddressInfo} from 'node:net'
import {certificateAuthority, newKeyPair, pem, sha256, spkiOf} from './certificates.js'
import {trustedRootOf} from './keyless-bundle.js'
import {dsseEntry, TransparencyLog} from './transparency-log.js'

export const ISSUER = 'https://tokens.example.test'
const MINUTE = 60_000

/** What a server does otherwise than it should. */
export interface Fault {
  /** Milliseconds by which the time of the log entry differs from now. */
  readonly logged?: number
  /** Replaces parts of the answer of a path. */
  readonly answer?: (path: string, text: string) => {readonly status?: number; readonly text?: string}
}

/**
 * Fulcio and Rekor with a root of the test's own. They verify what they are sent as the real ones do: the token, the proof of
 * possession, the signature of the envelope.
 */
export class FakeSigstore {
  readonly #authority = certificateAuthority()
  readonly #log = new TransparencyLog()
  readonly #tokens = newKeyPair()
  readonly #server: Server
  readonly #entries = new Map<string, unknown>()
  /** The path of each request. */
  readonly requests: string[] = []
  fault: Fault = {}

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({status, text, location}) => {
        const headers = {'content-type': 'application/json', ...(location !== undefined && {location})}
        response.writeHead(status, headers).end(text)
      })
    })
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** A token of the issuer that Fulcio accepts. */
  token(claims: Readonly<Record<string, unknown>>): string {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const content = `${encode({alg: 'ES256'})}.${encode({iss: ISSUER, aud: 'sigstore', ...claims})}`
    return `${content}.${sign('sha256', Buffer.from(content), this.#tokens.privateKey).toString('base64url')}`
  }

  trustedRoot() {
    return trustedRootOf({authority: this.#authority, log: this.#log})
  }

  async #answer(request: IncomingMessage): Promise<Answer & {readonly text: string}> {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    this.requests.push(`${request.method ?? ''} ${path}`)
    const {document, ...answer} = this.#respond(path, JSON.parse(Buffer.concat(chunks).toString() || '{}'))
    const text = JSON.stringify(document)
    return {...answer, text, ...this.fault.answer?.(path, text)}
  }

  #respond(path: string, document: unknown): Answer & {readonly document: unknown} {
    if (path === '/api/v2/signingCert') return this.#certify(document as CertificateRequest)
    if (path === '/api/v1/log/entries') return this.#record(document as ProposedEntry)
    const entry = this.#entries.get(path)
    if (entry !== undefined) return {status: 200, document: entry}
    return {status: 404, document: {code: 5, message: 'Not Found'}}
  }

  #certify({credentials, publicKeyRequest}: CertificateRequest) {
    const {content, algorithm} = publicKeyRequest.publicKey
    const subject = this.#subjectOf(credentials.oidcIdentityToken)
    if (subject === undefined)
      return {
        status: 401,
        document: {code: 16, message: `There was an error processing ${credentials.oidcIdentityToken}`},
      }
    const proof = Buffer.from(publicKeyRequest.proofOfPossession, 'base64')
    if (algorithm !== 'ECDSA' || !verify('sha256', Buffer.from(subject), content, proof))
      return {
        status: 400,
        document: {code: 3, message: 'The signature supplied in the request could not be verified'},
      }
    const now = Date.now()
    const certificate = this.#authority.issue({
      ...{spki: spkiOf(content), issuer: ISSUER, subject},
      ...{from: now - MINUTE, to: now + 10 * MINUTE},
    })
    const certificates = [pem(certificate), pem(this.#authority.certificate)]
    return {status: 200, document: {signedCertificateEmbeddedSct: {chain: {certificates}}}}
  }

  #subjectOf(token: string): string | undefined {
    const [head = '', claims = '', signature = ''] = token.split('.')
    const key = createPublicKey({key: this.#tokens.spki, type: 'spki', format: 'der'})
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      key,
      Buffer.from(signature, 'base64url'),
    )
    if (!isSigned) return undefined
    const {sub, email} = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>
    return email ?? sub
  }

  /** https://github.com/sigstore/rekor/tree/main/pkg/types/dsse */
  #record({kind, spec}: ProposedEntry) {
    const {envelope, verifiers} = spec.proposedContent
    const {payload, payloadType, signatures} = JSON.parse(envelope) as DsseEnvelope
    const [verifier = ''] = verifiers
    const content = Buffer.from(payload, 'base64')
    const signed = Buffer.concat([
      Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${content.length} `),
      content,
    ])
    const {publicKey} = new X509Certificate(Buffer.from(verifier, 'base64'))
    const [{sig} = {sig: ''}] = signatures
    if (kind !== 'dsse' || !verify('sha256', signed, publicKey, Buffer.from(sig, 'base64')))
      return {status: 400, document: {code: 400, message: 'error verifying the signature'}}
    const uuid = sha256(Buffer.from(envelope)).toString('hex')
    const location = `/api/v1/log/entries/${uuid}`
    if (this.#entries.has(location))
      return {status: 409, location, document: {code: 409, message: 'an equivalent entry already exists'}}
    const body = dsseEntry({envelope, payload: content, sig, verifier})
    const time = Math.floor((Date.now() + (this.fault.logged ?? 0)) / 1000)
    const entry = this.#log.add(body, time)
    const document = {[uuid]: entry}
    this.#entries.set(location, document)
    return {status: 201, location, document}
  }
}

interface Answer {
  readonly status: number
  readonly location?: string
}

interface CertificateRequest {
  readonly credentials: {readonly oidcIdentityToken: string}
  readonly publicKeyRequest: {
    readonly publicKey: {readonly algorithm: string; readonly content: string}
    readonly proofOfPossession: string
  }
}

interface ProposedEntry {
  readonly kind: string
  readonly apiVersion: string
  readonly spec: {
    readonly proposedContent: {readonly envelope: string; readonly verifiers: readonly string[]}
  }
}

interface DsseEnvelope {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly {readonly sig: string}[]
}
