import {CrossplaneError} from '../../errors.js'
import type {Descriptor} from '../../fetch/descriptor.js'
import type {SourceFile} from '../../fetch/source-files.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {collectBytes, hashedBytes, verifiedBytes} from '../../fetch/verified-bytes.js'
import type {OutgoingBlob, OutgoingImage} from '../../registry/outgoing-image.js'
import {blobOf} from '../../registry/oci-parts.js'
import type {WritableFolder} from '../../fetch/output-files.js'
import {INDEX_FILE, LAYOUT_FILE, LAYOUT_VERSION, layoutIndex} from './layout-index.js'

/**
 * Adds an image to the OCI layout in a folder, or begins one where nothing is yet; the image that has its tag is
 * replaced. The list of images is written last, so that it never names what is not there, and by one at a time. Throws `output-refused` for a
 * folder of something else.
 */
export async function writeLayout(
  image: OutgoingImage,
  tag: string | undefined,
  folder: WritableFolder,
): Promise<void> {
  const isLayout = await expectLayout(folder)
  for (const blob of blobsOf(image)) await writeBlob(blob, folder)
  if (!isLayout) await folder.write(LAYOUT_FILE, once(Buffer.from(JSON.stringify(LAYOUT_VERSION))))
  await folder.exclusively(() => enlist(image, tag, folder))
}

/** Whoever reads the list while another adds to it would write it back without that. */
async function enlist(image: OutgoingImage, tag: string | undefined, folder: WritableFolder): Promise<void> {
  const index = await folder.file(INDEX_FILE)
  const holder = `${INDEX_FILE} in ${folder.name}`
  const existing =
    index === undefined
      ? undefined
      : {bytes: await collectBytes(index.read(), SOURCE_LIMITS.manifestBytes, holder), holder}
  await folder.write(INDEX_FILE, once(layoutIndex(image.root, tag, existing)))
}

/** All that a layout keeps by digest, documents too; each once. */
export function blobsOf({blobs, manifests}: OutgoingImage): readonly OutgoingBlob[] {
  const all = [
    ...blobs,
    ...manifests.map(({descriptor, bytes}) => blobOf(descriptor.mediaType, bytes, descriptor.annotations)),
  ]
  return [...new Map(all.map(blob => [blob.descriptor.digest, blob])).values()]
}

/** Where a layout keeps what has a digest. */
export function blobPath({digest}: Descriptor): string {
  return `blobs/${digest.replace(':', '/')}`
}

/** A blob that checks itself on the way. */
export function checkedBlob(blob: OutgoingBlob): AsyncIterable<Uint8Array> {
  const {descriptor} = blob
  return verifiedBytes(blob.open(), descriptor, `The blob ${descriptor.digest}`)
}

async function writeBlob(blob: OutgoingBlob, folder: WritableFolder): Promise<void> {
  const path = blobPath(blob.descriptor)
  const present = await folder.file(path)
  if (present !== undefined && (await isSound(present, blob.descriptor))) return
  await folder.write(path, checkedBlob(blob))
}

/** A write that broke off, or a disk that did, may have left other bytes there. */
async function isSound(file: SourceFile, expected: Descriptor): Promise<boolean> {
  return file.size === expected.size && (await hashedBytes(file.read())) === expected.digest
}

/** What a first write leaves that was interrupted: nothing in it says yet what the folder is. */
const INTERRUPTED = /^(?:blobs|\.(?:oci-layout|index\.json)\..*\.tmp)$/

async function expectLayout(folder: WritableFolder): Promise<boolean> {
  const names = (await folder.list()) ?? []
  if (names.includes(LAYOUT_FILE)) return true
  if (names.every(name => INTERRUPTED.test(name))) return false
  throw new CrossplaneError('output-refused', `${folder.name} holds something else than an OCI layout`, {
    suggestions: ['Name an empty or a new folder, or one that an image was built into before.'],
  })
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes)
}
