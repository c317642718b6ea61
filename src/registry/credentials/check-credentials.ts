import {CrossplaneError} from '../../errors.js'
import type {Credentials} from './keychain.js'
import {type RegistryPorts, Session} from '../session.js'

/**
 * Sends credentials to a registry, by the scheme that it requires
 * (https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#determining-support). A registry without
 * authentication accepts any. Throws `access-denied` for rejected credentials, and the errors of `Registry`.
 */
export async function checkCredentials(
  ports: Omit<RegistryPorts, 'keychain'>,
  registry: string,
  credentials: Credentials,
): Promise<void> {
  const keychain = {credentialsFor: () => Promise.resolve(credentials)}
  const session = new Session(registry, {...ports, keychain})
  const call = {method: 'GET', url: session.url(''), scopes: [], accepts: [200]} as const
  try {
    await session.document({...call, aim: `log in to ${registry}`}, MAX_BYTES)
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'access-denied') throw error
    throw new CrossplaneError(error.code, error.message, {cause: error.cause, suggestions: [ADVICE]})
  }
}

const ADVICE = 'Check the user name and the password, or use an access token as the password.'

const MAX_BYTES = 1024 * 1024
