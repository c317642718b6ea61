import {CrossplaneError, reasonOf} from '../../errors.js'
import type {PackageSummary} from '../../index/package-summary.js'
import type {Found, UnreadablePackage} from '../../index/summaries.js'
import {summaryOf} from '../../index/summary-of.js'
import {formatImageName, type ImageName, parseImageName} from '../../reference/image-name.js'
import type {Package} from '../../unpack/package.js'
import {readPackage} from '../../unpack/read-package.js'
import {expectFormat, formatOf} from '../../locate/expect-format.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
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

/** A package is read once, and shows its format. */
async function readEntry(
  entry: FolderEntry,
  ports: FolderPorts,
): Promise<PackageSummary | UnreadablePackage | 'xpkg'> {
  const {identity, tag} = entry
  try {
    const located = await locatedEntry(entry, ports)
    if (formatOf(located) === 'xpkg') return 'xpkg'
    return summaryOf(openLocated(located), {identity, tag, digest: located.digest})
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {identity, tag, reason: reasonOf(error)}
  }
}

/** Reads the package of an entry. Throws `unsupported` for one that is not of Crossplane v0.12. */
export async function openEntry(entry: FolderEntry, ports: FolderPorts): Promise<OpenPackage> {
  const located = expectFormat(await locatedEntry(entry, ports), 'stack')
  return {located, package: openLocated(located)}
}

function openLocated({name, files, folder}: LocatedPackage): Package {
  return readPackage(name, files, folder)
}

async function locatedEntry(
  {name, tag, at, identity}: FolderEntry,
  {sources, platform}: FolderPorts,
): Promise<LocatedPackage> {
  const reference = parseImageName(`${identity}:${tag}`) ?? {...name, tag}
  return {
    ...(await readSource(at, sources, {platform})),
    name: formatImageName(reference),
    readFrom: at.path,
    repositoryPath: name.path,
    reference,
    tag,
  }
}
