import {CrossplaneError} from '../../../errors.js'
import type {AuthorityFile, ClientCertificate, HttpOptions} from '../../../registry/http/http-options.js'
import type {FlagValues} from '../../flags/flag-values.js'
import type {registryFlags} from '../../flags/registry.js'
import {proxyFor} from '../../../registry/http/proxy.js'

export type RegistryFlags = FlagValues<typeof registryFlags>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * How registries are spoken to, from flags and environment. `registries` (`host[:port]`) are those that the command
 * line names: they alone see the client certificate. Throws `usage` for half a client certificate.
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
    insecure: flags['insecure-skip-tls-verify'],
    ...(clientCertificate === undefined ? {} : {clientCertificate}),
    ...(proxies === undefined ? {} : {proxyFor: url => proxyFor(url, proxies)}),
  }
}

/** Node has said already that it cannot read the file in its own variable. */
function authoritiesOf({'ca-file': caFile}: RegistryFlags, env: Environment): readonly AuthorityFile[] {
  const files: readonly (Omit<AuthorityFile, 'path'> & {readonly path: string | undefined})[] = [
    {path: caFile, given: '--ca-file'},
    {path: env.SSL_CERT_FILE, given: 'SSL_CERT_FILE'},
    {path: env.NODE_EXTRA_CA_CERTS, given: 'NODE_EXTRA_CA_CERTS', optional: true},
  ]
  return files.flatMap(({path, ...file}) => (path === undefined || path === '' ? [] : [{path, ...file}]))
}

function clientCertificateOf(
  {'client-cert': certFile, 'client-key': keyFile}: RegistryFlags,
  hosts: readonly string[],
): ClientCertificate | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile !== undefined && keyFile !== undefined) return {certFile, keyFile, hosts}
  throw new CrossplaneError('usage', '--client-cert and --client-key were not given together', {
    suggestions: ['Give both: a certificate is worth nothing without the key that belongs to it.'],
  })
}

/** Undefined where no proxy is set at all. As everywhere, the variables in upper case win. */
function proxySettings(
  env: Environment,
): {readonly https: string; readonly http: string; readonly no: string} | undefined {
  const value = (name: string) =>
    [env[name], env[name.toLowerCase()]].find(each => each !== undefined && each !== '')
  const [https = '', http = '', no = ''] = [value('HTTPS_PROXY'), value('HTTP_PROXY'), value('NO_PROXY')]
  return https === '' && http === '' ? undefined : {https, http, no}
}
