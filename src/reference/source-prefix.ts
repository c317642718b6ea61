import {parseImageName} from './image-name.js'
import {canonicalSource} from './mirrors.js'
import {repositoryOf} from './repository.js'

/** Reports whether a repository is in a registry, or below a path of it, by whole segments. */
export function isInSource(repository: string, source: string): boolean {
  const full = fullName(repository)
  const prefix = canonicalSource(source)
  return full !== undefined && (full === prefix || full.startsWith(`${prefix}/`))
}

/** The beginning of the name of a repository, as it is written. */
interface WrittenSource {
  readonly beginning: string
  /** What it names below the source: empty, or begins with a slash. */
  readonly below: string
}

/**
 * Returns how the name of a repository in a source begins, as it is written: docker.io has several names. `docker.io/app` is
 * below `docker.io/library`, which it does not name: only the whole name is written in place of that.
 */
export function writtenSource(repository: string, source: string): WrittenSource {
  const canonical = canonicalSource(source)
  const rest = (fullName(repository) ?? '').slice(canonical.length)
  const beginning = repository.slice(0, repository.length - rest.length)
  const isSource = repository.endsWith(rest) && canonicalSource(beginning) === canonical
  return isSource ? {beginning, below: ''} : {beginning: repository, below: rest}
}

function fullName(repository: string): string | undefined {
  const name = parseImageName(repository)
  if (name === undefined) return undefined
  const {registry, path} = repositoryOf(name)
  return `${registry}/${path}`
}
