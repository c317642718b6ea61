import type {ImageName} from './image-name.js'

/** A repository after docker's rules: `registry` is `docker.io` or `host[:port]`, `path` what stands after it. */
export interface Repository {
  readonly registry: string
  readonly path: string
}

/** Where references without a registry are looked up when nobody says otherwise. */
export const DOCKER_IO = 'docker.io'

/** Other names of docker.io: the one its client stores credentials under, and the one its API answers at. */
const ALIASES: readonly string[] = ['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com']

/**
 * The repository of a name. `defaultSource` is a registry, with or without a path, for names without one. docker.io
 * keeps single names under `library/`.
 */
export function repositoryOf({registry, path}: ImageName, defaultSource = DOCKER_IO): Repository {
  const [host = DOCKER_IO, ...prefix] = registry === undefined ? defaultSource.split('/') : [registry]
  const canonical = ALIASES.includes(host) ? DOCKER_IO : host
  const whole = [...prefix, path].join('/')
  return {
    registry: canonical,
    path: canonical === DOCKER_IO && !whole.includes('/') ? `library/${whole}` : whole,
  }
}

/** The repository as people write it: docker.io's without its host. */
export function formatRepository({registry, path}: Repository): string {
  if (registry !== DOCKER_IO) return `${registry}/${path}`
  return path.startsWith('library/') ? path.slice('library/'.length) : path
}
