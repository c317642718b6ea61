import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {DOCKER_IO} from '../../reference/repository.js'

/** How a registry is spoken to: plain HTTP is for loopback and for whoever asks for it. */
export type SchemeOf = (registry: string) => 'http:' | 'https:'

/** Where docker.io's API answers. */
const DOCKER_HOST = 'registry-1.docker.io'

/** The root of a registry's API; `registry` is `host[:port]` or `docker.io`. */
export function endpointOf(registry: string, schemeOf: SchemeOf): URL {
  return new URL(`${schemeOf(registry)}//${endpointHost(registry)}/v2/`)
}

/** The host, with or without a port, that answers for a registry. */
export function endpointHost(registry: string): string {
  return registry === DOCKER_IO ? DOCKER_HOST : registry
}

/** Throws `usage` for a registry that a reference may name and no network has: port 99999, the address 999.1.1.1. */
export function expectHost(registry: string): void {
  if (URL.canParse(`https://${endpointHost(registry)}/`)) return
  throw new CrossplaneError(
    'usage',
    `${quoted(registry)} can be no registry: no host has such a name or port`,
    {
      suggestions: ['Write HOST or HOST:PORT, such as registry.example.org:5000.'],
    },
  )
}
