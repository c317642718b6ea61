import type {CredentialCheck} from '../../pipeline/login.js'
import {checkCredentials} from '../../registry/credentials/check-credentials.js'
import type {Trace} from '../../http/trace.js'
import type {RegistryFlags} from '../options/registry/http-options.js'
import {registryPorts} from './registries.js'

/** Checks credentials at the registry, over the transport of the flags; `trace` receives each exchange. */
export function credentialCheck(flags: RegistryFlags, trace: Trace | undefined): CredentialCheck {
  return {
    check: async (registry, credentials) =>
      await checkCredentials(await registryPorts(flags, registry, trace), registry, credentials),
  }
}
