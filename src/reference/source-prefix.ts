import {parseImageName} from './image-name.js'
import {canonicalSource} from './mirrors.js'
import {repositoryOf} from './repository.js'

/** Reports whether a repository is in a registry, or below a path of it, by whole segments. */
export function isInSource(repository: string, source: string): boolean {
  const full = fullName(repository)
  const prefix = canonicalSource(source)
  return full !== undefined && (full === prefix || full.startsWith(`${prefix}/`))
}

/** Returns how the name of a repository in a source begins, as it is written: docker.io has several names. */
export function writtenSource(repository: string, source: string): string {
  const rest = (fullName(repository) ?? '').slice(canonicalSource(source).length)
  return repository.endsWith(rest) ? repository.slice(0, repository.length - rest.length) : source
}

function fullName(repository: string): string | undefined {
  const name = parseImageName(repository)
  if (name === undefined) return undefined
  const {registry, path} = repositoryOf(name)
  return `${registry}/${path}`
}
