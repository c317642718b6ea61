import {CrossplaneError, reasonOf} from '../../errors.js'
import {xpkgSummary} from '../../index/entry-of-package.js'
import {listedIndex} from '../../index/listed-index.js'
import type {PackageIndex} from '../../index/package-index.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {UnreadablePackage} from '../../index/summaries.js'
import {readSource} from '../../locate/read-source.js'
import {present} from '../../present.js'
import {type FolderEntry, type FolderPorts, readFolder} from './read-folder.js'
import {repositoryNames} from '../repository-names.js'

/** Reads a folder of packages, of either format, as an index. Throws `not-found`. */
export async function folderIndex(ports: FolderPorts, defaultSource?: string): Promise<PackageIndex> {
  const {content, xpkgs} = await readFolder(ports, repositoryNames([], defaultSource))
  const summaries = [...content.summaries]
  const unreadable = [...content.unreadable]
  for (const entry of xpkgs) {
    const summary = await summaryIn(entry, ports)
    if ('reason' in summary) unreadable.push(summary)
    else summaries.push(summary)
  }
  return listedIndex('the folder of packages', {...content, summaries, unreadable})
}

async function summaryIn(
  {identity, tag, at}: FolderEntry,
  {sources, platform}: FolderPorts,
): Promise<PackageSummary | UnreadablePackage> {
  try {
    const {files, digest} = await readSource(at, sources, {platform})
    return xpkgSummary(formatSummary({identity, tag}), files, {identity, tag, ...present({digest})})
  } catch (error) {
    if (error instanceof CrossplaneError) return {identity, tag, reason: reasonOf(error)}
    throw error
  }
}
