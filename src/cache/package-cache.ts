import type {Diagnostic} from '../diagnostic.js'
import type {Digest} from '../fetch/image.js'
import {formatPlatform, type Platform} from '../fetch/platform.js'
import {formatRepository, type Repository} from '../reference/repository.js'
import type {Clock} from '../http/clock.js'
import type {PackageFile} from '../unpack/package-file.js'
import {entryName, fileName, indexDocumentName, tagListName, tagName} from './cache-names.js'
import type {CacheStore} from './cache-store.js'
import type {CachedPackage} from './cached-package.js'
import {readTag} from './document-fields.js'
import {allFiles, type Entry, entryBody, type EntryFile, entryOf, readEntry} from './entry-document.js'
import {intactBytes} from './intact-bytes.js'
import {keepDocument, recallDocument} from './recalled-document.js'
import {
  readIndexDocumentMemory,
  readTagListMemory,
  readTagMemory,
  type TagListMemory,
  type TagMemory,
} from './tag-document.js'
import {type Tolerance, tolerance} from './tolerance.js'

/** The cached packages. */
export interface CachedPackages {
  /** The package for a platform by the digest that its reference is pinned to, every byte checked. */
  find(digest: Digest, platform: Platform): Promise<CachedPackage | undefined>
  keep(opened: CachedPackage): Promise<void>
}

/** The tags of repositories, as their registry last reported them. */
export interface CachedTags {
  tagged(repository: Repository, tag: string): Promise<TagMemory | undefined>
  rememberTag(repository: Repository, tag: string, digest: Digest): Promise<void>
  /** The tags that a repository had when its registry last listed them all. */
  knownTags(repository: Repository): Promise<TagListMemory | undefined>
  rememberTags(repository: Repository, tags: readonly string[]): Promise<void>
}

/** The documents of indexes by repository and tag; they change only if an index corrects them. */
interface CachedIndexDocuments {
  indexDocument(repository: Repository, tag: string): Promise<Uint8Array | undefined>
  rememberIndexDocument(repository: Repository, tag: string, bytes: Uint8Array): Promise<void>
}

/**
 * Caches pulled content. Nothing here fails: content that cannot be read, or does not match its hash, counts as
 * absent; content that cannot be written is not cached; each with a warning.
 */
export interface PackageCache extends CachedPackages, CachedTags, CachedIndexDocuments {}

export interface CacheOptions {
  readonly clock: Pick<Clock, 'now'>
  /** `cache-unreadable` and `cache-unwritable` once, `cache-damaged` for each package, tag or entry of an index. */
  readonly warn: (warning: Diagnostic) => void
  /** Whether a cache that cannot be used is an error, as for a command that only fills it. */
  readonly isRequired?: boolean
}

/** Opens the cache in a store, which any number of processes can use at the same time. */
export function packageCache(store: CacheStore, {clock, warn, isRequired}: CacheOptions): PackageCache {
  const tolerant = tolerance(store, warn, isRequired)
  return {
    find: (digest, platform) => tolerant.reading(() => find(store, digest, platform, clock.now(), tolerant)),
    keep: cached => tolerant.writing(() => keep(store, cached)),
    tagged: (repository, tag) =>
      tolerant.reading(() =>
        recallDocument(
          store,
          tagName(repository, tag),
          readTagMemory,
          memory => isFor(memory, repository, tag),
          () => tolerant.damaged(`the tag ${formatRepository(repository)}:${tag}`),
        ),
      ),
    rememberTag: (repository, tag, digest) =>
      tolerant.writing(() =>
        keepDocument(store, tagName(repository, tag), {repository, tag, digest, at: clock.now()}),
      ),
    knownTags: repository =>
      tolerant.reading(() =>
        recallDocument(
          store,
          tagListName(repository),
          readTagListMemory,
          memory => isOf(memory, repository),
          () => tolerant.damaged(`the tags of ${formatRepository(repository)}`),
        ),
      ),
    rememberTags: (repository, tags) =>
      tolerant.writing(() =>
        keepDocument(store, tagListName(repository), {
          repository,
          tags: tags.filter(tag => readTag(tag) !== undefined),
          at: clock.now(),
        }),
      ),
    indexDocument: (repository, tag) =>
      tolerant.reading(async () => {
        const recalled = await recallDocument(
          store,
          indexDocumentName(repository, tag),
          readIndexDocumentMemory,
          memory => memory.tag === tag && isOf(memory, repository),
          () => tolerant.damaged(`the entry ${formatRepository(repository)}:${tag} of an index`),
        )
        return recalled?.bytes
      }),
    rememberIndexDocument: (repository, tag, bytes) =>
      tolerant.writing(() =>
        keepDocument(store, indexDocumentName(repository, tag), {
          repository,
          tag,
          base64: Buffer.from(bytes).toString('base64'),
        }),
      ),
  }
}

/**
 * The maximum clock difference to the file system, in milliseconds: a file that was written since is not removed
 * because of an earlier read.
 */
const CLOCK_SLACK = 5000

async function find(
  store: CacheStore,
  digest: Digest,
  platform: Platform,
  now: number,
  tolerant: Tolerance,
): Promise<CachedPackage | undefined> {
  const name = entryName(digest, platform)
  const isMeant = (candidate: Entry) => isEntryFor(candidate, digest, platform)
  const onDamage = () => tolerant.damaged(`${digest} for ${formatPlatform(platform)}`)
  const entry = await recallDocument(store, name, readEntry, isMeant, onDamage)
  if (entry === undefined) return undefined
  const files: PackageFile[] = []
  for (const file of entry.files) {
    const bytes = await intactBytes(store, file)
    if (bytes === undefined) {
      onDamage()
      await store.remove(name)
      await store.remove(fileName(file.sha256), now - CLOCK_SLACK)
      return undefined
    }
    files.push({path: file.path, bytes})
  }
  const {examples: listed, ...about} = entry
  const examples = listed && (await keptExamples(store, listed))
  const read = examples === undefined ? entry.files : allFiles(entry)
  if (!(await areKept(store, read))) await store.remove(name)
  return {...about, files, ...(examples && {examples})}
}

/** No install needs examples. A program that does not know of them can have removed their files: then they are read again. */
async function keptExamples(
  store: CacheStore,
  listed: readonly EntryFile[],
): Promise<readonly PackageFile[] | undefined> {
  const examples: PackageFile[] = []
  for (const file of listed) {
    const bytes = await intactBytes(store, file)
    if (bytes === undefined) return undefined
    examples.push({path: file.path, bytes})
  }
  return examples
}

/** Marks files as used; false if another process that saw the package unused has just removed some. */
async function areKept(store: CacheStore, files: readonly EntryFile[]): Promise<boolean> {
  let isWhole = true
  for (const {sha256} of files) isWhole = (await store.touch(fileName(sha256))) && isWhole
  return isWhole
}

/** Writes files first, so that an entry exists only when it is whole. Existing files of the same name are replaced. */
async function keep(store: CacheStore, cached: CachedPackage): Promise<void> {
  const entry = entryOf(cached)
  const writtenPaths = new Set<string>()
  const listed = allFiles(entry)
  const files = entry.examples === undefined ? cached.files : [...cached.files, ...(cached.examples ?? [])]
  for (const [index, {bytes}] of files.entries()) {
    const name = fileName(listed[index]?.sha256 ?? '')
    if (!writtenPaths.has(name)) await store.write(name, bytes)
    writtenPaths.add(name)
  }
  await keepDocument(store, entryName(cached.digest, cached.platform), entryBody(entry))
}

function isEntryFor(entry: Entry, digest: Digest, platform: Platform): boolean {
  return entry.digest === digest && formatPlatform(entry.platform) === formatPlatform(platform)
}

function isFor(memory: TagMemory, repository: Repository, tag: string): boolean {
  return memory.tag === tag && isOf(memory, repository)
}

function isOf(memory: {readonly repository: Repository}, {registry, path}: Repository): boolean {
  return memory.repository.registry === registry && memory.repository.path === path
}
