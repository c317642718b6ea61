import type {CredentialCheck} from '../pipeline/login.js'
import {checkCredentials} from '../registry/check-credentials.js'
import type {RegistryFlagValues} from './http-options.js'
import {registryPorts} from './registries.js'

/** Asks the registry itself, over the transport that the flags describe. */
export function credentialCheck(flags: RegistryFlagValues): CredentialCheck {
  return {
    check: async (registry, credentials) =>
      await checkCredentials(await registryPorts(flags, registry), registry, credentials),
  }
}
