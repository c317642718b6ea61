import {CrossplaneError} from '../../errors.js'
import {archiveFiles} from '../../fetch/archive-files.js'
import type {Image} from '../../fetch/image.js'
import type {SourceFile} from '../../fetch/source-files.js'
import {oneChunk} from '../../http/one-chunk.js'
import {tarEnd, tarHeader, tarPadding} from '../build/tar-writer.js'
import type {WritableFile} from '../../fetch/output-files.js'
import {INDEX_FILE, LAYOUT_FILE, LAYOUT_VERSION, layoutIndex} from './layout-index.js'
import {blobPath, storedParts} from './write-layout.js'

/**
 * Writes an image as an OCI layout in a tar, the same bytes for the same image. An existing OCI archive is replaced;
 * throws `output-refused` for any other file.
 */
export async function writeArchive(image: Image, tag: string | undefined, file: WritableFile): Promise<void> {
  const existing = await file.existing()
  if (existing !== undefined && !(await isArchive(existing))) throw notAnArchive(file)
  await file.write(archiveBytes(image, tag))
}

interface Member {
  readonly path: string
  readonly size: number
  open(): AsyncIterable<Uint8Array>
}

async function* archiveBytes(
  image: Image,
  tag: string | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const path of ['blobs', 'blobs/sha256']) yield tarHeader({path, kind: 'directory', size: 0}, TIME)
  for (const member of membersOf(image, tag)) {
    yield tarHeader({...member, kind: 'file'}, TIME)
    yield* member.open()
    yield tarPadding(member.size)
  }
  yield tarEnd()
}

const TIME = 0

function membersOf(image: Image, tag: string | undefined): Member[] {
  const document = (path: string, bytes: Uint8Array): Member => ({
    path,
    size: bytes.length,
    open: () => oneChunk(bytes),
  })
  return [
    ...storedParts(image).map(blob => ({
      path: blobPath(blob.descriptor),
      size: blob.descriptor.size,
      open: () => blob.open(),
    })),
    document(INDEX_FILE, layoutIndex(image.descriptor, tag)),
    document(LAYOUT_FILE, Buffer.from(JSON.stringify(LAYOUT_VERSION))),
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
