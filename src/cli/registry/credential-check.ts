import type {CredentialCheck} from '../../pipeline/login.js'
import {checkCredentials} from '../../registry/credentials/check-credentials.js'
import type {RegistryFlags} from './http-options.js'
import type {Progress} from '../shell/progress/step-event.js'
import {registryPorts} from './registries.js'

/** Checks credentials at the registry, over the transport of the flags; `progress` receives each exchange. */
export function credentialCheck(flags: RegistryFlags, progress: Progress): CredentialCheck {
  return {
    check: async (registry, credentials) =>
      await checkCredentials(await registryPorts(flags, registry, progress), registry, credentials),
  }
}
