import {withSuggestions, CrossplaneError} from '../../errors.js'
import {listNames} from '../../text.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {newestStable} from '../../reference/newest-version.js'
import type {LocatedPackage, LocateOptions} from './located-package.js'
import type {FolderVersion} from './package-sources.js'
import {pullPackage} from './pull-package.js'
import {type ReadSource, readSource} from './read-source.js'

/** The package of a name: the folder's if it has that version, else what its registry has. */
export async function locateImage(written: ImageName, options: LocateOptions): Promise<LocatedPackage> {
  const {folder, indexes, defaultSource} = options
  const name = defaultSource === undefined ? written : nameFromSource(written, defaultSource)
  const versions = (await folder?.versions(written.path)) ?? []
  const found = await findVersion(written, versions, options)
  if (found !== undefined) return inFolder(name, found)
  return await inRegistry(name, options, [
    ...(folder === undefined ? [] : folderAdvice(written, versions)),
    ...(indexes === undefined || isPinned(name) ? [] : [INDEX_ADVICE]),
  ])
}

/** What has a tag or digest is read without a look at indexes. */
function isPinned({tag, digest}: ImageName): boolean {
  return tag !== undefined || digest !== undefined
}

const INDEX_ADVICE =
  'No index that was named has a stable version of it: registry index search says which packages there are.'

interface FoundVersion {
  readonly found: FolderVersion
  readonly read: ReadSource
}

function inFolder(name: ImageName, {found, read}: FoundVersion): LocatedPackage {
  const reference = {...name, tag: found.tag}
  return {
    ...read,
    name: formatImageName(reference),
    readFrom: found.at.path,
    repositoryPath: name.path,
    reference,
    tag: found.tag,
  }
}

/** `advice` is what folder and indexes could have given, for when the registry gives nothing either. */
async function inRegistry(
  name: ImageName,
  options: LocateOptions,
  advice: readonly string[],
): Promise<LocatedPackage> {
  return await pulledPackage(name, options).catch((error: unknown) => {
    throw error instanceof CrossplaneError ? withSuggestions(error, advice) : error
  })
}

/** The package of a full name as its registry or the cache has it. */
export async function pulledPackage(
  name: ImageName,
  {remote, platform}: LocateOptions,
): Promise<LocatedPackage> {
  const {files, digest, tag} = await pullPackage(name, remote, platform)
  const reference = {...name, ...(tag === undefined ? {} : {tag})}
  return {
    files,
    digest,
    ...(tag === undefined ? {} : {tag}),
    name: formatImageName(reference),
    readFrom: formatImageName({...reference, digest}),
    repositoryPath: name.path,
    reference,
  }
}

/** The version of the tag, or the newest stable one; a digest wins over both. */
async function findVersion(
  name: ImageName,
  versions: readonly FolderVersion[],
  {sources, platform}: LocateOptions,
): Promise<FoundVersion | undefined> {
  const requested = name.tag ?? newestStable(versions.map(version => version.tag))
  const candidates =
    name.digest === undefined ? versions.filter(version => version.tag === requested) : versions
  for (const found of candidates) {
    const read = await readSource(found.at, sources, platform)
    if (name.digest === undefined || name.digest === read.digest) return {found, read}
  }
  return undefined
}

/** What the folder has of the package, where it does not have what was asked for. */
function folderAdvice(
  {registry, path, digest}: ImageName,
  versions: readonly FolderVersion[],
): readonly string[] {
  if (versions.length === 0) {
    return registry === undefined ? [`The folder given with --packages has no ${path}: check the name.`] : []
  }
  if (digest !== undefined)
    return ['The folder given with --packages has no such digest: only OCI layouts and archives have any.']
  const tags = versions.map(version => version.tag).sort()
  return [`The folder given with --packages has ${path} as ${listNames(tags)}: name one of them.`]
}
