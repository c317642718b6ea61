import {parseImageName} from '../reference/image-name.js'

/**
 * What holds an image to its bytes: only a digest does. `latest` and no tag at all move with every push, other tags
 * when somebody moves them; `invalid` is no image reference, which Kubernetes refuses.
 */
export type ImagePin = 'digest' | 'invalid' | 'latest' | 'none' | 'tag'

export function imagePin(image: string): ImagePin {
  const name = parseImageName(image)
  if (name === undefined) return 'invalid'
  if (name.digest !== undefined) return 'digest'
  if (name.tag === undefined) return 'none'
  return name.tag === 'latest' ? 'latest' : 'tag'
}

/** What Kubernetes takes for a container that gives no pull policy. */
export function defaultPullPolicy(image: string): string {
  return ['latest', 'none'].includes(imagePin(image)) ? 'Always' : 'IfNotPresent'
}
