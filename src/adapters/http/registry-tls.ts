import type {HttpOptions} from '../../http/http-options.js'
import {certificateFolders} from './certificate-folders.js'
import {tlsContexts} from './tls-contexts.js'
import type {TlsHost} from './tls-contexts.js'
import {verifyHost} from './tls-settings.js'
import type {TlsSettings} from './tls-settings.js'

/** Trusts the usual CA certificates, those of the options, and those in the folder of a host. */
export function registryTls(options: HttpOptions): TlsSettings {
  const contexts = tlsContexts(options)
  const certificatesFor = certificateFolders(options.certificateFolders ?? [])
  const rejectUnauthorized = options.insecure !== true
  const hostOf = async (url: URL): Promise<TlsHost> => {
    if (url.protocol !== 'https:') return {isNamed: false}
    return {isNamed: isNamed(url, options), certificates: await certificatesFor(url)}
  }
  return {
    async nameFor(url) {
      const {isNamed, certificates} = await hostOf(url)
      return JSON.stringify([isNamed, certificates?.folder])
    },
    async of(url) {
      const secureContext = await contexts.of(await hostOf(url))
      return {secureContext, rejectUnauthorized, checkServerIdentity: verifyHost}
    },
    ofProxy: async () => ({secureContext: await contexts.of({isNamed: false}), rejectUnauthorized}),
  }
}

function isNamed(url: URL, {clientCertificate}: HttpOptions): boolean {
  return clientCertificate?.hosts.some(host => new URL(`https://${host}/`).host === url.host) ?? false
}
