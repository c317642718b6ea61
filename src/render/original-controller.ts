import {type ImageName, parseImageName} from '../reference/image-name.js'
import {identityOf} from '../reference/repository-name.js'

/** The name of an image of the original controller of template stacks; undefined for any other image. */
export function originalController(image: string): ImageName | undefined {
  const name = parseImageName(image)
  return name !== undefined && identityOf(name) === 'crossplane/templating-controller' ? name : undefined
}
