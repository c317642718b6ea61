import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import {escaped, quoted} from '../../text.js'
import {isJsonObject} from '../../yaml/json-value.js'
import type {Credentials, CredentialSource} from './credentials.js'
import {isHeaderText} from './header-text.js'
import type {AuthProvider, Origin, UserEntry} from './kubeconfig.js'
import type {ConnectionFiles, OidcClient} from './ports.js'

/** A user of OpenID Connect, and the other headers to send. */
export interface OidcUser {
  readonly name: string
  readonly origin: Origin
  readonly provider: AuthProvider
  readonly others: Omit<Credentials, 'authorization'>
}

/** The dependencies of a renewal. */
export interface OidcPorts {
  readonly files: ConnectionFiles
  readonly oidc: OidcClient
  readonly clock: Pick<Clock, 'now'>
}

/** As client-go: a clock may be late. */
const LEEWAY_MS = 10_000

/** Returns the errors in the auth provider of a user. */
export function authProviderErrors({authProvider}: UserEntry): readonly string[] {
  if (authProvider === undefined) return []
  const {name, config} = authProvider
  if (name !== 'oidc') return [`auth-provider ${quoted(name)} is not supported; use an exec plugin`]
  const absent = ['idp-issuer-url', 'client-id'].filter(field => (config[field] ?? '') === '')
  return absent.map(field => `auth-provider.config.${field} is not set`)
}

/**
 * Uses the ID token of a user. One that has expired is renewed, and stored in the kubeconfig, because issuers can revoke
 * the former refresh token.
 */
export function oidcCredentials(user: OidcUser, {files, oidc, clock}: OidcPorts): CredentialSource {
  let {config} = user.provider
  let renewing: Promise<void> | undefined
  const renew = async () => {
    expectRenewable(user, config)
    const tokens = await oidc.renew(config).catch((error: unknown) => {
      throw notRenewed(user, 'the issuer did not return a token', error)
    })
    const next = {...config, 'id-token': tokens.idToken, 'refresh-token': tokens.refreshToken}
    if (!isValid(tokens.idToken, clock)) throw notRenewed(user, 'the issuer did not return a valid token')
    await files.replaceTexts(user.origin.file, changesOf(config, next))
    config = next
  }
  return {
    async current() {
      if (!isValid(config['id-token'] ?? '', clock)) {
        await (renewing ??= renew().finally(() => {
          renewing = undefined
        }))
      }
      return {...user.others, authorization: `Bearer ${config['id-token'] ?? ''}`}
    },
  }
}

/** The library that renews tokens does not send the client secret, and trusts no other CA. */
const NOT_RENEWABLE = ['client-secret', 'idp-certificate-authority', 'idp-certificate-authority-data']

function expectRenewable(user: OidcUser, config: AuthProvider['config']): void {
  const field = NOT_RENEWABLE.find(text => (config[text] ?? '') !== '')
  if (field !== undefined) throw notRenewed(user, `only kubectl can do that with ${field}`)
  if ((config['refresh-token'] ?? '') === '') throw notRenewed(user, 'refresh-token is not set')
  if ((config['id-token'] ?? '') === '') throw notRenewed(user, 'id-token is not set')
}

function notRenewed({name, origin}: OidcUser, why: string, cause?: unknown): CrossplaneError {
  const message = `cannot renew the ID token of the user ${quoted(name)} of ${escaped(origin.file)}: ${why}`
  return new CrossplaneError('credentials-failed', message, {
    cause,
    suggestions: ['Renew it with kubectl, or log in again: kubectl get --raw /version'],
  })
}

function changesOf(before: AuthProvider['config'], after: AuthProvider['config']) {
  return Object.entries(after).flatMap(([name, text]): (readonly [string, string])[] => {
    const old = before[name] ?? ''
    return old === text ? [] : [[old, text]]
  })
}

/** Reports whether a JSON Web Token has not expired: https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4. */
function isValid(token: string, clock: Pick<Clock, 'now'>): boolean {
  const [, payload = ''] = token.split('.')
  const expires = expiryIn(Buffer.from(payload, 'base64url').toString())
  return expires !== undefined && isHeaderText(token) && clock.now() + LEEWAY_MS < expires * 1000
}

function expiryIn(json: string): number | undefined {
  try {
    const claims = JSON.parse(json) as Parameters<typeof isJsonObject>[0]
    const expires = isJsonObject(claims) ? claims.exp : undefined
    return typeof expires === 'number' ? expires : undefined
  } catch {
    return undefined
  }
}
