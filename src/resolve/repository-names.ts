import {grouped} from '../grouped.js'
import type {ImageName} from '../reference/image-name.js'
import {parseImageName} from '../reference/image-name.js'
import {identityOf} from '../reference/repository-name.js'
import type {Identify} from './requirement.js'

/** Returns the full name of a repository, which folders can abbreviate. */
export type NameRepository = (name: ImageName) => string

/**
 * Names repositories. Folders contain no registries: a package of a folder has the registry with which the user names
 * its path, otherwise the default source. If the user also writes the path without a registry, or with several, it has the
 * default source: the package of that name is pulled, and must not be taken for that of another registry.
 */
export function repositoryNames(named: readonly ImageName[], defaultSource?: string): NameRepository {
  const identities = grouped(named, ({path}) => path)
  return name => {
    const own = identityOf(name, defaultSource)
    if (name.registry !== undefined) return own
    const all = (identities.get(name.path) ?? []).map(other => identityOf(other, defaultSource))
    const [only = own, ...others] = [...new Set(all)]
    return others.length === 0 ? only : own
  }
}

/** Does the same for repositories as text. */
export function identifier(nameOf: NameRepository): Identify {
  return text => {
    const name = parseImageName(text)
    return name === undefined ? text : nameOf(name)
  }
}
