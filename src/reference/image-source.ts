import {formatImageName, type ImageName, namesRegistry, parseImageName} from './image-name.js'

/**
 * An image as a request's `source` has it: an image that names no registry is looked up there. What is no image
 * reference is left to Kubernetes to refuse.
 */
export function imageFromSource(image: string, source: string): string {
  const prefix = trimSlashes(source)
  if (prefix === '' || namesRegistry(image) || parseImageName(image) === undefined) return image
  return `${prefix}/${image}`
}

/** A package's name where references are looked up at a source: unchanged if it names a registry itself. */
export function nameFromSource(name: ImageName, source: string): ImageName {
  if (name.registry !== undefined) return name
  return parseImageName(imageFromSource(formatImageName(name), source)) ?? name
}

/** Whether a text may be a source: a registry, with or without a path, and no tag. */
export function isImageSource(source: string): boolean {
  return sourceParts(source) !== undefined
}

/** The host of a source, if it names one, and its path, which may be empty. Undefined for what is no source. */
export function sourceParts(source: string): Pick<ImageName, 'registry' | 'path'> | undefined {
  const prefix = trimSlashes(source)
  const name = prefix === '' ? undefined : parseImageName(`${prefix}/image`)
  if (name === undefined) return undefined
  const {registry, path} = name
  return {
    ...(registry === undefined ? {} : {registry}),
    path: path === 'image' ? '' : path.slice(0, -'/image'.length),
  }
}

function trimSlashes(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '/') start += 1
  while (end > start && text[end - 1] === '/') end -= 1
  return text.slice(start, end)
}
