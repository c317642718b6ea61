import type {ImageName} from './image-name.js'

/** A repository by docker's rules: `registry` is `docker.io` or `host[:port]`, `path` is the rest. */
export interface Repository {
  readonly registry: string
  readonly path: string
}

/** The default registry. */
export const DOCKER_IO = 'docker.io'

/** Other names of docker.io: the key of its credentials, and the host of its API. */
const ALIASES: readonly string[] = ['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com']

const LIBRARY = 'library/'

/**
 * Returns the repository of a name. A name without a registry is on docker.io, which keeps single names under
 * `library/`.
 */
export function repositoryOf({registry = DOCKER_IO, path}: ImageName): Repository {
  const host = registry.toLowerCase()
  if (host !== DOCKER_IO && !ALIASES.includes(host)) return {registry: host, path}
  return {registry: DOCKER_IO, path: path.includes('/') ? path : `${LIBRARY}${path}`}
}

/** Formats a repository as users write it: without the host for docker.io. */
export function formatRepository({registry, path}: Repository): string {
  if (registry !== DOCKER_IO) return `${registry}/${path}`
  const name = path.slice(LIBRARY.length)
  return path.startsWith(LIBRARY) && !name.includes('/') ? name : path
}
