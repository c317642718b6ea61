import {join} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import type {AuthorityFile, ClientCertificate, HttpOptions} from '../../http/http-options.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {registryFlags} from './registry-flags.js'
import {proxyFor} from '../../http/proxy.js'
import {proxySettings} from '../shell/proxy-settings.js'
import {configFolder} from '../shell/credentials-path.js'

/** The values of `registryFlags`. */
export type RegistryFlags = FlagValues<typeof registryFlags>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the transport options from flags and environment. The client certificate is sent only to `registries`
 * (`host[:port]`), those of the command line. Throws `usage` for a client certificate without its key.
 */
export function httpOptions(
  flags: RegistryFlags,
  env: Environment,
  registries: readonly string[],
): HttpOptions {
  const clientCertificate = clientCertificateOf(flags, registries)
  const proxies = proxySettings(env)
  return {
    authorities: authoritiesOf(flags, env),
    certificateFolders: certificateFoldersOf(env),
    insecure: flags['insecure-skip-tls-verify'],
    clientCertificate,
    proxyFor: proxies === undefined ? undefined : url => proxyFor(url, proxies),
  }
}

/** The folders of podman and skopeo, and that of docker; the user's own first. */
function certificateFoldersOf(env: Environment): readonly string[] {
  return [join(configFolder(env), 'containers/certs.d'), '/etc/containers/certs.d', '/etc/docker/certs.d']
}

/** Node itself reports that it cannot read the file of its own variable. */
function authoritiesOf({'ca-file': caFile}: RegistryFlags, env: Environment): readonly AuthorityFile[] {
  const files: readonly (Omit<AuthorityFile, 'path'> & {readonly path: string | undefined})[] = [
    {path: caFile, source: '--ca-file'},
    {path: env.SSL_CERT_FILE, source: 'SSL_CERT_FILE'},
    {path: env.NODE_EXTRA_CA_CERTS, source: 'NODE_EXTRA_CA_CERTS', optional: true},
  ]
  return files.flatMap(({path, ...file}) => (path === undefined || path === '' ? [] : [{path, ...file}]))
}

function clientCertificateOf(
  {'client-cert': certFile, 'client-key': keyFile}: RegistryFlags,
  hosts: readonly string[],
): ClientCertificate | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile !== undefined && keyFile !== undefined) return {certFile, keyFile, hosts}
  throw new CrossplaneError('usage', '--client-cert and --client-key require each other', {
    suggestions: ['Pass both --client-cert FILE and --client-key FILE.'],
  })
}
