import type {PackageCache} from '../../cache/package-cache.js'
import {withSuggestions, CrossplaneError} from '../../errors.js'
import {fetchImage} from '../../fetch/fetch-image.js'
import type {Digest} from '../../fetch/image.js'
import {DEFAULT_PLATFORM, formatPlatform, type Platform} from '../../fetch/platform.js'
import {listNames} from '../../text.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {newestStable} from '../../reference/newest-version.js'
import {mirroredRepository, type Mirrors} from '../../reference/mirrors.js'
import {formatRepository, type Repository, repositoryOf} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {registryFiles} from '../../unpack/files/layer-files.js'
import type {PackageFile} from '../../unpack/package-file.js'

/** Where packages are pulled from, and where they are kept. */
export interface RemotePackages {
  /** None: nothing may be asked of the network. */
  readonly registry?: (host: string) => Promise<Registry>
  /** Registries that are asked in the place of others; no package is called otherwise for it. */
  readonly mirrors?: Mirrors
  /** None: everything is pulled anew. */
  readonly cache?: () => Promise<PackageCache | undefined>
  readonly report?: ReportProgress
  readonly onPulled?: (name: ImageName, pulled: PulledPackage) => void
}

/** A package as a registry has it: which tag led to it, the digest that stands for it from now on, its files. */
export interface PulledPackage {
  readonly tag?: string
  readonly digest: Digest
  readonly files: readonly PackageFile[]
  readonly fromCache: boolean
}

/**
 * Pulls the package that a full name means: a digest wins over a tag, and without either it is the newest stable
 * version. A tag is resolved once; everything after goes by the digest. Where a mirror stands for its registry, that one
 * alone is asked, for tags as for bytes. Throws `not-found`, `offline` for what only the network could tell, and what
 * fetching and unpacking throw.
 */
export async function pullPackage(
  name: ImageName,
  remote: RemotePackages,
  platform: Platform = DEFAULT_PLATFORM,
): Promise<PulledPackage> {
  const own = repositoryOf(name)
  const repository = mirroredRepository(own, remote.mirrors ?? {})
  if (formatRepository(repository) === formatRepository(own)) {
    return await pullFrom({name, repository, isMirror: false}, remote, platform)
  }
  return await pullFrom({name, repository, isMirror: true}, remote, platform).catch((error: unknown) => {
    throw error instanceof CrossplaneError ? atMirror(error, name, repository) : error
  })
}

async function pullFrom(
  asked: Pick<Place, 'name' | 'repository' | 'isMirror'>,
  {registry, cache, report, onPulled}: RemotePackages,
  platform: Platform,
): Promise<PulledPackage> {
  const {name, repository} = asked
  const opened = {registry: await registry?.(repository.registry), cache: await cache?.()}
  const place: Place = {...asked, report, ...opened}
  const tag = name.tag ?? (name.digest === undefined ? await newestTag(place) : undefined)
  const digest = name.digest ?? (await digestOfTag(place, tag ?? ''))
  const known = {...(tag === undefined ? {} : {tag}), digest}
  const read = await readPinned({...place, name: {...name, ...known}}, digest, platform)
  const pulled = {...known, ...read}
  onPulled?.({...name, ...known}, pulled)
  return pulled
}

/** The registry's words are about the mirror: which package that is for stands before them. */
function atMirror(error: CrossplaneError, name: ImageName, mirror: Repository): CrossplaneError {
  const where = `${formatImageName(name)} is pulled from its mirror ${formatRepository(mirror)}`
  return withSuggestions(error, [], `${where}: ${error.message}`)
}

async function readPinned(
  place: Place,
  digest: Digest,
  platform: Platform,
): Promise<Pick<PulledPackage, 'files' | 'fromCache'>> {
  const cached = await place.cache?.find(digest, platform)
  if (cached !== undefined) return {files: cached.files, fromCache: true}
  const files = await pulledFiles(place, digest, platform)
  await place.cache?.keep({digest, platform, repository: place.repository, files})
  return {files, fromCache: false}
}

interface Place {
  /** As messages name it. */
  readonly name: ImageName
  /** Where it is asked for, which its name does not tell if that is a mirror. */
  readonly repository: Repository
  readonly isMirror: boolean
  readonly registry: Registry | undefined
  readonly cache: PackageCache | undefined
  readonly report: ReportProgress | undefined
}

async function pulledFiles(
  place: Place,
  digest: Digest,
  platform: Platform,
): Promise<readonly PackageFile[]> {
  const {repository, registry, report} = place
  if (registry === undefined) throw missing(place, platform)
  const image = await fetchImage(registry.image(repository, {digest}, report), {platform})
  return await registryFiles(image.layers)
}

async function newestTag(place: Place): Promise<string> {
  const tags = await tagsOf(place)
  const newest = newestStable(tags)
  if (newest !== undefined) return newest
  const has = tags.length === 0 ? 'no tags' : `only ${listNames(tags)}`
  throw new CrossplaneError(
    'not-found',
    `${formatImageName(place.name)} names no version, and there is no stable one: the repository has ${has}`,
    {suggestions: ['Name a tag: the newest stable semantic version is taken only where there is one.']},
  )
}

async function tagsOf(place: Place): Promise<readonly string[]> {
  const {repository, registry, cache} = place
  if (registry === undefined) {
    const known = await cache?.knownTags(repository)
    if (known === undefined) throw missing(place)
    return known.tags
  }
  const tags: string[] = []
  for await (const tag of registry.tags(repository)) tags.push(tag)
  await cache?.rememberTags(repository, tags)
  return tags
}

async function digestOfTag(place: Place, tag: string): Promise<Digest> {
  const {repository, registry, cache} = place
  const name = {...place.name, tag}
  const digest =
    registry === undefined
      ? (await cache?.tagged(repository, tag))?.digest
      : await registry.digestOf(repository, tag)
  if (digest === undefined) throw registry === undefined ? missing({...place, name}) : noSuchTag(name)
  if (registry !== undefined) await cache?.rememberTag(repository, tag, digest)
  return digest
}

function noSuchTag(name: ImageName): CrossplaneError {
  return new CrossplaneError('not-found', `${formatImageName(name)} is not in its registry`, {
    suggestions: ['Check the tag: without one, the newest stable version is taken.'],
  })
}

/** Entries are for one platform: where that is not the usual one, only a pull for it helps. */
function missing(
  {name, repository, isMirror}: Pick<Place, 'name' | 'repository' | 'isMirror'>,
  platform: Platform = DEFAULT_PLATFORM,
): CrossplaneError {
  const [requested, usual] = [platform, DEFAULT_PLATFORM].map(formatPlatform)
  const [forIt, flag] = requested === usual ? ['', ''] : [` for ${requested}`, ` --platform ${requested}`]
  // `package pull` knows no mirrors: by its own name the mirror is asked, and remembered, all the same.
  const from = formatImageName(isMirror ? {...name, ...repository} : name)
  return new CrossplaneError(
    'offline',
    `${formatImageName(name)} is not in the cache${forIt}, and --offline was given`,
    {suggestions: [`Pull it once without --offline: kubectl crossplane package pull ${from}${flag}`]},
  )
}
