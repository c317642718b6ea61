/** The parts of an image reference as written (https://pkg.go.dev/github.com/distribution/reference#pkg-overview). */
export interface ImageName {
  /** Host and port, if the name has one. */
  readonly registry?: string
  readonly path: string
  readonly tag?: string
  readonly digest?: `sha256:${string}`
}

const HOST =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::[0-9]+)?$/
const PATH_SEGMENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/
const TAG = /^\w[\w.-]{0,127}$/
const DIGEST = /^sha256:[0-9a-f]{64}$/
const MAX_NAME_LENGTH = 255

/** Reports whether an image's first segment is a registry, by Docker's rule. */
export function namesRegistry(image: string): boolean {
  const slash = image.indexOf('/')
  return slash !== -1 && isRegistry(image.slice(0, slash))
}

function isRegistry(segment: string): boolean {
  return segment === 'localhost' || segment.includes('.') || segment.includes(':')
}

/** Undefined if the text is not an image reference. */
export function parseImageName(text: string): ImageName | undefined {
  const [beforeDigest, digest] = splitAt(text, text.indexOf('@'))
  const lastSegment = beforeDigest.lastIndexOf('/') + 1
  const [name, tag] = splitAt(beforeDigest, beforeDigest.indexOf(':', lastSegment))
  const [first, rest] = splitAt(name, name.indexOf('/'))
  const [registry, path] = rest !== undefined && isRegistry(first) ? [first, rest] : [undefined, name]
  if (!isValid({registry, path, tag}) || (digest !== undefined && !isDigest(digest))) return undefined
  return {path, ...present('registry', registry), ...present('tag', tag), ...present('digest', digest)}
}

/** The text before and after a separator; no second part without one. */
function splitAt(text: string, index: number): [before: string, after: string | undefined] {
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)]
}

function present<Key extends string, Value>(key: Key, value: Value | undefined): {[K in Key]?: Value} {
  return value === undefined ? {} : ({[key]: value} as {[K in Key]?: Value})
}

function isValid({registry, path, tag}: ImageName): boolean {
  return (
    (registry === undefined || HOST.test(registry)) &&
    path.length <= MAX_NAME_LENGTH &&
    path.split('/').every(segment => PATH_SEGMENT.test(segment)) &&
    (tag === undefined || isTag(tag))
  )
}

/** Reports whether a text can be a tag. https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pull */
export function isTag(text: string): boolean {
  return TAG.test(text)
}

/** `sha256:` and 64 hex digits, the one algorithm in use. */
export function isDigest(text: string): text is `sha256:${string}` {
  return DIGEST.test(text)
}

/** Shortens a digest to what tells it from others in a table. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 'sha256:'.length + 12)
}

/** Shortens each digest in a text for users, in which nothing is pulled by it. */
export function withShortDigests(text: string): string {
  return text.replaceAll(/sha256:[0-9a-f]{64}/g, shortDigest)
}

/** Formats the name. */
export function formatImageName({registry, path, tag, digest}: ImageName): string {
  const host = registry === undefined ? '' : `${registry}/`
  return `${host}${path}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`
}
