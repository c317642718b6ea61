import {join} from 'node:path'
import type {BlobFolder} from '../bundles/blob-folder.js'
import type {Digest} from '../fetch/image.js'
import type {SourceFile} from '../fetch/source-files.js'
import {attempt, type FileSystem, kindOf, realFileSystem, unless} from './file-system.js'
import {localFile} from './local-files.js'
import {makeAll, makeRealFolder} from './real-folder.js'

const BLOBS = 'blobs/sha256'
const PART = '.part'
const BLOB_NAME = /^[0-9a-f]{64}$/
const FILE_MODE = 0o644

/** Opens the folder of blobs in the OCI layout at `root`, which need not exist. */
export function blobFolder(root: string, files: FileSystem = realFileSystem): BlobFolder {
  const folder = join(root, BLOBS)
  const pathOf = (digest: Digest) => join(folder, digest.slice('sha256:'.length))
  const partOf = (digest: Digest) => `${pathOf(digest)}${PART}`
  return {
    name: root,
    complete: digest => fileAt(files, pathOf(digest)),
    partial: digest => fileAt(files, partOf(digest)),
    append: async (digest, bytes) => {
      await attempt('create the folder', folder, async () => {
        await makeAll(files, root)
        await makeRealFolder(files, root, BLOBS)
      })
      await attempt('write', partOf(digest), () => append(files, partOf(digest), bytes))
    },
    finish: async digest => {
      await attempt('write', pathOf(digest), () => finish(files, partOf(digest), pathOf(digest)))
    },
    discard: async digest => {
      for (const path of [partOf(digest), pathOf(digest)])
        await attempt('delete', path, () => unless(['ENOENT'], files.unlink(path)))
    },
    list: async () => {
      const names = (await attempt('list', folder, () => unless(['ENOENT'], files.readdir(folder)))) ?? []
      return names.filter(name => BLOB_NAME.test(name)).map((name): Digest => `sha256:${name}`)
    },
    remove: async () => {
      await attempt('delete', root, () => removeFolder(files, root))
    },
  }
}

/** Removes only what this program puts there: with other files, the folder stays. */
async function removeFolder(files: FileSystem, root: string): Promise<void> {
  const folder = join(root, BLOBS)
  const names = (await unless(['ENOENT'], files.readdir(folder))) ?? []
  const own = names.filter(name => BLOB_NAME.test(name.endsWith(PART) ? name.slice(0, -PART.length) : name))
  for (const name of own) await unless(['ENOENT'], files.unlink(join(folder, name)))
  for (const name of OWN_FILES) await unless(['ENOENT'], files.unlink(join(root, name)))
  for (const path of [folder, join(root, 'blobs'), root])
    await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], files.rmdir(path))
}

const OWN_FILES = ['.gitignore', 'oci-layout']

/** A link is no blob: it could lead anywhere. */
async function fileAt(files: FileSystem, path: string): Promise<SourceFile | undefined> {
  const kind = await attempt('read', path, () => kindOf(files, path))
  return kind === 'file' ? await localFile(path) : undefined
}

async function append(files: FileSystem, path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await files.open(path, 'a', FILE_MODE)
  try {
    for await (const chunk of bytes) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
}

/** After a loss of power, a name must not have other bytes than those that were verified. */
async function finish(files: FileSystem, part: string, path: string): Promise<void> {
  const file = await files.open(part, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await files.rename(part, path)
}
