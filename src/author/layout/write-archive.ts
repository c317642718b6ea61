import {CrossplaneError} from '../../errors.js'
import {archiveFiles} from '../../fetch/archive-files.js'
import type {Image} from '../../fetch/image.js'
import type {SourceFile} from '../../fetch/source-files.js'
import type {WritableFile} from '../../fetch/output-files.js'
import {type ArchiveMember, archiveTar, documentMember} from './archive-tar.js'
import {INDEX_FILE, LAYOUT_FILE, LAYOUT_VERSION, layoutIndex} from './layout-index.js'
import {blobPath, storedParts} from './write-layout.js'

/**
 * Writes an image as an OCI layout in a tar, the same bytes for the same image. An existing OCI archive is replaced;
 * throws `output-refused` for any other file.
 */
export async function writeArchive(image: Image, tag: string | undefined, file: WritableFile): Promise<void> {
  const existing = await file.existing()
  if (existing !== undefined && !(await isArchive(existing))) throw notAnArchive(file)
  await file.write(archiveTar(['blobs', 'blobs/sha256'], membersOf(image, tag)))
}

function membersOf(image: Image, tag: string | undefined): ArchiveMember[] {
  return [
    ...storedParts(image).map(blob => ({
      path: blobPath(blob.descriptor),
      size: blob.descriptor.size,
      open: () => blob.open(),
    })),
    documentMember(INDEX_FILE, layoutIndex(image.descriptor, tag)),
    documentMember(LAYOUT_FILE, Buffer.from(JSON.stringify(LAYOUT_VERSION))),
  ]
}

/** Reports whether the file is an OCI archive. One that cannot be read as a tar is another file. */
async function isArchive(file: SourceFile): Promise<boolean> {
  try {
    return (await (await archiveFiles(file)).file(LAYOUT_FILE)) !== undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return false
    throw error
  }
}

function notAnArchive({name}: WritableFile): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot write ${name}: the file exists and is not an OCI archive`,
    {
      suggestions: ['Choose another file, or move this one elsewhere.'],
    },
  )
}
