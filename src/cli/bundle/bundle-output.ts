import type {BundleOutput} from '../../pipeline/bundle/create-bundle.js'
import {toArchive, toFolder} from '../../pipeline/bundle/bundle-output.js'
import {blobFolder, imageOutputs, writableFolder} from '../wire.js'
import {bundlePlace} from '../sources/bundles.js'

/** Runs an action that writes a bundle to a path: an archive if it ends with .tar, otherwise a folder. */
export async function toBundle<T>(path: string, act: (output: BundleOutput) => Promise<T>): Promise<T> {
  const isArchive = path.endsWith('.tar') && bundlePlace(path).kind === 'oci-archive'
  if (!isArchive) return await toFolder(await collecting(path), act)
  const outputs = await imageOutputs()
  return await toArchive(outputs.file(path), await collecting(`${path}.partial`), act)
}

async function collecting(path: string) {
  return {blobs: await blobFolder(path), folder: await writableFolder(path)}
}
