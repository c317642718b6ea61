import type {SecureContext} from 'node:tls'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import type {HttpOptions} from '../../http/http-options.js'
import {readNamedFile} from '../read-named-file.js'
import {keyPairError} from '../../pem.js'
import type {HostCertificates} from './certificate-folders.js'
import {addedCertificates, authoritiesIn, contextTrusting} from './trusted-certificates.js'

/** The TLS settings for a host. */
export interface TlsHost {
  /** Whether the client certificate of the options is for this host. */
  readonly isNamed: boolean
  /** The host's own folder of certificates. */
  readonly certificates?: HostCertificates
}

/** Creates TLS contexts on first use, because reading the CA certificates takes a while. */
export interface TlsContexts {
  of(host: TlsHost): Promise<SecureContext>
}

export function tlsContexts({authorities = [], clientCertificate}: HttpOptions): TlsContexts {
  let usual: Promise<readonly string[]> | undefined
  const contexts = new Map<string, Promise<SecureContext>>()
  const make = async ({isNamed, certificates}: TlsHost) => {
    const own = await authoritiesIn((certificates?.caFiles ?? []).map(path => ({path, source: path})))
    const added = [...(await (usual ??= addedCertificates(authorities))), ...own]
    const isOfFlags = isNamed && clientCertificate !== undefined
    const pairs = isOfFlags ? [clientCertificate] : (certificates?.pairs ?? [])
    return pairs.length === 0 ? contextTrusting(added) : await showing(pairs, added, isOfFlags)
  }
  return {
    of: host => {
      const key = JSON.stringify([host.isNamed, host.certificates?.folder])
      const context = contexts.get(key) ?? make(host)
      contexts.set(key, context)
      return context
    },
  }
}

async function showing(
  pairs: HostCertificates['pairs'],
  added: readonly string[],
  isOfFlags: boolean,
): Promise<SecureContext> {
  const pem = async (path: string, flag: string) =>
    await pemOf(path).catch((error: unknown) => {
      const isNamed = isOfFlags && error instanceof CrossplaneError
      throw isNamed ? withSuggestions(error, [`Check the value of ${flag}.`]) : error
    })
  const cert = await Promise.all(pairs.map(async ({certFile}) => await pem(certFile, '--client-cert')))
  const key = await Promise.all(pairs.map(async ({keyFile}) => await pem(keyFile, '--client-key')))
  try {
    return contextTrusting(added, {cert, key})
  } catch (cause) {
    const [reason] = cert.flatMap((own, at) => keyPairError({cert: String(own), key: String(key[at])}) ?? [])
    const names = pairs.map(({certFile, keyFile}) => `${certFile} and the key ${keyFile}`).join(', ')
    throw new CrossplaneError(
      'usage',
      `cannot use the client certificate ${names}${reason === undefined ? '' : `: ${reason}`}`,
      {
        cause,
        suggestions: ['Use a certificate and its key, both PEM; the key without a passphrase.'],
      },
    )
  }
}

async function pemOf(path: string): Promise<Buffer> {
  return Buffer.from(await readNamedFile(path, MAX_PEM_BYTES))
}

const MAX_PEM_BYTES = 1024 * 1024
