import {present} from '../present.js'
import {formatImageName, type ImageName, parseImageName} from './image-name.js'
import {nameFromSource} from './image-source.js'
import {formatRepository, repositoryOf} from './repository.js'

/** Returns the repository as dependencies name it: as it is written, with the registry. */
export function repositoryName({registry, path}: ImageName, defaultSource?: string): string {
  const name = {path, ...present({registry})}
  return formatImageName(defaultSource === undefined ? name : nameFromSource(name, defaultSource))
}

/** Returns the one name of a repository that can be written in several ways. */
export function identityOf(name: ImageName, defaultSource?: string): string {
  return formatRepository(
    repositoryOf(defaultSource === undefined ? name : nameFromSource(name, defaultSource)),
  )
}

/** Does the same for a repository as text; other text stays as it is. */
export function canonicalName(text: string, defaultSource?: string): string {
  const name = parseImageName(text)
  return name === undefined ? text : identityOf(name, defaultSource)
}
