import {DOCKER_IO} from '../../reference/repository.js'

/** The key of docker.io in docker's files. */
const DOCKER_IO_KEY = 'https://index.docker.io/v1/'
const DOCKER_IO_HOSTS: readonly string[] = [DOCKER_IO, 'index.docker.io', 'registry-1.docker.io']

/** Returns the key of a registry in files and for helpers. */
export function keyOf(registry: string): string {
  return registry === DOCKER_IO ? DOCKER_IO_KEY : registry
}

/**
 * Returns the registry of a key: `host[:port]`, a URL with any path, or with the path of an API. Undefined for a key of one
 * repository, such as podman's `quay.io/team`, which is not for the whole registry.
 */
export function registryOfKey(key: string): string | undefined {
  const [, scheme, host = '', path = ''] = /^(https?:\/\/)?([^/]+)(\/.*)?$/.exec(key) ?? []
  if (host === '' || (scheme === undefined && !/^(?:\/(?:v[12]\/?)?)?$/.test(path))) return undefined
  return DOCKER_IO_HOSTS.includes(host) ? DOCKER_IO : host
}

/** Returns the keys of a registry, the most exact first. */
export function keysFor(registry: string, keys: Iterable<string>): readonly string[] {
  const exact = keyOf(registry)
  const fitting = [...keys].filter(key => registryOfKey(key) === registry)
  return fitting.includes(exact) ? [exact, ...fitting.filter(key => key !== exact)] : fitting
}
