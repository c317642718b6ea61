import {withoutSuggestions, withSuggestions, CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {escaped, listSome, quoted} from '../text.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {nameFromSource} from '../reference/image-source.js'
import {compareVersions, newestStable} from '../reference/newest-version.js'
import type {LocatedPackage, LocateOptions} from './located-package.js'
import {type FolderVersion, type PackagePlace, withPackages} from './package-sources.js'
import {isConnection} from './failed-connection.js'
import {spellingAdvice} from './near-names.js'
import {RemoteRepository} from './remote-repository.js'
import {pullPackage} from './pull-package.js'
import {type ReadOptions, type ReadSource, readSource} from './read-source.js'

/** Reads the package of a name: from the folder if it has that version, otherwise from its registry. */
export async function locateImage(requested: ImageName, options: LocateOptions): Promise<LocatedPackage> {
  const {folder, indexes, defaultSource} = options
  const name = defaultSource === undefined ? requested : nameFromSource(requested, defaultSource)
  const versions = (await folder?.versions(requested, defaultSource)) ?? []
  const version = await findVersion(requested, versions, options)
  if (version !== undefined) {
    await new RemoteRepository(name, options.remote).expectTrusted(version.read.digest)
    return inFolder(name, version)
  }
  await expectNotLocal(requested, options)
  return await pulledPackage(name, options).catch(async (error: unknown) => {
    if (!(error instanceof CrossplaneError)) throw error
    const near = await localAdvice(requested, options)
    const spelling = await spellingAdvice(requested, options)
    const advice = [
      ...(folder === undefined ? [] : folderAdvice(requested, versions)),
      ...spelling,
      ...near,
      ...(indexes === undefined || isPinned(name) ? [] : [INDEX_ADVICE]),
    ]
    // A local file or version was meant rather than another registry.
    const isMisspelled = requested.registry !== undefined && spelling.length > 0
    const isNear =
      isConnection(error) && (near.length > 0 || withPackages(versions).length > 0 || isMisspelled)
    const failure = isNear ? withoutSuggestions(error) : error
    throw withSuggestions(failure, advice)
  })
}

/** Returns the place from which `locateImage` reads a tag; undefined if the folder does not have it, or for a digest. */
export async function placeInFolder(
  {tag, digest, ...requested}: ImageName,
  {folder, defaultSource}: Pick<LocateOptions, 'defaultSource' | 'folder'>,
): Promise<PackagePlace | undefined> {
  if (tag === undefined || digest !== undefined) return undefined
  const versions = (await folder?.versions(requested, defaultSource)) ?? []
  return versions.find(version => version.tag === tag)?.at
}

/** Throws for a bare name that is also the path of a package: `my-provider` instead of `./my-provider`. */
async function expectNotLocal(
  {registry, path, tag, digest}: ImageName,
  {sources}: LocateOptions,
): Promise<void> {
  if (registry !== undefined || tag !== undefined || digest !== undefined) return
  const directory = await sources.directory(path).catch(() => undefined)
  if (directory === undefined) return
  const entries = await Promise.all(
    ['.registry', 'app.yaml', 'crossplane.yaml'].map(inside => directory.entry(inside)),
  )
  if (entries.every(({kind}) => kind === 'absent')) return
  throw new CrossplaneError(
    'reference-invalid',
    `${quoted(path)} is ambiguous: it can be a folder or a package in a registry`,
    {
      suggestions: [`Write ./${path} for the folder, or ${path}:TAG for the package in a registry.`],
    },
  )
}

const MANIFEST = /\.ya?ml$/

/** Names a folder of the same path without a package, or a file, which are not read as one without a word before them. */
async function localAdvice(
  {registry, path, tag, digest}: ImageName,
  {sources}: LocateOptions,
): Promise<readonly string[]> {
  if (registry !== undefined || tag !== undefined || digest !== undefined) return []
  switch (await kindAt(path, sources)) {
    case 'directory':
      return [`Write ./${path} for the folder of that name.`]
    case 'file':
      return fileAdvice(path)
    case 'absent':
      return MANIFEST.test(path) ? [`No file ${path} exists; check its path.`] : []
    default:
      return []
  }
}

/** What is at a local path; undefined where that cannot be known. */
async function kindAt(path: string, sources: LocateOptions['sources']) {
  try {
    return (await (await sources.directory(path)).entry('')).kind
  } catch (error) {
    return error instanceof CrossplaneError && error.code === 'not-found' ? 'absent' : undefined
  }
}

function fileAdvice(path: string): readonly string[] {
  if (MANIFEST.test(path)) return [`Write ${folderOf(path)} for the folder of the file ${path}.`]
  if (path.endsWith('.xpkg')) return [`Write ./${path} for the file of that name.`]
  return [`Write oci-archive:${path} or docker-archive:${path} for an image in the file of that name.`]
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '.' : `./${path.slice(0, slash)}`
}

/** The package of a full name as its registry or the cache has it. */
export async function pulledPackage(
  name: ImageName,
  {remote, ...choices}: Pick<LocateOptions, 'remote' | keyof ReadOptions>,
): Promise<LocatedPackage> {
  const {files, digest, tag, xpkg, facts} = await pullPackage(name, remote, choices)
  const reference = {...name, ...present({tag})}
  return {
    files,
    digest,
    ...present({tag, xpkg, facts}),
    name: formatImageName(reference),
    readFrom: new RemoteRepository(name, remote).pinned({...reference, digest}),
    repositoryPath: name.path,
    reference,
  }
}

/** Reports whether a name is resolved without reading indexes. */
function isPinned({tag, digest}: ImageName): boolean {
  return tag !== undefined || digest !== undefined
}

const INDEX_ADVICE = 'Check the name of the package: the indexes have no stable version of it.'

interface FoundVersion {
  readonly version: FolderVersion
  readonly read: ReadSource
}

function inFolder(name: ImageName, {version, read}: FoundVersion): LocatedPackage {
  const reference = {...name, tag: version.tag}
  return {
    ...read,
    name: formatImageName(reference),
    readFrom: version.at.path,
    repositoryPath: name.path,
    reference,
    tag: version.tag,
  }
}

/** Finds the version with the tag, or the newest stable one; a digest takes precedence over both. */
async function findVersion(
  name: ImageName,
  versions: readonly FolderVersion[],
  {sources, platform, filesOf, withExamples}: LocateOptions,
): Promise<FoundVersion | undefined> {
  const offered = withPackages(versions)
  const requested = name.tag ?? newestStable(offered.map(version => version.tag))
  const candidates =
    name.digest === undefined ? versions.filter(version => version.tag === requested) : offered
  for (const candidate of candidates) {
    const read = await readSource(candidate.at, sources, {platform, filesOf, ...present({withExamples})})
    if (name.digest === undefined || name.digest === read.digest) return {version: candidate, read}
  }
  return undefined
}

/** Lists the versions that the folder has of a package without the requested one. */
function folderAdvice({registry, path, digest}: ImageName, all: readonly FolderVersion[]): readonly string[] {
  const versions = withPackages(all)
  const [empty] = all
  if (versions.length === 0 && empty !== undefined)
    return [`Check ${escaped(empty.at.path)}: the folder has no package.`]
  if (versions.length === 0) {
    return registry === undefined ? [`Check the name: the folder given with --packages has no ${path}.`] : []
  }
  if (digest !== undefined)
    return [
      'Check the digest: the folder given with --packages does not have it (only OCI layouts and archives have digests).',
    ]
  const tags = versions.map(version => version.tag).sort(compareVersions)
  return [
    `Use a version that the folder given with --packages has: ${listSome(tags.map(escaped), MAX_TAGS)}.`,
  ]
}

/** The maximum number of versions in a suggestion. */
const MAX_TAGS = 20
