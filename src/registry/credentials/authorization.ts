import {CrossplaneError} from '../../errors.js'
import {parseChallenges} from './challenge.js'
import type {Clock} from '../../http/clock.js'
import type {Http} from '../../http/http.js'
import type {Credentials, Keychain} from './keychain.js'
import {basicHeader, fetchToken, secretsOf, tokenSource} from './token.js'
import type {Token, TokenSource} from './token.js'

/** The dependencies of authorization at one registry. */
export interface AuthorizationOptions {
  readonly registry: string
  readonly endpoint: URL
  readonly http: Http
  readonly keychain: Keychain
  readonly clock: Clock
}

/** An `Authorization` header, and the secrets in it, which must not be shown. */
export interface Proof {
  readonly header: string
  /** Whether it was made with credentials; an anonymous token was not. */
  readonly isAuthenticated: boolean
  readonly secrets: readonly string[]
}

type Demand = {readonly kind: 'basic'} | {readonly kind: 'bearer'; readonly source: TokenSource}

/**
 * Authorizes requests to one registry. Credentials are looked up and sent only once the registry requires them: a public
 * image needs none. Tokens are kept by scope until shortly before they expire.
 */
export class Authorization {
  readonly #options: AuthorizationOptions
  readonly #tokens = new Map<string, Kept>()
  #demand: Demand | undefined
  #lookup: Promise<Credentials | undefined> | undefined
  #identityToken: string | undefined
  #keychainFailure: unknown

  constructor(options: AuthorizationOptions) {
    this.#options = options
  }

  /** The reason why credentials could not be read, which is reported when access is denied. */
  get keychainFailure(): unknown {
    return this.#keychainFailure
  }

  /** Returns the header for a request with these scopes; undefined until the registry requires one. */
  async proof(scopes: readonly string[]): Promise<Proof | undefined> {
    if (this.#demand === undefined) return undefined
    return this.#demand.kind === 'basic' ? this.#basic() : this.#bearer(this.#demand.source, scopes)
  }

  /**
   * Returns the header after a response of 401 with this `WWW-Authenticate`; undefined if there is no other one. A
   * rejected token is replaced.
   */
  async renewed(
    header: string,
    scopes: readonly string[],
    rejected: Proof | undefined,
  ): Promise<Proof | undefined> {
    this.#demand = demandIn(header, this.#options.endpoint)
    if (this.#demand === undefined) return undefined
    if (this.#demand.kind === 'bearer' && rejected !== undefined) await this.#forget(scopes, rejected)
    const proof = await this.proof(scopes)
    return proof?.header === rejected?.header ? undefined : proof
  }

  async #basic(): Promise<Proof | undefined> {
    const credentials = await this.#credentials()
    if (credentials?.kind !== 'password') return undefined
    return {header: basicHeader(credentials), isAuthenticated: true, secrets: secretsOf(credentials)}
  }

  async #bearer(source: TokenSource, scopes: readonly string[]): Promise<Proof> {
    const key = scopes.join(' ')
    const present = this.#tokens.get(key)
    const isGood = present !== undefined && this.#options.clock.now() < present.until
    const {text} = await (isGood ? present : this.#purchase(key, source, scopes)).token
    const isAuthenticated = (await this.#credentials()) !== undefined
    return {header: `Bearer ${text}`, isAuthenticated, secrets: [text]}
  }

  /** Requests one token for each scope, however many callers wait for it; a failure is not kept. */
  #purchase(key: string, source: TokenSource, scopes: readonly string[]): Kept {
    const kept: Kept = {until: Number.POSITIVE_INFINITY, token: this.#buy(source, scopes)}
    this.#tokens.set(key, kept)
    kept.token.then(
      ({lifetime}) => (kept.until = this.#options.clock.now() + lifetime - LEEWAY),
      () => this.#drop(key, kept),
    )
    return kept
  }

  async #buy(source: TokenSource, scopes: readonly string[]): Promise<Token> {
    const token = await fetchToken(
      this.#options.http,
      {...source, registry: this.#options.registry},
      scopes,
      await this.#credentials(),
    )
    this.#identityToken = token.refreshToken ?? this.#identityToken
    return token
  }

  async #forget(scopes: readonly string[], {header}: Proof): Promise<void> {
    const key = scopes.join(' ')
    const present = this.#tokens.get(key)
    if (present !== undefined && `Bearer ${(await present.token).text}` === header) this.#drop(key, present)
  }

  #drop(key: string, kept: Kept): void {
    if (this.#tokens.get(key) === kept) this.#tokens.delete(key)
  }

  /** A keychain that fails counts as empty: a public image needs no credentials. */
  async #credentials(): Promise<Credentials | undefined> {
    const {keychain, registry} = this.#options
    this.#lookup ??= keychain.credentialsFor(registry).catch((error: unknown) => {
      if (!(error instanceof CrossplaneError)) throw error
      this.#keychainFailure = error
      return undefined
    })
    const credentials = await this.#lookup
    if (credentials?.kind !== 'identity-token' || this.#identityToken === undefined) return credentials
    return {kind: 'identity-token', token: this.#identityToken}
  }
}

interface Kept {
  readonly token: Promise<Token>
  /** Milliseconds since the epoch; infinite while it is requested. */
  until: number
}

/** Milliseconds before its expiry from which a token is no longer used: requests take time. */
const LEEWAY = 10_000

/** Bearer before Basic: the password is then sent to one host only. */
function demandIn(header: string, endpoint: URL): Demand | undefined {
  const challenges = parseChallenges(header)
  const bearer = challenges.find(({scheme}) => scheme === 'bearer')
  if (bearer !== undefined) return {kind: 'bearer', source: tokenSource(bearer, endpoint)}
  return challenges.some(({scheme}) => scheme === 'basic') ? {kind: 'basic'} : undefined
}
