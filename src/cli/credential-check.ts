import type {CredentialCheck} from '../pipeline/login.js'
import {checkBasic} from '../registry/basic-check.js'
import {httpOptions} from './http-options.js'
import type {RegistryFlagValues} from './http-options.js'
import {http} from './wire.js'

/** Asks the registry itself, over the transport that the flags describe. */
export function credentialCheck(flags: RegistryFlagValues): CredentialCheck {
  return {
    async check(registry, credentials) {
      const transport = await http(httpOptions(flags, process.env, [registry]))
      await checkBasic(transport, registry, credentials, flags['plain-http'])
    },
  }
}
