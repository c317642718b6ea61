import {CrossplaneError} from '../../errors.js'
import type {Credentials, Keychain} from './keychain.js'
import {askHelper} from './ask-helper.js'
import type {CredentialHelpers, CredentialsFile} from './credential-ports.js'
import {helperFor, parseDockerConfig, storedCredentials} from './docker-config.js'
import type {DockerConfig} from './docker-config.js'

export interface KeychainPorts {
  readonly file: CredentialsFile
  readonly helpers: CredentialHelpers
  /** Is told of a helper that does not work, once for each. */
  readonly warn: (message: string) => void
}

/**
 * The credentials that docker would use, each looked up once. A helper that does not work is no obstacle: the image may
 * be public. Throws `credentials-failed` for a file that is there and cannot be read or understood.
 */
export function dockerKeychain(ports: KeychainPorts): Keychain {
  const {file} = ports
  const known = new Map<string, Promise<Credentials | undefined>>()
  const warned = new Set<string>()
  let config: Promise<DockerConfig> | undefined
  const lookUp = async (registry: string) => {
    config ??= file.read().then(text => parseDockerConfig(text, file.path))
    return await find(await config, registry, ports, warned)
  }
  return {
    credentialsFor(registry) {
      const credentials = known.get(registry) ?? lookUp(registry)
      known.set(registry, credentials)
      return credentials
    },
  }
}

async function find(
  config: DockerConfig,
  registry: string,
  {helpers, warn}: KeychainPorts,
  warned: Set<string>,
): Promise<Credentials | undefined> {
  const name = helperFor(config, registry)
  if (name === undefined) return storedCredentials(config, registry)
  try {
    const found = await askHelper(helpers, name, registry)
    if (found !== undefined) return found
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    if (!warned.has(name)) warn(`${error.message}; going on without it`)
    warned.add(name)
  }
  return storedCredentials(config, registry)
}
