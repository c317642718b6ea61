import {DOCKER_IO} from '../../reference/repository.js'

/** What docker calls docker.io where it keeps credentials, and always has. */
const DOCKER_IO_KEY = 'https://index.docker.io/v1/'
const DOCKER_IO_HOSTS: readonly string[] = [DOCKER_IO, 'index.docker.io', 'registry-1.docker.io']

/** The key under which credentials for a registry are stored, and for which a helper is asked. */
export function keyOf(registry: string): string {
  return registry === DOCKER_IO ? DOCKER_IO_KEY : registry
}

/**
 * The registry that a key speaks of: `host[:port]`, as a URL whatever its path, or with the path of an API. Undefined
 * for a key of one repository, such as podman's `quay.io/team`: that is no key of the whole registry.
 */
function registryOfKey(key: string): string | undefined {
  const [, scheme, host = '', path = ''] = /^(https?:\/\/)?([^/]+)(\/.*)?$/.exec(key) ?? []
  if (host === '' || (scheme === undefined && !/^(?:\/(?:v[12]\/?)?)?$/.test(path))) return undefined
  return DOCKER_IO_HOSTS.includes(host) ? DOCKER_IO : host
}

/** The keys that speak of a registry, the most exact first. */
export function keysFor(registry: string, keys: Iterable<string>): readonly string[] {
  const exact = keyOf(registry)
  const fitting = [...keys].filter(key => registryOfKey(key) === registry)
  return fitting.includes(exact) ? [exact, ...fitting.filter(key => key !== exact)] : fitting
}
