import type {WritableFile, WritableFolder} from '../../fetch/output-files.js'
import {writeArchive} from '../../author/layout/write-archive.js'
import {writeLayout} from '../../author/layout/write-layout.js'
import {writeXpkgFile} from '../../author/layout/write-xpkg-file.js'
import {CrossplaneError} from '../../errors.js'
import {quoted, shellWord} from '../../text.js'
import {parseImageName} from '../../reference/image-name.js'
import {
  type ArchiveReference,
  formatPackageReference,
  isArchiveText,
  isLocalPath,
  parsePackageReference,
} from '../../reference/package-reference.js'
import type {Image} from '../../fetch/image.js'

/** The local targets of images. */
export interface ImageOutputs {
  folder(path: string): WritableFolder
  file(path: string): WritableFile
}

/** A layout or an archive of one, or the file of a package for a current Crossplane, to be written. */
export type ImageTarget =
  | (ArchiveReference & {readonly kind: 'oci-layout' | 'oci-archive'})
  | {readonly kind: 'xpkg'; readonly path: string; readonly tag?: undefined}

/** Reports whether the text names the file of a package for a current Crossplane. */
export function isXpkgFile(text: string): boolean {
  return text.endsWith('.xpkg') && !isArchiveText(text)
}

/** Parses the target of an image; throws `usage`, with the alternative, for an invalid one. */
export function parseImageTarget(text: string): ImageTarget {
  if (isXpkgFile(text)) return {kind: 'xpkg', path: text}
  const reference = parsePackageReference(text)
  if (reference.kind === 'image')
    throw noTarget(
      text,
      FORMS,
      'Write oci:DIR[:TAG] for an OCI layout.',
      `Or push the package to a registry: kubectl crossplane package push ${shellWord(text)} DIR`,
    )
  if (reference.kind === 'directory' && /\.(?:tar|tgz|gz)$/.test(text))
    throw noTarget(text, FORMS, `Write oci-archive:${text} for an OCI archive in that file.`)
  if (reference.kind === 'directory')
    throw noTarget(text, FORMS, `Write oci:${text} for an OCI layout in that folder.`)
  if (reference.kind === 'docker-archive') {
    throw noTarget(
      text,
      'archives of Docker are only read',
      'Write an OCI archive, and convert it: skopeo copy oci-archive:FILE docker-archive:FILE',
    )
  }
  const {tag} = reference
  if (tag !== undefined && parseImageName(`package:${tag}`)?.tag !== tag)
    throw noTarget(text, 'invalid tag', 'Write a tag of letters, digits, _, . and -, at most 128 characters.')
  return {...reference, kind: reference.kind}
}

const FORMS = 'it is not oci:DIR[:TAG], oci-archive:FILE[:TAG] or FILE.xpkg'

function noTarget(text: string, cause: string, ...suggestions: readonly string[]): CrossplaneError {
  return new CrossplaneError('usage', `cannot write an image to ${quoted(text)}: ${cause}`, {suggestions})
}

/** Writes an image and returns the reference to it. */
export async function writeImage(
  image: Image,
  target: ImageTarget,
  tag: string | undefined,
  outputs: ImageOutputs,
): Promise<string> {
  if (target.kind === 'xpkg') {
    await writeXpkgFile(image, outputs.file(target.path))
    return isLocalPath(target.path) ? target.path : `./${target.path}`
  }
  if (target.kind === 'oci-layout') await writeLayout(image, tag, outputs.folder(target.path))
  else await writeArchive(image, tag, outputs.file(target.path))
  return formatPackageReference({kind: target.kind, path: target.path, tag})
}
