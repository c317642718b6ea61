import type {ImageName} from '../../reference/image-name.js'
import {parseImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {formatRepository, repositoryOf} from '../../reference/repository.js'
import type {Identify} from '../../resolve/requirement.js'

/** A repository as its full name, whatever a folder leaves out of it. */
export type NameRepository = (name: ImageName) => string

/**
 * How repositories are called. A folder knows no registries: a package of it has the one by which the reader names its
 * path, and else the default source.
 */
export function repositoryNames(named: readonly ImageName[], defaultSource?: string): NameRepository {
  const registries = new Map(
    named.flatMap(({path, registry}) => (registry === undefined ? [] : [[path, registry] as const])),
  )
  return ({path, registry}) => {
    const known = registry ?? registries.get(path)
    const name = {path, ...(known === undefined ? {} : {registry: known})}
    const full = defaultSource === undefined ? name : nameFromSource(name, defaultSource)
    return formatRepository(repositoryOf(full))
  }
}

/** The same for repositories as text. */
export function identifier(nameOf: NameRepository): Identify {
  return text => {
    const name = parseImageName(text)
    return name === undefined ? text : nameOf(name)
  }
}
