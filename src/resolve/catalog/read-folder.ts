import {CrossplaneError, reasonOf} from '../../errors.js'
import type {PackageSummary} from '../../index/package-summary.js'
import type {Found, UnreadablePackage} from '../../index/summaries.js'
import {summaryOf} from '../../index/summary-of.js'
import {formatImageName, type ImageName, parseImageName} from '../../reference/image-name.js'
import {readPackage} from '../../unpack/read-package.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {FolderVersion} from '../../locate/package-sources.js'
import {readSource} from '../../locate/read-source.js'
import type {OpenPackage, PackageVersion} from './catalog.js'
import type {NameRepository} from '../repository-names.js'

/** The packages of a folder, and the place of each version. */
export interface ReadFolder {
  readonly content: Found
  readonly entries: ReadonlyMap<PackageVersion, FolderEntry>
  /** Those for a current Crossplane, which satisfy no requirements of others. */
  readonly xpkgs: readonly FolderEntry[]
}

/** The ports for reading a folder of packages. */
export type FolderPorts = Pick<PackagePorts, 'folder' | 'sources' | 'platform' | 'defaultSource'>

/** One version in a folder. */
export interface FolderEntry extends FolderVersion {
  readonly name: ImageName
  readonly identity: string
}

/** Reads every package of the folder, if one is given. */
export async function readFolder(ports: FolderPorts, nameOf: NameRepository): Promise<ReadFolder> {
  const entries = new Map<PackageSummary, FolderEntry>()
  const unreadable: UnreadablePackage[] = []
  const xpkgs: FolderEntry[] = []
  for (const {repositoryPath, tag, at, isXpkg} of (await ports.folder?.all()) ?? []) {
    const name = parseImageName(repositoryPath)
    const identity = name === undefined ? repositoryPath : nameOf(name)
    if (name === undefined) {
      unreadable.push({identity, tag, reason: 'its path in the folder is not a repository'})
      continue
    }
    const entry = {tag, at, name, identity}
    const read = isXpkg === true ? 'xpkg' : await readEntry(entry, ports)
    if (read === 'xpkg') xpkgs.push(entry)
    else if ('reason' in read) unreadable.push(read)
    else entries.set(read, entry)
  }
  return {content: {summaries: [...entries.keys()], unreadable, yanked: []}, entries, xpkgs}
}

async function readEntry(
  entry: FolderEntry,
  ports: FolderPorts,
): Promise<PackageSummary | UnreadablePackage | 'xpkg'> {
  const {identity, tag} = entry
  try {
    const {located, package: read} = await openEntry(entry, ports)
    return summaryOf(read, {identity, tag, digest: located.digest})
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const isXpkg = error.code === 'unsupported' && (await isXpkgAt(entry, ports))
    return isXpkg ? 'xpkg' : {identity, tag, reason: reasonOf(error)}
  }
}

/** A layout or an archive shows its format only when it is read. */
async function isXpkgAt({at}: Pick<FolderVersion, 'at'>, {sources, platform}: FolderPorts): Promise<boolean> {
  const read = await readSource(at, sources, {platform, acceptsXpkg: true}).catch((error: unknown) => {
    if (error instanceof CrossplaneError) return undefined
    throw error
  })
  return read?.xpkg !== undefined
}

/** Reads the package of an entry. */
export async function openEntry(
  {name, tag, at, identity}: FolderEntry,
  ports: FolderPorts,
): Promise<OpenPackage> {
  const read = await readSource(at, ports.sources, {platform: ports.platform})
  const reference = parseImageName(`${identity}:${tag}`) ?? {...name, tag}
  const located = {
    ...read,
    name: formatImageName(reference),
    readFrom: at.path,
    repositoryPath: name.path,
    reference,
    tag,
  }
  return {located, package: readPackage(located.name, located.files, located.folder)}
}
