import {createSecureContext} from 'node:tls'
import type {SecureContext} from 'node:tls'
import {CrossplaneError} from '../../errors.js'
import type {ClientCertificate, HttpOptions} from '../../registry/http/http-options.js'
import {readNamedFile} from '../read-named-file.js'
import {trustedCertificates} from './trusted-certificates.js'

/** What TLS is spoken with; each is made when it is first wanted, because reading the authorities takes a while. */
export interface TlsContexts {
  /** For a host that the client certificate is for, or for any other. */
  of(shown: boolean): Promise<SecureContext>
}

export function tlsContexts({authorities = [], clientCertificate}: HttpOptions): TlsContexts {
  let trusted: Promise<readonly string[]> | undefined
  const contexts = new Map<boolean, Promise<SecureContext>>()
  const make = async (shown: boolean) => {
    const ca = [...(await (trusted ??= trustedCertificates(authorities)))]
    return shown && clientCertificate !== undefined
      ? await showing(clientCertificate, ca)
      : createSecureContext({ca})
  }
  return {
    of: shown => {
      const context = contexts.get(shown) ?? make(shown)
      contexts.set(shown, context)
      return context
    },
  }
}

async function showing({certFile, keyFile}: ClientCertificate, ca: string[]): Promise<SecureContext> {
  const [cert, key] = await Promise.all([certFile, keyFile].map(pemOf))
  try {
    return createSecureContext({ca, cert, key})
  } catch (cause) {
    const message = `the client certificate ${certFile} and the key ${keyFile} cannot be used`
    throw new CrossplaneError('usage', message, {
      cause,
      suggestions: [
        'Give a certificate and the key that belongs to it, both PEM; the key without a passphrase.',
      ],
    })
  }
}

async function pemOf(path: string): Promise<Buffer> {
  return Buffer.from(await readNamedFile(path, MAX_PEM_BYTES))
}

const MAX_PEM_BYTES = 1024 * 1024
