import type {ImageName} from '../reference/image-name.js'
import {parseImageName} from '../reference/image-name.js'
import {identityOf} from '../reference/repository-name.js'
import type {Identify} from './requirement.js'

/** Returns the full name of a repository, which folders can abbreviate. */
export type NameRepository = (name: ImageName) => string

/**
 * Names repositories. Folders contain no registries: a package of a folder has the registry with which the user names
 * its path, otherwise the default source.
 */
export function repositoryNames(named: readonly ImageName[], defaultSource?: string): NameRepository {
  const registries = new Map(
    named.flatMap(({path, registry}) => (registry === undefined ? [] : [[path, registry] as const])),
  )
  return ({path, registry}) => identityOf({path, registry: registry ?? registries.get(path)}, defaultSource)
}

/** Does the same for repositories as text. */
export function identifier(nameOf: NameRepository): Identify {
  return text => {
    const name = parseImageName(text)
    return name === undefined ? text : nameOf(name)
  }
}
