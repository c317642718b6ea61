import {present} from '../present.js'
import {formatImageName, type ImageName} from './image-name.js'
import {nameFromSource} from './image-source.js'

/** Returns the repository as dependencies name it: as it is written, with the registry. */
export function repositoryName({registry, path}: ImageName, defaultSource?: string): string {
  const name = {path, ...present({registry})}
  return formatImageName(defaultSource === undefined ? name : nameFromSource(name, defaultSource))
}
