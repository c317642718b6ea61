import {archiveTar, documentMember} from '../../author/layout/archive-tar.js'
import {INDEX_FILE, LAYOUT_FILE, LAYOUT_VERSION} from '../../author/layout/layout-index.js'
import type {BlobFolder} from '../../bundles/blob-folder.js'
import {blobFile, openBundle} from '../../bundles/open-bundle.js'
import {CrossplaneError} from '../../errors.js'
import {archiveFiles} from '../../fetch/archive-files.js'
import type {Digest} from '../../fetch/image.js'
import type {WritableFile, WritableFolder} from '../../fetch/output-files.js'
import {verifiedBytes} from '../../fetch/verified-bytes.js'
import {oneChunk} from '../../http/one-chunk.js'
import {compareText} from '../../reference/compare-text.js'
import type {BundleOutput} from './create-bundle.js'

const LAYOUT = Buffer.from(JSON.stringify(LAYOUT_VERSION))

/** A folder in which blobs are collected, seen in two ways. */
export interface CollectingFolder {
  readonly blobs: BlobFolder
  readonly folder: WritableFolder
}

/**
 * Writes a bundle as a folder while no other process does. Throws `output-refused` for a folder with anything but a bundle.
 */
export async function toFolder<T>(
  {blobs, folder}: CollectingFolder,
  act: (output: BundleOutput) => Promise<T>,
): Promise<T> {
  await expectBundleFolder(folder)
  await folder.write(LAYOUT_FILE, oneChunk(LAYOUT))
  const finish = async (digests: readonly Digest[], index: Uint8Array) => {
    await folder.write(INDEX_FILE, oneChunk(index))
    const own = new Set(digests)
    for (const digest of await blobs.list()) if (!own.has(digest)) await blobs.discard(digest)
  }
  return await folder.exclusively(() => act({blobs, finish}))
}

/** The names in a folder whose bundle was interrupted. */
const INTERRUPTED = /^(?:blobs|oci-layout|\..*\.(?:tmp|lock))$/

async function expectBundleFolder(folder: WritableFolder): Promise<void> {
  const names = (await folder.list()) ?? []
  if (names.every(name => INTERRUPTED.test(name))) return
  await expectBundle(folder.name, () => openBundle({name: folder.name, file: path => folder.file(path)}))
}

async function expectBundle(name: string, open: () => Promise<unknown>): Promise<void> {
  try {
    await open()
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code === 'output-failed') throw error
    throw new CrossplaneError('output-refused', `cannot write ${name}: it exists and is not a bundle`, {
      cause: error,
      suggestions: ['Choose another name, or move this one elsewhere.'],
    })
  }
}

/**
 * Writes a bundle as an archive; `work` collects its blobs until then. Throws `output-refused` for any other file.
 */
export async function toArchive<T>(
  file: WritableFile,
  {blobs, folder}: CollectingFolder,
  act: (output: BundleOutput) => Promise<T>,
): Promise<T> {
  const existing = await file.existing()
  if (existing !== undefined)
    await expectBundle(file.name, async () => openBundle(await archiveFiles(existing)))
  // What a kill leaves is not committed.
  await folder.write('.gitignore', oneChunk(Buffer.from('*\n')))
  const finish = async (digests: readonly Digest[], index: Uint8Array) => {
    await file.write(archive(blobs, digests, index))
  }
  const result = await folder.exclusively(() => act({blobs, finish}))
  await blobs.remove()
  return result
}

/** The same bundle gives the same bytes: its description first, then everything by its digest. */
async function* archive(
  blobs: BlobFolder,
  digests: readonly Digest[],
  index: Uint8Array,
): AsyncGenerator<Uint8Array, void, undefined> {
  const members = [documentMember(LAYOUT_FILE, LAYOUT), documentMember(INDEX_FILE, index)]
  for (const digest of [...digests].sort(compareText)) {
    const stored = await blobs.complete(digest)
    if (stored === undefined)
      throw new CrossplaneError('output-failed', `cannot write a bundle: ${digest} is gone`)
    const {size} = stored
    const open = () => verifiedBytes(stored.read(), {digest, size}, `${digest} in ${blobs.name}`)
    members.push({path: blobFile({digest}), size, open})
  }
  yield* archiveTar(['blobs', 'blobs/sha256'], members)
}
