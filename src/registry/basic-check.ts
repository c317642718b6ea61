import {CrossplaneError} from '../errors.js'
import {DOCKER_IO} from '../reference/repository.js'
import type {Http, HttpResponse} from './http.js'
import type {Credentials} from './keychain.js'
import {settleScheme} from './scheme.js'

/**
 * Asks a registry, at the door of its API, whether it takes a name and password
 * (https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#determining-support). Throws `access-denied`
 * where it does not, `unsupported` where it deals in tokens, `registry-failed` for an answer that is none, and what
 * `http` does.
 */
export async function checkBasic(
  http: Http,
  registry: string,
  credentials: Credentials,
  plainHttp: boolean,
): Promise<void> {
  const host = registry === DOCKER_IO ? 'registry-1.docker.io' : registry
  const url = new URL(`${await settleScheme(http, host, plainHttp)}://${host}/v2/`)
  const answer = await http.send({method: 'GET', url, headers: {authorization: basic(credentials)}})
  for await (const chunk of answer.body) if (chunk.length > 0) break
  if (answer.status !== 200) throw refusal(registry, answer)
}

function basic(credentials: Credentials): string {
  if (credentials.kind === 'password') {
    return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`
  }
  throw new CrossplaneError('unsupported', 'an identity token cannot be shown as a password')
}

function refusal(registry: string, {status, headers}: HttpResponse): CrossplaneError {
  if (status === 401 && /^bearer\b/i.test(headers['www-authenticate'] ?? '')) {
    return new CrossplaneError('unsupported', `${registry} deals in tokens, which login cannot ask for yet`)
  }
  if (status === 401 || status === 403) {
    return new CrossplaneError('access-denied', `${registry} does not take this user name and password`, {
      suggestions: ['Check both; many registries want an access token in place of the password.'],
    })
  }
  return new CrossplaneError(
    'registry-failed',
    `${registry} answered ${status} where registries answer 200`,
    {
      suggestions: ['Check the host and the port: is it a registry at all?'],
    },
  )
}
