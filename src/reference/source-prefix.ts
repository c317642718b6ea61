import {parseImageName} from './image-name.js'
import {canonicalSource} from './mirrors.js'
import {repositoryOf} from './repository.js'

/** Reports whether a repository is in a registry, or below a path of it, by whole segments. */
export function isInSource(repository: string, source: string): boolean {
  const name = parseImageName(repository)
  if (name === undefined) return false
  const {registry, path} = repositoryOf(name)
  const full = `${registry}/${path}`
  const prefix = canonicalSource(source)
  return full === prefix || full.startsWith(`${prefix}/`)
}
