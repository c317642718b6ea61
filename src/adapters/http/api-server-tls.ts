import {isIP} from 'node:net'
import {checkServerIdentity, createSecureContext} from 'node:tls'
import type {ConnectionOptions, SecureContext} from 'node:tls'
import {CrossplaneError} from '../../errors.js'
import type {ApiServerOptions} from '../../http/api-server-options.js'
import {verifyHost} from './tls-settings.js'
import type {TlsSettings} from './tls-settings.js'
import {addedCertificates, contextTrusting, isCertificate, pemBlocks} from './trusted-certificates.js'

/**
 * Trusts only the CA certificates of the kubeconfig. A proxy is verified with these and the default CA certificates,
 * because a kubeconfig has none for it. Throws `usage` for text that is not PEM.
 */
export function apiServerTls(options: ApiServerOptions): TlsSettings {
  const rejectUnauthorized = options.insecure !== true
  return {
    nameFor: () => Promise.resolve('API server'),
    async of() {
      const secureContext = await contextFor(options)
      return {secureContext, rejectUnauthorized, ...namedServer(options)}
    },
    async ofProxy() {
      const added = [...(await addedCertificates([])), ...(givenAuthorities(options) ?? [])]
      return {secureContext: contextTrusting(added), rejectUnauthorized}
    },
  }
}

async function contextFor(options: ApiServerOptions): Promise<SecureContext> {
  const authorities = givenAuthorities(options)
  const added = authorities === undefined ? await addedCertificates([]) : []
  try {
    if (authorities === undefined) return contextTrusting(added, options.clientCertificate)
    // Go trusts every configured certificate, including one that another CA signed.
    return createSecureContext({
      ca: [...authorities],
      allowPartialTrustChain: true,
      ...options.clientCertificate,
    })
  } catch (cause) {
    throw new CrossplaneError('usage', 'cannot use the client certificate of the kubeconfig', {
      cause,
      suggestions: [
        'Set client-certificate-data and client-key-data to a certificate and its key, both PEM in base64; the key without a passphrase.',
      ],
    })
  }
}

/** Skips certificates that cannot be parsed, as Go does, unless none can. */
function givenAuthorities({authorities}: ApiServerOptions): readonly string[] | undefined {
  if (authorities === undefined) return undefined
  const certificates = pemBlocks(authorities).filter(isCertificate)
  if (certificates.length > 0) return certificates
  throw new CrossplaneError('usage', 'invalid CA certificates of the kubeconfig: no PEM certificate', {
    suggestions: ['Set certificate-authority-data to a PEM file in base64.'],
  })
}

/**
 * An IP address cannot be sent as the server name, but it can be verified:
 * https://www.rfc-editor.org/rfc/rfc6066#section-3.
 */
function namedServer({serverName}: ApiServerOptions): ConnectionOptions {
  if (serverName === undefined) return {checkServerIdentity: verifyHost}
  return {
    servername: isIP(serverName) === 0 ? serverName : '',
    checkServerIdentity: (_, certificate) => checkServerIdentity(serverName, certificate),
  }
}
