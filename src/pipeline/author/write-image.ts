import type {WritableFile, WritableFolder} from '../../fetch/output-files.js'
import {writeArchive} from '../../author/layout/write-archive.js'
import {writeLayout} from '../../author/layout/write-layout.js'
import {CrossplaneError} from '../../errors.js'
import {parseImageName} from '../../reference/image-name.js'
import {
  type ArchiveReference,
  formatPackageReference,
  parsePackageReference,
} from '../../reference/package-reference.js'
import type {OutgoingImage} from '../../registry/outgoing-image.js'

/** Where images are written on this machine. */
export interface ImageOutputs {
  folder(path: string): WritableFolder
  file(path: string): WritableFile
}

/** A layout or an archive of one, to be written. */
export type ImageTarget = ArchiveReference & {readonly kind: 'oci-layout' | 'oci-archive'}

/** Reads where an image is to go; throws `usage` for what cannot be written, with the way there. */
export function parseImageTarget(text: string): ImageTarget {
  const reference = parsePackageReference(text)
  if (reference.kind === 'image')
    throw noTarget(text, `Write it into a registry with: package push ${text}; or name oci:DIR[:TAG] here.`)
  if (reference.kind === 'directory')
    throw noTarget(text, `Write oci:${text} for an OCI layout in that folder.`)
  if (reference.kind === 'docker-archive') {
    throw noTarget(
      text,
      'Write an oci-archive, and convert it: skopeo copy oci-archive:FILE docker-archive:FILE.',
    )
  }
  const {tag} = reference
  if (tag !== undefined && parseImageName(`package:${tag}`)?.tag !== tag)
    throw noTarget(
      text,
      `${JSON.stringify(tag)} cannot be a tag: write letters, digits, _, . and -, at most 128.`,
    )
  return {...reference, kind: reference.kind}
}

function noTarget(text: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('usage', `${JSON.stringify(text)} is nothing that an image is written to`, {
    suggestions: [suggestion],
  })
}

/** Writes an image, and says how the target is now named. */
export async function writeImage(
  image: OutgoingImage,
  target: ImageTarget,
  tag: string | undefined,
  outputs: ImageOutputs,
): Promise<string> {
  if (target.kind === 'oci-layout') await writeLayout(image, tag, outputs.folder(target.path))
  else await writeArchive(image, tag, outputs.file(target.path))
  return formatPackageReference({kind: target.kind, path: target.path, ...(tag === undefined ? {} : {tag})})
}
