import {CrossplaneError, reasonOf, withSuggestions} from '../../errors.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import {tagsToCompare} from './compared-tags.js'
import type {NamedXpkg, Readable, XpkgCatalog, XpkgContent, XpkgRepository, XpkgRoot} from './xpkg-catalog.js'
import type {XpkgRequest} from './xpkg-model.js'

/** The maximum number of versions that are read for one resolution. */
const MAX_READ = 5_000
const CONCURRENT = 4

/** What was read of a repository, and can grow. */
interface ReadRepository extends XpkgRepository {
  tags: Readable<readonly string[]>
  readonly contents: Map<string, Readable<XpkgContent>>
  readonly digests: Map<string, string>
}

/** How versions that were read require a repository. */
interface Required {
  readonly requiredDigests: Set<string>
  isConstrained: boolean
  /** The first version that was read and requires it; undefined for what the user requests. */
  readonly by?: string
}

/** Reads tags and versions, each once. Throws `limit-exceeded` for too many. */
export class XpkgReader {
  readonly repositories = new Map<string, ReadRepository>()
  readonly #catalog: XpkgCatalog
  readonly #required = new Map<string, Required>()
  #count = 0

  constructor(catalog: XpkgCatalog, roots: readonly XpkgRoot[]) {
    this.#catalog = catalog
    for (const {repository} of roots) this.#requiredOf(repository)
  }

  /** Reports whether a version was read, or cannot be. */
  has({repository, version}: NamedXpkg): boolean {
    return this.repositories.get(repository)?.contents.has(version) === true
  }

  /** Returns a version that was read. */
  selected({repository, version}: NamedXpkg): NamedXpkg & XpkgContent {
    const content = this.repositories.get(repository)?.contents.get(version)
    if (content === undefined || 'reason' in content)
      throw new RangeError(`${repository}:${version} was selected and not read`)
    return {repository, version, ...content.value}
  }

  /** Lists the tags of all repositories that the roots and the packages that were read name. */
  async readTags(): Promise<void> {
    const missing = [...this.#required.keys()].slice(this.repositories.size)
    this.#spend(missing.length)
    const listed = await allReadable(
      missing,
      name => this.#catalog.tags(name),
      name => this.#required.get(name)?.by,
    )
    for (const [name, tags] of listed) {
      const own = {tags, contents: new Map(), digests: new Map()}
      this.repositories.set(name, Object.assign(this.#requiredOf(name), own))
    }
  }

  /**
   * Reads the digests of tags where a package is required by digest as well as by version. Reports whether there were
   * any that were not read before.
   */
  async readDigests({roots, rules}: Pick<XpkgRequest, 'roots' | 'rules'>): Promise<boolean> {
    const before = this.#count
    for (const [name, tags] of tagsToCompare(this.repositories, roots, rules)) {
      const digests = this.repositories.get(name)?.digests
      const missing = tags.filter(tag => digests?.has(tag) === false)
      this.#spend(missing.length)
      const read = await allReadable(missing, tag => this.#catalog.digestOf(name, tag))
      for (const [tag, digest] of read)
        digests?.set(tag, ('value' in digest ? digest.value : undefined) ?? '')
    }
    return this.#count > before
  }

  /** The errors of what exists but may not be read, or not here. */
  blocked(): readonly CrossplaneError[] {
    const errors = [...this.repositories.values()].flatMap(({tags, contents}) =>
      [tags, ...contents.values()].flatMap(read => ('error' in read ? (read.error ?? []) : [])),
    )
    return [...new Set(errors)]
  }

  /** Reads versions that were not read before. Reports whether repositories cannot be read any further. */
  async read(versions: readonly NamedXpkg[]): Promise<boolean> {
    this.#spend(versions.length)
    const contents = await allReadable(
      versions,
      ({repository, version}) => this.#catalog.read(repository, version),
      ({repository}) => this.#required.get(repository)?.by,
    )
    let isBlocked = false
    for (const [{repository, version}, content] of contents) {
      const own = this.repositories.get(repository)
      own?.contents.set(version, content)
      if ('value' in content) this.#addRequired(content.value, `${repository}:${version}`)
      else if (content.error !== undefined) {
        // Its other versions must not take its place.
        if (own !== undefined) own.tags = content
        isBlocked = true
      }
    }
    return isBlocked
  }

  #addRequired({dependencies}: XpkgContent, by: string): void {
    for (const {package: name, version} of dependencies) {
      const required = this.#requiredOf(name, by)
      if (isDigest(version)) required.requiredDigests.add(version)
      else required.isConstrained = true
    }
  }

  #requiredOf(repository: string, by?: string): Required {
    const existing = this.#required.get(repository)
    if (existing !== undefined) return existing
    const required = {requiredDigests: new Set<string>(), isConstrained: false, ...present({by})}
    this.#required.set(repository, required)
    return required
  }

  #spend(count: number): void {
    this.#count += count
    if (this.#count <= MAX_READ) return
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot resolve the packages: more than ${MAX_READ} repositories and versions have to be read`,
    )
  }
}

/** What can be wrong with one version, so that others are tried; any other failure ends the resolution. */
const SKIPPED = [
  'not-found',
  'package-invalid',
  'source-invalid',
  'source-unsafe',
  'unsupported',
  'reference-invalid',
]

/** What keeps a package from being read here: all of these are reported, and no other version is tried. */
const BLOCKED = ['access-denied', 'offline']

async function readable<Value>(
  read: () => Promise<Value>,
  dependent: string | undefined,
): Promise<Readable<Value>> {
  try {
    return {value: await read()}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    if (BLOCKED.includes(error.code)) return {reason: reasonOf(error), error: ofDependency(error, dependent)}
    if (SKIPPED.includes(error.code)) return {reason: reasonOf(error)}
    throw ofDependency(error, dependent)
  }
}

/** Names the package that requires what cannot be read: a user may not have heard of that. */
function ofDependency(error: CrossplaneError, dependent: string | undefined): CrossplaneError {
  if (dependent === undefined) return error
  return withSuggestions(error, [], `cannot read a dependency of ${dependent}: ${error.message}`)
}

/** Reads all items, some at a time; the result is in their order. */
async function allReadable<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Promise<Value>,
  dependentOf: (item: Item) => string | undefined = () => undefined,
): Promise<readonly (readonly [Item, Readable<Value>])[]> {
  const results = new Map<Item, Readable<Value>>()
  await mapConcurrent(items, CONCURRENT, async item => {
    results.set(item, await readable(() => read(item), dependentOf(item)))
  })
  return items.flatMap(item => {
    const result = results.get(item)
    return result === undefined ? [] : [[item, result] as const]
  })
}
