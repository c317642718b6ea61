import {formatImageName, type ImageName, namesRegistry, parseImageName} from './image-name.js'

/**
 * Applies a request's `source` to an image: one without a registry is pulled from there. Text that is not an image
 * reference stays as it is, and Kubernetes rejects it.
 */
export function imageFromSource(image: string, source: string): string {
  const prefix = trimSlashes(source)
  if (prefix === '' || namesRegistry(image) || parseImageName(image) === undefined) return image
  return `${prefix}/${image}`
}

/** Returns the image that a source was applied to; undefined for one that is not in the source. */
export function imageWithoutSource(image: string, source: string): string | undefined {
  const prefix = trimSlashes(source)
  return prefix !== '' && image.startsWith(`${prefix}/`) ? image.slice(prefix.length + 1) : undefined
}

/** Applies a source to a package's name; a name with a registry stays as it is. */
export function nameFromSource(name: ImageName, source: string): ImageName {
  if (name.registry !== undefined) return name
  return parseImageName(imageFromSource(formatImageName(name), source)) ?? name
}

/** Reports whether the text is a source: a registry with an optional path, without a tag. */
export function isImageSource(source: string): boolean {
  return sourceParts(source) !== undefined
}

/** The host of a source, if it has one, and its path, which can be empty. Undefined for other text. */
export function sourceParts(source: string): Pick<ImageName, 'registry' | 'path'> | undefined {
  const prefix = trimSlashes(source)
  const name = prefix === '' ? undefined : parseImageName(`${prefix}/image`)
  if (name === undefined) return undefined
  const {registry, path} = name
  return {
    registry,
    path: path === 'image' ? '' : path.slice(0, -'/image'.length),
  }
}

function trimSlashes(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '/') start += 1
  while (end > start && text[end - 1] === '/') end -= 1
  return text.slice(start, end)
}
