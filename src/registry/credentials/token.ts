import {CrossplaneError} from '../../errors.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {collectBytes} from '../../fetch/verified-bytes.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {Challenge} from './challenge.js'
import {failedAnswer} from '../http/failed-answer.js'
import type {Http, HttpRequest} from '../http/http.js'
import type {Credentials} from './keychain.js'
import {oneChunk} from '../http/one-chunk.js'
import {isSafeFrom, sendFollowing} from '../http/redirects.js'

/** A bearer token. `lifetime` is in milliseconds; `refreshToken` replaces the identity token that bought this one. */
export interface Token {
  readonly text: string
  readonly lifetime: number
  readonly refreshToken?: string
}

/** Where tokens for a registry are had: an address and the name by which it knows the registry. */
export interface TokenSource {
  readonly realm: URL
  readonly service: string | undefined
}

const LONGEST_REALM = 2048

/**
 * Where a challenge of a registry sends us for a token. The registry that the credentials are for names this place,
 * and any host will do, as for docker: docker.io's is auth.docker.io. But what came over HTTPS leaves over HTTPS.
 * Throws `registry-failed`.
 */
export function tokenSource({parameters}: Challenge, endpoint: URL): TokenSource {
  const text = parameters.get('realm') ?? ''
  const realm = text.length <= LONGEST_REALM && URL.canParse(text) ? new URL(text) : undefined
  if (realm !== undefined && isSafeFrom(endpoint, realm)) return {realm, service: parameters.get('service')}
  throw new CrossplaneError(
    'registry-failed',
    // Not where: it may repeat there what it was shown.
    `${endpoint.host} sends us for a token to ${realm === undefined ? 'what is no URL' : 'a place that is not safe'}.`,
  )
}

const CLIENT = 'kubectl-crossplane'

/** What a token answer may be long; real ones are some kilobytes. */
const LONGEST_ANSWER = 256 * 1024

/**
 * Buys a token for scopes: with a password or nothing at all by GET, with an identity token by OAuth2's POST.
 * `access-denied` when the credentials are no good, `registry-failed` for an answer without a token.
 * https://distribution.github.io/distribution/spec/auth/token/ and …/spec/auth/oauth/
 */
export async function fetchToken(
  http: Http,
  source: TokenSource,
  scopes: readonly string[],
  credentials: Credentials | undefined,
): Promise<Token> {
  const request = tokenRequest(source, scopes, credentials)
  const {response, url} = await sendFollowing(http, request)
  if (response.status !== 200) {
    const aim = scopes.length === 0 ? 'get a token' : `get a token for ${scopes.join(' ')}`
    throw await failedAnswer(response, {method: request.method, url, aim, secrets: secretsOf(credentials)})
  }
  const holder = `The token answer of ${url.host}`
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

/** What a server may not repeat into our messages. */
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
    throw new CrossplaneError('registry-failed', `${holder} is no JSON object.`, {cause})
  }
}

/** Tokens go into a header: nothing but what one may hold, and no more than servers read. */
const TOKEN = /^[\x21-\x7e]{1,32768}$/

/** What is meant without `expires_in`, and the least that is believed: docker's own rule. */
const SHORTEST_SECONDS = 60
const LONGEST_SECONDS = 24 * 60 * 60

function toToken(answer: JsonObject, holder: string): Token {
  const {expires_in: seconds, refresh_token: refreshToken} = answer
  const text = [answer['token'], answer['access_token']].find(
    value => typeof value === 'string' && value !== '',
  )
  if (typeof text !== 'string' || !TOKEN.test(text)) {
    throw new CrossplaneError('registry-failed', `${holder} holds no token.`)
  }
  const believed = typeof seconds === 'number' ? Math.min(seconds, LONGEST_SECONDS) : 0
  return {
    text,
    lifetime: 1000 * Math.max(believed, SHORTEST_SECONDS),
    ...(typeof refreshToken === 'string' && TOKEN.test(refreshToken) && {refreshToken}),
  }
}
