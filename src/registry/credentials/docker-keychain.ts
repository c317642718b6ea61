import {CrossplaneError} from '../../errors.js'
import type {Credentials, Keychain} from './keychain.js'
import {helperCredentials} from './helper-credentials.js'
import type {CredentialHelpers, CredentialsFile} from './credential-ports.js'
import {helperFor, parseDockerConfig, storedCredentials} from './docker-config.js'
import type {DockerConfig} from './docker-config.js'

export interface KeychainPorts {
  /** Searched in this order. */
  readonly files: readonly CredentialsFile[]
  readonly helpers: CredentialHelpers
  /** Reports a helper that fails, once for each. */
  readonly warn: (message: string) => void
}

/**
 * Looks up credentials in the files of docker and podman: the first file with some for a registry counts. A helper that
 * fails is a warning, since the image may be public. Throws `credentials-failed` for a file that cannot be read.
 */
export function dockerKeychain(ports: KeychainPorts): Keychain {
  const byRegistry = new Map<string, Promise<Credentials | undefined>>()
  const warned = new Set<string>()
  let configs: Promise<readonly DockerConfig[]> | undefined
  const lookUp = async (registry: string) => {
    configs ??= Promise.all(ports.files.map(async file => parseDockerConfig(await file.read(), file.path)))
    for (const config of await configs) {
      const credentials = await find(config, registry, ports, warned)
      if (credentials !== undefined) return credentials
    }
    return undefined
  }
  return {
    credentialsFor(registry) {
      const credentials = byRegistry.get(registry) ?? lookUp(registry)
      byRegistry.set(registry, credentials)
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
    const credentials = await helperCredentials(helpers, name, registry)
    if (credentials !== undefined) return credentials
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    if (!warned.has(name)) warn(`${error.message}; continuing without it`)
    warned.add(name)
  }
  return storedCredentials(config, registry)
}
