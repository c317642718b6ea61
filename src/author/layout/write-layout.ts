import {CrossplaneError} from '../../errors.js'
import {type Blob, blobsOf, type Descriptor, documentsOf, type Image} from '../../fetch/image.js'
import type {SourceFile} from '../../fetch/source-files.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {collectBytes, hashedBytes} from '../../fetch/verified-bytes.js'
import {oneChunk} from '../../http/one-chunk.js'
import type {WritableFolder} from '../../fetch/output-files.js'
import {INDEX_FILE, LAYOUT_FILE, LAYOUT_VERSION, layoutIndex} from './layout-index.js'

/**
 * Adds an image to the OCI layout in a folder, or creates one in an empty folder; the image that has its tag is
 * replaced. The index is written last, so that it never names a missing blob, and under a lock. Throws `output-refused`
 * for a folder with other content.
 */
export async function writeLayout(
  image: Image,
  tag: string | undefined,
  folder: WritableFolder,
): Promise<void> {
  const isLayout = await expectLayout(folder)
  for (const part of storedParts(image)) await writeBlob(part, folder)
  if (!isLayout) await folder.write(LAYOUT_FILE, oneChunk(Buffer.from(JSON.stringify(LAYOUT_VERSION))))
  await folder.exclusively(() => enlist(image, tag, folder))
}

/** Adds to the index under the lock: two processes that read it at the same time would lose one of their images. */
async function enlist(image: Image, tag: string | undefined, folder: WritableFolder): Promise<void> {
  const index = await folder.file(INDEX_FILE)
  const holder = `${INDEX_FILE} in ${folder.name}`
  const existing =
    index === undefined
      ? undefined
      : {bytes: await collectBytes(index.read(), SOURCE_LIMITS.manifestBytes, holder), holder}
  await folder.write(INDEX_FILE, oneChunk(layoutIndex(image.descriptor, tag, existing)))
}

/** Returns all that a layout stores by digest: blobs, then documents. */
export function storedParts(image: Image): readonly Blob[] {
  const documents = documentsOf(image).map(({descriptor, bytes}) => ({
    descriptor,
    open: () => oneChunk(bytes),
  }))
  return [...blobsOf(image), ...documents]
}

/** Returns the path of a blob in a layout. */
export function blobPath({digest}: Descriptor): string {
  return `blobs/${digest.replace(':', '/')}`
}

async function writeBlob(blob: Blob, folder: WritableFolder): Promise<void> {
  const path = blobPath(blob.descriptor)
  const present = await folder.file(path)
  if (present !== undefined && (await isIntact(present, blob.descriptor))) return
  await folder.write(path, blob.open())
}

/** Reports whether the blob is intact: an interrupted write or a failing disk may have left other bytes. */
async function isIntact(file: SourceFile, expected: Descriptor): Promise<boolean> {
  return file.size === expected.size && (await hashedBytes(file.read())) === expected.digest
}

/** Names that an interrupted first write leaves, before the file that marks a layout. */
const INTERRUPTED = /^(?:blobs|\.(?:oci-layout|index\.json)\..*\.tmp)$/

async function expectLayout(folder: WritableFolder): Promise<boolean> {
  const names = (await folder.list()) ?? []
  if (names.includes(LAYOUT_FILE)) return true
  if (names.every(name => INTERRUPTED.test(name))) return false
  throw new CrossplaneError(
    'output-refused',
    `cannot write ${folder.name}: the folder is not empty and not an OCI layout`,
    {
      suggestions: ['Choose an empty or a new folder, or an existing OCI layout.'],
    },
  )
}
