import type {Credentials} from './keychain.js'
import {type RegistryPorts, Session} from '../session.js'

/**
 * Shows credentials to a registry at the door of its API, in whichever way it asks for them
 * (https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#determining-support). One that asks nobody
 * takes any. Throws `access-denied` where they are not taken, and what `Registry` does.
 */
export async function checkCredentials(
  ports: Omit<RegistryPorts, 'keychain'>,
  registry: string,
  credentials: Credentials,
): Promise<void> {
  const keychain = {credentialsFor: () => Promise.resolve(credentials)}
  const session = new Session(registry, {...ports, keychain})
  const call = {method: 'GET', url: session.url(''), scopes: [], accepts: [200]} as const
  await session.document({...call, aim: `log in to ${registry}`}, MAX_BYTES)
}

const MAX_BYTES = 1024 * 1024
