import {CrossplaneError} from '../errors.js'
import {collectBytes} from '../fetch/verified-bytes.js'
import {Authorization} from './credentials/authorization.js'
import type {Proof} from './credentials/authorization.js'
import type {Clock} from '../http/clock.js'
import {endpointOf} from './endpoint.js'
import type {SchemeOf} from './endpoint.js'
import {discard, type FailedAnswer} from '../http/failed-answer.js'
import {failedAnswer} from './failed-answer.js'
import type {Http, HttpRequest, HttpResponse} from '../http/http.js'
import type {Keychain} from './credentials/keychain.js'
import {pacedHttp} from '../http/pace.js'
import type {ReportProgress} from './progress.js'
import {sendFollowing} from './redirects.js'
import type {Followed} from './redirects.js'
import {retried} from '../http/retry.js'
import {isWebPage} from '../http/web-page.js'

/** The dependencies of a session with a registry. */
export interface RegistryPorts {
  readonly http: Http
  readonly keychain: Keychain
  readonly clock: Clock
  readonly schemeOf: SchemeOf
  /** All attempts of a request, including the first; 5 by default. */
  readonly attempts?: number | undefined
}

/** One request to a registry, or to a `Location` that it answered with. */
export interface Call extends Pick<HttpRequest, 'method' | 'url' | 'body'> {
  readonly headers?: Readonly<Record<string, string>>
  /** The permission that a token must include: https://distribution.github.io/distribution/spec/auth/scope/ */
  readonly scopes: readonly string[]
  /** Completes the sentence "cannot …". */
  readonly aim: string
  /** The statuses that are a response; every other status is a failure. */
  readonly accepts: readonly number[]
  /** A rejection because of missing blobs or manifests is final. */
  readonly isSparse?: boolean | undefined
  readonly report?: ReportProgress | undefined
}

/** A response that was read completely. */
export interface Document {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** A session with one registry: authorization and retries. */
export class Session {
  readonly endpoint: URL
  readonly clock: Clock
  readonly attempts: number | undefined
  readonly #registry: string
  readonly #http: Http
  readonly #authorization: Authorization
  /** Blobs that are known to exist, by the path of their repository. */
  readonly #blobs = new Map<string, Set<string>>()

  constructor(registry: string, {http: anyHttp, keychain, clock, schemeOf, attempts}: RegistryPorts) {
    const http = pacedHttp(anyHttp, clock)
    this.#registry = registry
    this.endpoint = endpointOf(registry, schemeOf)
    this.clock = clock
    this.attempts = attempts
    this.#http = http
    this.#authorization = new Authorization({registry, endpoint: this.endpoint, http, keychain, clock})
  }

  /** Returns a URL below `/v2/`; `path` consists of parts of a reference. */
  url(path: string): URL {
    return new URL(path, this.endpoint)
  }

  /** Reports whether a repository is known to have a blob. */
  hasBlob(path: string, digest: string): boolean {
    return this.#blobs.get(path)?.has(digest) === true
  }

  rememberBlob(path: string, digest: string): void {
    this.#blobs.set(path, (this.#blobs.get(path) ?? new Set()).add(digest))
  }

  /**
   * Sends a request, and again after retryable failures. The caller reads or discards the body of the response. Every
   * request here is idempotent: reading, storing under a digest or as the same tag again; an upload that is started
   * twice leaves one that the registry discards, and a refresh token that was used is rejected either way.
   */
  async send(call: Call): Promise<HttpResponse> {
    return retried(this.#retrying(call), () => this.once(call))
  }

  /**
   * Sends a request and reads the whole response, with retries. Throws `limit-exceeded` for more than `limit` bytes.
   */
  async document(call: Call, limit: number): Promise<Document> {
    const holder = `the response of ${call.url.host}`
    return retried(this.#retrying(call), async () => {
      const response = await this.once(call)
      const {status, headers, body} = response
      if (!isWebPage(response)) return {status, headers, bytes: await collectBytes(body, limit, holder)}
      await discard(response)
      throw webPage(call)
    })
  }

  /** Makes one attempt: authenticates if required, and once more if the token has expired. */
  async once(call: Call): Promise<HttpResponse> {
    try {
      return await this.#attempt(call)
    } catch (error) {
      throw this.#explained(error)
    }
  }

  async #attempt(call: Call): Promise<HttpResponse> {
    const isOurs = call.url.origin === this.endpoint.origin
    const proof = isOurs ? await this.#authorization.proof(call.scopes) : undefined
    const first = await this.#exchange(call, proof)
    if (first.response.status !== 401 || first.url.origin !== this.endpoint.origin) {
      return this.#accepted(call, first, proof)
    }
    const header = first.response.headers['www-authenticate'] ?? ''
    const renewed = await this.#authorization
      .renewed(header, call.scopes, proof)
      .catch(async (error: unknown) => {
        await discard(first.response)
        throw error
      })
    if (renewed === undefined) return this.#accepted(call, first, proof)
    await discard(first.response)
    return this.#accepted(call, await this.#exchange(call, renewed), renewed)
  }

  async #exchange({method, url, headers, body}: Call, proof: Proof | undefined): Promise<Followed> {
    return sendFollowing(this.#http, {
      method,
      url,
      headers: {
        'accept-encoding': 'identity',
        ...headers,
        ...(proof !== undefined && {authorization: proof.header}),
      },
      body,
    })
  }

  async #accepted(call: Call, {response, url}: Followed, proof: Proof | undefined): Promise<HttpResponse> {
    if (call.accepts.includes(response.status)) return response
    const {method, aim} = call
    throw await failedAnswer(response, {
      method,
      url,
      aim,
      registry: this.#registry,
      isAuthenticated: proof?.isAuthenticated ?? false,
      secrets: proof?.secrets ?? [],
    })
  }

  /** A failure to read credentials is a better explanation than the denial. */
  #explained(error: unknown): unknown {
    const isDenied = error instanceof CrossplaneError && error.code === 'access-denied'
    return (isDenied ? this.#authorization.keychainFailure : undefined) ?? error
  }

  #retrying({aim, report, isSparse}: Call) {
    const missing = isSparse === true ? {isLasting: isUnnoticed} : {isTemporary: isUnnoticed}
    return {clock: this.clock, attempts: this.attempts, name: aim, ...missing, report}
  }
}

/**
 * A manifest is stored after all of its blobs. A registry that misses one may find it a moment later: docker-registry
 * does not find a blob while another client uploads it again.
 */
function isUnnoticed({message}: FailedAnswer): boolean {
  return message.includes('"MANIFEST_BLOB_UNKNOWN"')
}

function webPage({aim, url}: Call): CrossplaneError {
  return new CrossplaneError('registry-failed', `cannot ${aim}: ${url.host} answered with a web page`, {
    suggestions: ['Check that the host is a registry, and not a proxy or a login page.'],
  })
}
