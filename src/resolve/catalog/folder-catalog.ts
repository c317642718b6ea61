import {joinedSummaries} from '../../index/joined-index.js'
import {formatSummary} from '../../index/package-summary.js'
import {listedSummaries, type Summaries} from '../../index/summaries.js'
import {withPackages} from '../../locate/package-sources.js'
import type {Catalog} from './catalog.js'
import {type FolderPorts, openEntry, readFolder} from './read-folder.js'
import type {NameRepository} from '../repository-names.js'

/**
 * Combines the packages of a folder with another catalog: a version in the folder takes precedence. The whole folder
 * is read once, on first use.
 */
export function folderCatalog(ports: FolderPorts, nameOf: NameRepository, others: Catalog): Catalog {
  const read = async () => {
    const {content, entries} = await readFolder(ports, nameOf)
    return {entries, summaries: listedSummaries(content)}
  }
  let whole: ReturnType<typeof read> | undefined
  const all = () => (whole ??= read())
  const own: Summaries = {
    ofGroup: async group => await (await all()).summaries.ofGroup(group),
    ofPackage: async identity => await (await all()).summaries.ofPackage(identity),
  }
  return {
    summaries: joinedSummaries([own, others.summaries], formatSummary),
    tagsOf: async name => {
      const versions = withPackages((await ports.folder?.versions(name, ports.defaultSource)) ?? [])
      return [...versions.map(({tag}) => tag), ...(await others.tagsOf(name))]
    },
    yankedOf: identity => others.yankedOf(identity),
    contradictionOf: async summary =>
      (await all()).entries.has(summary) ? undefined : await others.contradictionOf(summary),
    carrierOf: summary => others.carrierOf(summary),
    open: async summary => {
      const entry = (await all()).entries.get(summary)
      return entry === undefined ? await others.open(summary) : await openEntry(entry, ports)
    },
  }
}
