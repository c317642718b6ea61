import {parseImageName} from '../reference/image-name.js'

/**
 * The stability of an image reference. Only a digest fixes the content: `latest` and no tag at all move with every
 * push, other tags can be moved. Kubernetes rejects an `invalid` image reference.
 */
export type ImagePin = 'digest' | 'invalid' | 'latest' | 'none' | 'tag'

export function imagePin(image: string): ImagePin {
  const name = parseImageName(image)
  if (name === undefined) return 'invalid'
  if (name.digest !== undefined) return 'digest'
  if (name.tag === undefined) return 'none'
  return name.tag === 'latest' ? 'latest' : 'tag'
}

/** The default of Kubernetes for a container without a pull policy. */
export function defaultPullPolicy(image: string): string {
  return ['latest', 'none'].includes(imagePin(image)) ? 'Always' : 'IfNotPresent'
}
