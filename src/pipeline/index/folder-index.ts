import {CrossplaneError} from '../../errors.js'
import {listedIndex} from '../../index/listed-index.js'
import type {PackageIndex} from '../../index/package-index.js'
import type {PackageSummary} from '../../index/package-summary.js'
import type {UnreadablePackage} from '../../index/summaries.js'
import {summaryOf} from '../../index/summary-of.js'
import {parseImageName} from '../../reference/image-name.js'
import {readPackage} from '../../unpack/read-package.js'
import type {PackagePorts} from '../locate/located-package.js'
import type {FolderVersion, PackageFolder} from '../locate/package-sources.js'
import {readSource} from '../locate/read-source.js'
import {type NameRepository, repositoryNames} from '../resolve/catalog.js'

export type FolderPorts = Pick<PackagePorts, 'sources' | 'platform' | 'defaultSource'>

/** A folder of packages as an index, read as a whole now. Throws `not-found` where there is none. */
export async function folderIndex(folder: PackageFolder, ports: FolderPorts): Promise<PackageIndex> {
  const nameOf = repositoryNames([], ports.defaultSource)
  const summaries: PackageSummary[] = []
  const unreadable: UnreadablePackage[] = []
  for (const version of await folder.all()) {
    const read = await readVersion(version, ports, nameOf)
    if ('reason' in read) unreadable.push(read)
    else summaries.push(read)
  }
  return listedIndex('the folder of packages', {summaries, unreadable, yanked: []})
}

async function readVersion(
  {repositoryPath, tag, at}: FolderVersion & {readonly repositoryPath: string},
  {sources, platform}: FolderPorts,
  nameOf: NameRepository,
): Promise<PackageSummary | UnreadablePackage> {
  const name = parseImageName(repositoryPath)
  if (name === undefined) {
    return {identity: repositoryPath, tag, reason: 'its path in the folder is no repository'}
  }
  const identity = nameOf(name)
  try {
    const {files, digest} = await readSource(at, sources, platform)
    const origin = {identity, tag, ...(digest === undefined ? {} : {digest})}
    return summaryOf(readPackage(`${identity}:${tag}`, files), origin)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {identity, tag, reason: error.message}
  }
}
