import {CrossplaneError} from '../errors.js'
import {shellWord} from '../text.js'
import {formatImageName, type ImageName, parseImageName} from './image-name.js'

/** The location of a package, as users write it on a command line, in a declaration or in a request. */
export type PackageReference =
  | {readonly kind: 'image'; readonly name: ImageName}
  | {readonly kind: 'directory'; readonly path: string}
  | ArchiveReference

/** An OCI layout or a tarball of one image or several; `tag` selects one of them. */
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

/** What commands that resolve dependencies take for the package that provides a CRD. */
export const CRD_PREFIX = 'crd:'

/** Throws `reference-invalid` for text in none of the forms. */
export function parsePackageReference(text: string): PackageReference {
  const inRegistry = helmReference(text)
  if (inRegistry !== undefined) return {kind: 'image', name: inRegistry}
  if (text.startsWith(CRD_PREFIX)) throw namesCrd(text)
  const transport = Object.entries(TRANSPORTS).find(([prefix]) => text.startsWith(prefix))
  if (transport !== undefined) return archiveReference(text, transport[0], transport[1])
  if (isLocalPath(text)) return {kind: 'directory', path: text}
  const name = parseImageName(text)
  if (name !== undefined) return {kind: 'image', name}
  if (VERSION_FOLDER.test(text))
    throw notAReference(text, `Use ./${text} for a folder, or PATH:TAG for a version.`)
  throw notAReference(
    text,
    'Use [HOST/]PATH[:TAG][@sha256:DIGEST] in lowercase, ./DIR for a folder, or oci:DIR, oci-archive:FILE, docker-archive:FILE.',
  )
}

/** Reports whether the text names an OCI layout or an archive, by its prefix. */
export function isArchiveText(text: string): boolean {
  return Object.keys(TRANSPORTS).some(prefix => text.startsWith(prefix))
}

/** A URL as browsers show it, and the reference in it. */
const HTTP_ADDRESS = /^https?:\/\/(.*[^/])\/*$/i

/** `PATH@VERSION`, as folders of packages are named. */
const VERSION_FOLDER = /^[\w.-]+(?:\/[\w.-]+)*@v?\d[\w.+-]*$/

const DRIVE = String.raw`[A-Za-z]:[\\/]`
const LOCAL_PATH = new RegExp(String.raw`^(?:\.{1,2}$|\.{0,2}[\\/]|${DRIVE})`)

/**
 * Reports whether the text has the form of a path, of POSIX or Windows, that starts with `.`, a separator or a drive.
 */
export function isLocalPath(text: string): boolean {
  return LOCAL_PATH.test(text)
}

const OCI_SCHEME = 'oci://'

/** `oci://HOST/PATH`, the form of Helm and ORAS; undefined for other text. `oci:///DIR` is a layout. */
function helmReference(text: string): ImageName | undefined {
  if (!text.startsWith(OCI_SCHEME) || text.startsWith(`${OCI_SCHEME}/`)) return undefined
  const name = parseImageName(text.slice(OCI_SCHEME.length))
  if (name?.registry !== undefined) return name
  throw notAReference(text, 'Use oci://HOST/PATH[:TAG] for a registry, or oci:DIR[:TAG] for an OCI layout.')
}

function archiveReference(text: string, prefix: string, kind: ArchiveReference['kind']): ArchiveReference {
  const rest = text.slice(prefix.length)
  const colon = rest.indexOf(':', isDrivePath(rest) ? 'C:'.length : 0)
  const [path, tag] = colon === -1 ? [rest, undefined] : [rest.slice(0, colon), rest.slice(colon + 1)]
  if (path === '' || tag === '') {
    const missing = path === '' ? 'path' : 'tag'
    throw new CrossplaneError('reference-invalid', `missing ${missing} in ${JSON.stringify(text)}`, {
      suggestions: [`Use ${prefix}PATH or ${prefix}PATH:TAG.`],
    })
  }
  return {kind, path, tag}
}

function isDrivePath(text: string): boolean {
  return new RegExp(`^${DRIVE}`).test(text)
}

/** An image reference of a package. Throws `reference-invalid` for other text. */
export function parsePackageImage(text: string): ImageName {
  const name = helmReference(text) ?? parseImageName(text)
  if (name !== undefined) return name
  throw notAReference(
    text,
    'Use [HOST/]PATH[:TAG][@sha256:DIGEST] in lowercase, such as example/provider-sql:v0.2.0.',
  )
}

function notAReference(text: string, suggestion: string): CrossplaneError {
  const message = `invalid package reference ${JSON.stringify(text)}${spellingFault(text)}`
  const inAddress = HTTP_ADDRESS.exec(text)?.[1] ?? ''
  const next = parseImageName(inAddress) === undefined ? suggestion : `Write ${inAddress}, without https://.`
  return new CrossplaneError('reference-invalid', message, {suggestions: [next]})
}

function namesCrd(text: string): CrossplaneError {
  const message = `${JSON.stringify(text)} names a CRD, not a package`
  return new CrossplaneError('reference-invalid', message, {
    suggestions: [
      `Use the name of the package that provides it. To see it: kubectl crossplane package why ${shellWord(text)}`,
    ],
  })
}

/** What is easily overlooked. */
function spellingFault(text: string): string {
  if (text === '') return ': it is empty'
  if (/\s/.test(text)) return ': it has a blank'
  if (HTTP_ADDRESS.test(text)) return ': it is a URL'
  if (/:(?:@|$)/.test(text)) return ': the tag is empty'
  const [, digest] = /@(sha256:.*)$/.exec(text) ?? []
  if (digest !== undefined && !/^sha256:[\da-f]{64}$/.test(digest))
    return `: ${JSON.stringify(digest)} is not sha256: and 64 digits of 0-9 and a-f`
  const path = text.replace(/(?::[^/:]*)?(?:@.*)?$/, '').replace(/^[^/]*[.:][^/]*\//, '')
  return /[A-Z]/.test(path) ? ': repositories are lowercase' : ''
}

/** Formats a reference as text. */
export function formatPackageReference(reference: PackageReference): string {
  if (reference.kind === 'image') return formatImageName(reference.name)
  if (reference.kind === 'directory') return reference.path
  const prefix = Object.entries(TRANSPORTS).find(([, kind]) => kind === reference.kind)?.[0] ?? ''
  return `${prefix}${reference.path}${reference.tag === undefined ? '' : `:${reference.tag}`}`
}
