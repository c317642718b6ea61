import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'
import {DOCKER_IO} from '../reference/repository.js'

/** Returns the scheme for a registry: plain HTTP only on loopback or with --plain-http. */
export type SchemeOf = (registry: string) => 'http:' | 'https:'

/** The host of docker.io's API. */
const DOCKER_HOST = 'registry-1.docker.io'

/** Returns the root of a registry's API; `registry` is `host[:port]` or `docker.io`. */
export function endpointOf(registry: string, schemeOf: SchemeOf): URL {
  return new URL(`${schemeOf(registry)}//${endpointHost(registry)}/v2/`)
}

/** Returns the host, with or without a port, of a registry's API. */
export function endpointHost(registry: string): string {
  return registry === DOCKER_IO ? DOCKER_HOST : registry
}

/**
 * Throws `usage` for a registry that a reference can name and that is not a host: port 99999, the address 999.1.1.1.
 */
export function expectHost(registry: string): void {
  if (URL.canParse(`https://${endpointHost(registry)}/`)) return
  throw new CrossplaneError('usage', `invalid registry ${quoted(registry)}: not a host name or port`, {
    suggestions: ['Write HOST or HOST:PORT, such as registry.example.org:5000.'],
  })
}
