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

/** Docker's rule for whether an image's first segment is a registry. */
export function namesRegistry(image: string): boolean {
  const slash = image.indexOf('/')
  return slash !== -1 && isRegistry(image.slice(0, slash))
}

function isRegistry(segment: string): boolean {
  return segment === 'localhost' || segment.includes('.') || segment.includes(':')
}

/** Undefined if the text is no image reference. */
export function parseImageName(text: string): ImageName | undefined {
  const at = text.indexOf('@')
  const digest = at === -1 ? undefined : text.slice(at + 1)
  const beforeDigest = at === -1 ? text : text.slice(0, at)
  const colon = beforeDigest.indexOf(':', beforeDigest.lastIndexOf('/') + 1)
  const tag = colon === -1 ? undefined : beforeDigest.slice(colon + 1)
  const name = colon === -1 ? beforeDigest : beforeDigest.slice(0, colon)
  const named = namesRegistry(name)
  const registry = named ? name.slice(0, name.indexOf('/')) : undefined
  const path = named ? name.slice(name.indexOf('/') + 1) : name
  if (!isValid({registry, path, tag}) || !isDigest(digest)) return undefined
  return {
    ...(registry === undefined ? {} : {registry}),
    path,
    ...(tag === undefined ? {} : {tag}),
    ...(digest === undefined ? {} : {digest}),
  }
}

function isValid({registry, path, tag}: ImageName): boolean {
  return (
    (registry === undefined || HOST.test(registry)) &&
    path.length <= MAX_NAME_LENGTH &&
    path.split('/').every(segment => PATH_SEGMENT.test(segment)) &&
    (tag === undefined || TAG.test(tag))
  )
}

function isDigest(text: string | undefined): text is ImageName['digest'] {
  return text === undefined || DIGEST.test(text)
}

/** The name as one text again. */
export function formatImageName({registry, path, tag, digest}: ImageName): string {
  const host = registry === undefined ? '' : `${registry}/`
  return `${host}${path}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`
}
