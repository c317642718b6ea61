import {discard} from '../http/failed-answer.js'
import {type RegistryPorts, Session} from './session.js'

/**
 * Sends one request to the root of a registry's API, with the credentials of the keychain if they are required. It is
 * not repeated. Throws the errors of `Registry`.
 */
export async function requestRoot(ports: RegistryPorts, registry: string): Promise<void> {
  const session = new Session(registry, ports)
  const aim = `access ${registry}`
  await discard(await session.once({method: 'GET', url: session.url(''), scopes: [], accepts: [200], aim}))
}
