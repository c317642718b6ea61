import {CrossplaneError} from '../../errors.js'
import type {PackageSummary} from '../../index/package-summary.js'
import {listedSummaries} from '../../index/summaries.js'
import type {Catalog} from './catalog.js'
import {type FolderPorts, openEntry, readFolder} from './read-folder.js'
import type {NameRepository} from './repository-names.js'

/** The packages of a folder; none where there is no folder. It is read as a whole, once, when it is first asked. */
export function folderCatalog(ports: FolderPorts, nameOf: NameRepository): Catalog {
  const read = async () => {
    const {found, entries} = await readFolder(ports, nameOf)
    return {entries, summaries: listedSummaries(found)}
  }
  let whole: ReturnType<typeof read> | undefined
  const all = () => (whole ??= read())
  return {
    summaries: {
      ofGroup: async group => await (await all()).summaries.ofGroup(group),
      ofPackage: async identity => await (await all()).summaries.ofPackage(identity),
    },
    tagsOf: async ({path}) => ((await ports.folder?.versions(path)) ?? []).map(({tag}) => tag),
    yankedOf: () => Promise.resolve([]),
    open: async summary => {
      const found = (await all()).entries.get(summary)
      if (found === undefined) throw vanished(summary)
      return await openEntry(found, ports)
    },
  }
}

function vanished({identity, tag}: PackageSummary): CrossplaneError {
  return new CrossplaneError('not-found', `${identity}:${tag} is not in the folder given with --packages`)
}
