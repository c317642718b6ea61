import {listedIndex} from '../../index/listed-index.js'
import type {PackageIndex} from '../../index/package-index.js'
import {type FolderPorts, readFolder} from '../../resolve/catalog/read-folder.js'
import {repositoryNames} from '../../resolve/repository-names.js'

/** Reads a folder of packages as an index. Throws `not-found`. */
export async function folderIndex(ports: FolderPorts, defaultSource?: string): Promise<PackageIndex> {
  const {content} = await readFolder(ports, repositoryNames([], defaultSource))
  return listedIndex('the folder of packages', content)
}
