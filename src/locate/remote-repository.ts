import type {CachedPackage} from '../cache/cached-package.js'
import type {CachedPackages, CachedTags, PackageCache} from '../cache/package-cache.js'
import {CrossplaneError, type ErrorCode, withSuggestions} from '../errors.js'
import type {ArtifactStore} from '../fetch/artifact-store.js'
import {fetchImage, lacksPlatform} from '../fetch/fetch-image.js'
import type {Digest} from '../fetch/image.js'
import {DEFAULT_PLATFORM, formatPlatform, type Platform} from '../fetch/platform.js'
import {present} from '../present.js'
import {formatImageName, type ImageName, parseImageName} from '../reference/image-name.js'
import {isArtifactTag} from '../reference/newest-version.js'
import {mirroredRepository, type Mirrors} from '../reference/mirrors.js'
import {formatRepository, type Repository, repositoryOf} from '../reference/repository.js'
import {repositoryName} from '../reference/repository-name.js'
import type {ReportProgress} from '../registry/progress.js'
import type {PackageTrust} from '../signatures/package-trust.js'
import type {RecordedStatement} from '../signatures/recorded-statement.js'
import type {Registry} from '../registry/registry.js'
import {escaped, quoted} from '../text.js'
import type {PackageFile} from '../unpack/package-file.js'
import {rethrowNaming} from './failed-connection.js'
import {filesInImage, imageFacts, packageInImage} from './image-files.js'
import type {ReadSource} from './read-source.js'
import type {ExampleChoice} from './source-folder.js'
import type {XpkgSource} from './xpkg-source.js'

/** The registries that packages are pulled from, and the cache. */
export interface RemotePackages {
  /** Absent with `--offline`. */
  readonly registry?: (host: string) => Promise<Registry>
  /** Registries that are used in place of others; the names of packages do not change. */
  readonly mirrors?: Mirrors
  /** Where the ImageConfigs of a cluster have a repository, as it is written, be read from; mirrors take precedence. */
  readonly clusterMirror?: (repository: string) => ClusterMirror | undefined
  /** Absent with `--no-cache`. */
  readonly cache?: () => Promise<PackageCache | undefined>
  /** Decides which packages are read; absent for all. */
  readonly trust?: PackageTrust
  readonly report?: ReportProgress
  readonly onPulled?: (name: ImageName, pulled: PulledPackage) => void
}

/** The repository that a cluster reads in place of another one, and the ImageConfig that rewrites it. */
export interface ClusterMirror {
  readonly repository: string
  readonly imageConfig: string
  /** The start of a reference that it replaces, and what takes its place. */
  readonly rewrite: {readonly from: string; readonly to: string}
}

/** A package in its registry: the tag that was resolved, if any, its digest and its files. */
export interface PulledPackage {
  readonly tag?: string
  readonly digest: Digest
  readonly files: readonly PackageFile[]
  readonly xpkg?: XpkgSource
  readonly facts?: ReadSource['facts']
  readonly fromCache: boolean
  /** The repository that it was read from in place of its own. */
  readonly mirror?: string
}

type ReadPackage = Pick<PulledPackage, 'files' | 'xpkg' | 'fromCache'>

/**
 * The repository of a package in its registry, or offline in the cache. If a mirror replaces the registry, only the
 * mirror is contacted, for tags as for bytes. All methods throw the errors of `Registry`, and `offline`.
 */
export class RemoteRepository {
  readonly #name: ImageName
  readonly #own: Repository
  /** The repository that is read: the mirror, if there is one. */
  readonly #repository: Repository
  /** The ImageConfig that rewrites it, if one does. */
  readonly #imageConfig: string | undefined
  readonly #remote: RemotePackages

  constructor(name: ImageName, remote: RemotePackages) {
    this.#name = name
    this.#own = repositoryOf(name)
    const {repository, imageConfig} = sourceOf(name, remote)
    this.#repository = repository
    this.#imageConfig = imageConfig
    this.#remote = remote
  }

  /** All tags of versions, in the registry's order: those of signatures are left out. */
  async tags(): Promise<readonly string[]> {
    const name = formatImageName({...this.#name, tag: undefined, digest: undefined})
    const listed = this.#withSource(async (registry, cache) => {
      if (registry === undefined) {
        const remembered = await cache?.knownTags(this.#repository)
        if (remembered === undefined) throw this.#missing(this.#name)
        return remembered.tags.filter(tag => !isArtifactTag(tag))
      }
      const tags: string[] = []
      for await (const tag of registry.tags(this.#repository)) if (!isArtifactTag(tag)) tags.push(tag)
      await cache?.rememberTags(this.#repository, tags)
      return tags
    })
    return await listed.catch(rethrowNaming(name, `cannot list the tags of ${name}`))
  }

  /** The digest that a tag resolves to; undefined if the registry does not have the tag. */
  async digestOf(tag: string): Promise<Digest | undefined> {
    return await this.#withSource(async (registry, cache) => {
      if (registry === undefined) {
        const remembered = await cache?.tagged(this.#repository, tag)
        if (remembered === undefined) throw this.#missing({...this.#name, tag})
        return remembered.digest
      }
      const digest = await registry.digestOf(this.#repository, tag)
      if (digest !== undefined) await cache?.rememberTag(this.#repository, tag, digest)
      return digest
    })
  }

  /** The files of the package with this digest, for a platform. Throws the errors of fetching and unpacking, too. */
  async files(digest: Digest, platform: Platform, choices: ExampleChoice = {}): Promise<ReadPackage> {
    await this.expectTrusted(digest)
    return await this.#withSource(async (registry, cache) => {
      const cached = await cache?.find(digest, platform)
      if (cached !== undefined && (registry === undefined || isWhole(cached, choices)))
        return readCached(cached, choices)
      if (registry === undefined) throw this.#missing({...this.#name, digest}, platform)
      const image = await this.#image(registry, digest, platform)
      const {files, xpkg} = await packageInImage(image, choices)
      await cache?.keep({digest, platform, repository: this.#repository, ...cachedContent(files, xpkg)})
      return {files, ...present({xpkg}), fromCache: false}
    })
  }

  /** Reports whether the image has no part for a platform; what is only in the cache is not known to lack one. */
  async lacksPlatform(digest: Digest, platform: Platform): Promise<boolean> {
    return await this.#withSource(async registry => {
      if (registry === undefined) return false
      return await lacksPlatform(registry.image(this.#repository, {digest}), platform)
    })
  }

  /** The files of another folder of the image, which the cache does not have. */
  async otherFiles(
    digest: Digest,
    platform: Platform,
    folder: string,
  ): Promise<Pick<PulledPackage, 'files' | 'facts' | 'fromCache'>> {
    await this.expectTrusted(digest)
    return await this.#withSource(async registry => {
      if (registry === undefined) throw this.#uncached(folder)
      const image = await this.#image(registry, digest, platform)
      const facts = async () => await imageFacts(image)
      return {files: await filesInImage(image, folder), facts, fromCache: false}
    })
  }

  /**
   * Verifies the signatures that a policy requires; what has no digest has none. Returns what trusted signers state; undefined if
   * nothing is required. Throws `signature-refused`.
   */
  async expectTrusted(digest: Digest | undefined): Promise<readonly RecordedStatement[] | undefined> {
    const {trust} = this.#remote
    return await trust?.expect(formatRepository(this.#own), digest, async () => await this.artifacts())
  }

  /** The signatures of its images, which the cache does not have. Throws `offline`. */
  async artifacts(): Promise<ArtifactStore> {
    return await this.#withSource(registry => {
      if (registry === undefined) throw this.#unsigned()
      return Promise.resolve(registry.artifacts(this.#repository))
    })
  }

  async #image(registry: Registry, digest: Digest, platform: Platform) {
    const store = registry.image(this.#repository, {digest}, this.#remote.report)
    return await fetchImage(store, {platform})
  }

  #unsigned(): CrossplaneError {
    const message = `the signatures of ${formatImageName(this.#name)} are in its registry, and --offline was given`
    return new CrossplaneError('offline', message, {suggestions: ['Leave out --offline.']})
  }

  #uncached(folder: string): CrossplaneError {
    const name = formatImageName(this.#name)
    return new CrossplaneError(
      'offline',
      `the folder ${quoted(folder)} of ${name} is not in the cache, and --offline was given`,
      {suggestions: ['Leave out --offline.']},
    )
  }

  get #isMirror(): boolean {
    return formatRepository(this.#repository) !== formatRepository(this.#own)
  }

  async #withSource<T>(
    act: (registry: Registry | undefined, cache: (CachedPackages & CachedTags) | undefined) => Promise<T>,
  ): Promise<T> {
    const {registry, cache} = this.#remote
    try {
      return await act(await registry?.(this.#repository.registry), await cache?.())
    } catch (error) {
      throw error instanceof CrossplaneError ? this.blamed(error) : error
    }
  }

  /** The mirror that is read, with the ImageConfig that names it; undefined for the registry of the package itself. */
  mirror(): string | undefined {
    if (!this.#isMirror) return undefined
    const name = this.#imageConfig
    const by = name === undefined ? '' : `, as ImageConfig ${escaped(name)} of the cluster says`
    return `${formatRepository(this.#repository)}${by}`
  }

  /** The pinned reference that a version is read by: in the mirror, if there is one. */
  pinned({tag, digest}: Pick<ImageName, 'tag' | 'digest'>): string {
    const name = this.#isMirror ? this.#repository : this.#name
    return formatImageName({path: name.path, ...present({registry: name.registry, tag, digest})})
  }

  /** The errors of a mirror name the mirror: the package is added to them. Those of docker.io say where it came from. */
  blamed(error: CrossplaneError): CrossplaneError {
    const mirror = this.mirror()
    if (mirror === undefined) {
      const isAssumed = this.#name.registry === undefined && WRONG_REGISTRY.includes(error.code)
      return isAssumed ? withSuggestions(error, [wholeNameAdvice(this.#name)]) : error
    }
    const name = this.#imageConfig
    const where = `read from the mirror ${mirror} of ${formatImageName(this.#name)}`
    const advice = name === undefined ? [] : [MIRROR_ADVICE]
    return withSuggestions(error, advice, `${error.message} (${where})`)
  }

  /** The cache keeps packages by platform: for a different platform than the default, the suggestion must name it. */
  #missing(name: ImageName, platform: Platform = DEFAULT_PLATFORM): CrossplaneError {
    const [requested, usual] = [platform, DEFAULT_PLATFORM].map(formatPlatform)
    const [forIt, flag] = requested === usual ? ['', ''] : [` for ${requested}`, ` --platform ${requested}`]
    // The mirror's own name leads to the same cache entries, and needs no flag for the mirror.
    const from = formatImageName(this.#isMirror ? {...name, ...this.#repository} : name)
    return new CrossplaneError(
      'offline',
      `${formatImageName(name)} is not in the cache${forIt}, and --offline was given`,
      {suggestions: [`Pull it once without --offline: kubectl crossplane package pull ${from}${flag}`]},
    )
  }
}

/** What docker.io answers for a repository that it does not have. */
const WRONG_REGISTRY: readonly ErrorCode[] = ['access-denied', 'registry-unreachable']

/** Tells which registry a name without one is looked up in: Crossplane itself does not accept such names any more. */
export function wholeNameAdvice({path}: ImageName): string {
  return `Name the registry, such as xpkg.crossplane.io/${path}: a name without one is on docker.io.`
}

const MIRROR_ADVICE =
  'To read it from another place, pass --packages, or name that place in the registries of a declaration.'

/** A declaration takes precedence, also where it names the registry itself. A cluster rewrites names as they are written. */
function sourceOf(
  name: ImageName,
  {mirrors = {}, clusterMirror}: RemotePackages,
): {readonly repository: Repository; readonly imageConfig?: string} {
  const own = repositoryOf(name)
  const mirrored = mirroredRepository(own, mirrors)
  if (mirrored !== own) return {repository: mirrored}
  const {repository, imageConfig} = clusterMirror?.(repositoryName(name)) ?? {}
  const rewritten = repository === undefined ? undefined : parseImageName(repository)
  if (rewritten === undefined) return {repository: own}
  return {repository: repositoryOf(rewritten), ...present({imageConfig})}
}

type CachedContent = Pick<CachedPackage, 'files' | 'baseLayers' | 'examples'>

/** Examples that cannot be read are read again. */
function cachedContent(
  files: readonly PackageFile[],
  {baseLayers, examples, unreadExamples}: Partial<XpkgSource> = {},
): CachedContent {
  const own = unreadExamples === undefined ? {examples} : {}
  return {files, ...present({baseLayers, ...own})}
}

/** Another command can have put a package into the cache without its examples. */
function isWhole({baseLayers, examples}: CachedPackage, {withExamples}: ExampleChoice): boolean {
  return withExamples !== true || baseLayers === undefined || examples !== undefined
}

function readCached(cached: CachedPackage, choices: ExampleChoice): ReadPackage {
  const {files, baseLayers, examples} = cached
  if (baseLayers === undefined) return {files, fromCache: true}
  const unread = isWhole(cached, choices) ? {} : {unreadExamples: 'they are not in the cache'}
  return {files, xpkg: {form: 'image', baseLayers, ...present({examples}), ...unread}, fromCache: true}
}
