import {CrossplaneError} from '../../errors.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {collectBytes} from '../../fetch/verified-bytes.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {Challenge} from './challenge.js'
import {failedAnswer} from '../failed-answer.js'
import type {Http, HttpRequest} from '../../http/http.js'
import type {Credentials} from './keychain.js'
import {oneChunk} from '../../http/one-chunk.js'
import {isSafeFrom, sendFollowing} from '../redirects.js'

/** A bearer token. `lifetime` is in milliseconds; `refreshToken` replaces the identity token that was sent. */
export interface Token {
  readonly text: string
  readonly lifetime: number
  readonly refreshToken?: string
}

/** The token server of a registry, and the name of the registry there. */
export interface TokenSource {
  readonly realm: URL
  readonly service: string | undefined
}

const LONGEST_REALM = 2048

/**
 * Reads the token server from a challenge. It can be any host, as for docker: docker.io uses auth.docker.io. A registry
 * reached over HTTPS must name an HTTPS server. Throws `registry-failed`.
 */
export function tokenSource({parameters}: Challenge, endpoint: URL): TokenSource {
  const text = parameters.get('realm') ?? ''
  const realm = text.length <= LONGEST_REALM && URL.canParse(text) ? new URL(text) : undefined
  if (realm !== undefined && isSafeFrom(endpoint, realm)) return {realm, service: parameters.get('service')}
  throw new CrossplaneError(
    'registry-failed',
    // Without the URL, in which the registry may repeat what was sent.
    `the token server of ${endpoint.host} ${realm === undefined ? 'is not a URL' : 'uses plain HTTP or has a password in its URL'}`,
  )
}

const CLIENT = 'kubectl-crossplane'

/** Bytes; real responses have a few kilobytes. */
const LONGEST_ANSWER = 256 * 1024

/**
 * Requests a token for scopes: by GET with a password or anonymously, by OAuth2's POST with an identity token. Throws
 * `access-denied` for rejected credentials, `registry-failed` for an answer without a token.
 * https://distribution.github.io/distribution/spec/auth/token/ and …/spec/auth/oauth/
 */
export async function fetchToken(
  http: Http,
  {registry, ...source}: TokenSource & {readonly registry: string},
  scopes: readonly string[],
  credentials: Credentials | undefined,
): Promise<Token> {
  const request = tokenRequest(source, scopes, credentials)
  const {response, url} = await sendFollowing(http, request)
  if (response.status !== 200) {
    const aim = scopes.length === 0 ? 'get a token' : `get a token for ${scopes.join(' ')}`
    throw await failedAnswer(response, {
      method: request.method,
      url,
      aim,
      registry,
      isAuthenticated: credentials !== undefined,
      secrets: secretsOf(credentials),
    })
  }
  const holder = `the token response of ${url.host}`
  return toToken(answerOf(await collectBytes(response.body, LONGEST_ANSWER, holder), holder), holder)
}

function tokenRequest(
  {realm, service}: TokenSource,
  scopes: readonly string[],
  credentials: Credentials | undefined,
): HttpRequest {
  if (credentials?.kind === 'identity-token') {
    return formRequest(realm, {
      grant_type: 'refresh_token',
      ...(service !== undefined && {service}),
      scope: scopes.join(' '),
      client_id: CLIENT,
      refresh_token: credentials.token,
    })
  }
  const url = new URL(realm)
  if (service !== undefined) url.searchParams.set('service', service)
  for (const scope of scopes) url.searchParams.append('scope', scope)
  if (credentials === undefined) return {method: 'GET', url, headers: {}}
  url.searchParams.set('account', credentials.username)
  return {method: 'GET', url, headers: {authorization: basicHeader(credentials)}}
}

function formRequest(url: URL, fields: Readonly<Record<string, string>>): HttpRequest {
  const bytes = Buffer.from(new URLSearchParams(fields).toString())
  const body = {size: bytes.length, open: () => oneChunk(bytes)}
  return {method: 'POST', url, headers: {'content-type': 'application/x-www-form-urlencoded'}, body}
}

/** Returns the secrets that must not appear in messages, should a server repeat them. */
export function secretsOf(credentials: Credentials | undefined): readonly string[] {
  if (credentials === undefined) return []
  if (credentials.kind === 'identity-token') return [credentials.token]
  return [credentials.password, basicHeader(credentials).slice('Basic '.length)].filter(text => text !== '')
}

/** https://www.rfc-editor.org/rfc/rfc7617 */
export function basicHeader({username, password}: Credentials & {readonly kind: 'password'}): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function answerOf(bytes: Uint8Array, holder: string): JsonObject {
  try {
    return parseJsonObject(bytes, holder)
  } catch (cause) {
    throw new CrossplaneError('registry-failed', `${holder} is not a JSON object`, {cause})
  }
}

/** Tokens are sent in a header: printable characters, and no more than servers accept. */
const TOKEN = /^[\x21-\x7e]{1,32768}$/

/** The default and the minimum of `expires_in`, as in docker. */
const SHORTEST_SECONDS = 60
const LONGEST_SECONDS = 24 * 60 * 60

function toToken(answer: JsonObject, holder: string): Token {
  const {expires_in: seconds, refresh_token: refreshToken} = answer
  const text = [answer['token'], answer['access_token']].find(
    value => typeof value === 'string' && value !== '',
  )
  if (typeof text !== 'string' || !TOKEN.test(text)) {
    throw new CrossplaneError('registry-failed', `${holder} has no token`)
  }
  const lifetime = typeof seconds === 'number' ? Math.min(seconds, LONGEST_SECONDS) : 0
  return {
    text,
    lifetime: 1000 * Math.max(lifetime, SHORTEST_SECONDS),
    ...(typeof refreshToken === 'string' && TOKEN.test(refreshToken) && {refreshToken}),
  }
}
