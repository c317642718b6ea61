import {CrossplaneError} from '../../errors.js'
import type {PackageSummary} from '../../index/package-summary.js'
import {listedSummaries, type Summaries, type UnreadablePackage} from '../../index/summaries.js'
import {summaryOf} from '../../index/summary-of.js'
import {formatImageName, type ImageName, parseImageName} from '../../reference/image-name.js'
import {readPackage} from '../../unpack/read-package.js'
import type {PackagePorts} from '../locate/located-package.js'
import type {FolderVersion} from '../locate/package-sources.js'
import {readSource} from '../locate/read-source.js'
import type {Catalog, OpenPackage} from './catalog.js'
import type {NameRepository} from './repository-names.js'

interface FolderEntry extends FolderVersion {
  readonly name: ImageName
  readonly identity: string
}

/** The packages of a folder; none where there is no folder. It is read as a whole, once, when it is first asked. */
export function folderCatalog(ports: PackagePorts, nameOf: NameRepository): Catalog {
  let whole: Promise<Whole> | undefined
  const all = () => (whole ??= readAll(ports, nameOf))
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

interface Whole {
  readonly summaries: Summaries
  readonly entries: ReadonlyMap<PackageSummary, FolderEntry>
}

async function readAll(ports: PackagePorts, nameOf: NameRepository): Promise<Whole> {
  const entries = new Map<PackageSummary, FolderEntry>()
  const unreadable: UnreadablePackage[] = []
  for (const {repositoryPath, tag, at} of (await ports.folder?.all()) ?? []) {
    const name = parseImageName(repositoryPath)
    const identity = name === undefined ? repositoryPath : nameOf(name)
    if (name === undefined) {
      unreadable.push({identity, tag, reason: 'its path in the folder is no repository'})
      continue
    }
    const entry = {tag, at, name, identity}
    try {
      const {located, package: read} = await openEntry(entry, ports)
      const {digest} = located
      entries.set(summaryOf(read, {identity, tag, ...(digest === undefined ? {} : {digest})}), entry)
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      unreadable.push({identity, tag, reason: error.message})
    }
  }
  return {summaries: listedSummaries({summaries: [...entries.keys()], unreadable, yanked: []}), entries}
}

async function openEntry({name, tag, at, identity}: FolderEntry, ports: PackagePorts): Promise<OpenPackage> {
  const read = await readSource(at, ports.sources, ports.platform)
  const reference = parseImageName(`${identity}:${tag}`) ?? {...name, tag}
  const located = {
    ...read,
    name: formatImageName(reference),
    readFrom: at.path,
    repositoryPath: name.path,
    reference,
    tag,
  }
  return {located, package: readPackage(located.name, located.files)}
}
