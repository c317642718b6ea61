import {CrossplaneError} from '../errors.js'
import {formatImageName, type ImageName, parseImageName} from './image-name.js'

/** Where a package is, as people write it on a command line, in a declaration or in a request. */
export type PackageReference =
  | {readonly kind: 'image'; readonly name: ImageName}
  | {readonly kind: 'directory'; readonly path: string}
  | ArchiveReference

/** An OCI layout or a tarball of one image or several; `tag` chooses among them. */
export interface ArchiveReference {
  readonly kind: 'oci-layout' | 'oci-archive' | 'docker-archive'
  readonly path: string
  readonly tag?: string
}

const TRANSPORTS = {
  'oci:': 'oci-layout',
  'oci-archive:': 'oci-archive',
  'docker-archive:': 'docker-archive',
} as const

/** Throws `reference-invalid` for text that is none of the forms. */
export function parsePackageReference(text: string): PackageReference {
  const transport = Object.entries(TRANSPORTS).find(([prefix]) => text.startsWith(prefix))
  if (transport !== undefined) return archiveReference(text, transport[0], transport[1])
  if (isLocalPath(text)) return {kind: 'directory', path: text}
  const name = parseImageName(text)
  if (name !== undefined) return {kind: 'image', name}
  throw notAReference(
    text,
    'Write [HOST/]PATH[:TAG][@sha256:DIGEST] in lower case, ./DIR for a folder, or oci:DIR, oci-archive:FILE, docker-archive:FILE.',
  )
}

/** The forms that a shell completes to a path; everything else is an image. */
export function isLocalPath(text: string): boolean {
  return text === '.' || text === '..' || /^(?:\.{0,2}\/)/.test(text)
}

function archiveReference(text: string, prefix: string, kind: ArchiveReference['kind']): ArchiveReference {
  const rest = text.slice(prefix.length)
  const colon = rest.indexOf(':')
  const [path, tag] = colon === -1 ? [rest, undefined] : [rest.slice(0, colon), rest.slice(colon + 1)]
  if (path === '' || tag === '') {
    throw new CrossplaneError(
      'reference-invalid',
      `${text} names no ${path === '' ? 'path' : 'tag'} after ${prefix}`,
      {
        suggestions: [`Write ${prefix}PATH or ${prefix}PATH:TAG.`],
      },
    )
  }
  return {kind, path, ...(tag === undefined ? {} : {tag})}
}

/** An image reference of a package. Throws `reference-invalid` if the text is none. */
export function parsePackageImage(text: string): ImageName {
  const name = parseImageName(text)
  if (name !== undefined) return name
  throw notAReference(
    text,
    'Only [HOST/]PATH[:TAG][@sha256:DIGEST] in lower case is taken here, such as example/provider-sql:v0.2.0.',
  )
}

function notAReference(text: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('reference-invalid', `${JSON.stringify(text)} is not a package reference`, {
    suggestions: [suggestion],
  })
}

/** The reference as text again, as messages name it. */
export function formatPackageReference(reference: PackageReference): string {
  if (reference.kind === 'image') return formatImageName(reference.name)
  if (reference.kind === 'directory') return reference.path
  const prefix = Object.entries(TRANSPORTS).find(([, kind]) => kind === reference.kind)?.[0] ?? ''
  return `${prefix}${reference.path}${reference.tag === undefined ? '' : `:${reference.tag}`}`
}
