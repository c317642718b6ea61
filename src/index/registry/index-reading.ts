import {CrossplaneError, withSuggestions} from '../../errors.js'
import {listNames} from '../../text.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {asText} from '../../yaml/json-value.js'
import {grouped} from '../../grouped.js'
import {type DocumentKind, readDocument} from './artifact.js'
import type {IndexMemory} from './index-memory.js'
import {type IndexLayout, ROOT_TAG, type Partition} from './layout.js'
import {noIndex, readIndexRoot} from './read-layout.js'
import {readRoot} from './root-document.js'
import {needsTagLists} from './unlisted-tags.js'

/** The ports through which an index in a registry is read. */
export interface RegistryIndexPorts {
  /** Absent: the network is not accessed. */
  readonly registry?: Registry
  /** Absent: everything is read again. */
  readonly memory?: IndexMemory
  readonly report?: ReportProgress
}

/** The repositories of tags. Two of them can differ about the same tag, as different publishers can write to them. */
type Place = Pick<Partition, 'repository' | 'prefix'>

/** Reads one index; tags and layout are read once. */
export class IndexReading {
  readonly #root: Repository
  readonly #rootPlace: Place
  readonly #ports: RegistryIndexPorts
  readonly #tags = new Map<string, Promise<ReadonlySet<string>>>()
  #layout: Promise<IndexLayout> | undefined
  /** The tags of an index in a single repository; all prefixes have the same length. */
  #byPrefix: ReadonlyMap<string, readonly string[]> | undefined

  constructor(root: Repository, ports: RegistryIndexPorts) {
    this.#root = root
    this.#rootPlace = {repository: root, prefix: ''}
    this.#ports = ports
  }

  get isOnline(): boolean {
    return this.#ports.registry !== undefined
  }

  /** Throws `not-found` where there is none, `access-denied` where the root cannot be read, and `offline`. */
  layout(): Promise<IndexLayout> {
    return (this.#layout ??= this.#readLayout())
  }

  async #readLayout(): Promise<IndexLayout> {
    const {registry, report} = this.#ports
    const remembered = await this.remembered(this.#rootPlace, ROOT_TAG, bytes => readRoot('', bytes))
    if (remembered !== undefined) return remembered
    if (registry === undefined) throw this.missing([formatRepository(this.#root)])
    const root = await readIndexRoot(this.#root, registry, report)
    if (root === undefined) throw noIndex(this.#root)
    await this.remember(this.#rootPlace, ROOT_TAG, root.bytes)
    return root.layout
  }

  /** Lists the tags of a repository of the index. Throws as the registry does, and `offline`. */
  tags(repository: Repository): Promise<ReadonlySet<string>> {
    const tags = this.#tags.get(repository.path) ?? this.#readTags(repository)
    this.#tags.set(repository.path, tags)
    return tags
  }

  async #readTags(repository: Repository): Promise<ReadonlySet<string>> {
    const {registry, memory} = this.#ports
    if (registry === undefined) {
      const remembered = await memory?.knownTags(repository)
      if (remembered === undefined) throw this.missing([formatRepository(repository)])
      return new Set(remembered.tags)
    }
    const tags = new Set<string>()
    try {
      for await (const tag of registry.tags(repository)) tags.add(tag)
    } catch (error) {
      if (!(error instanceof CrossplaneError) || error.code !== 'registry-failed') throw error
      throw withSuggestions(error, [needsTagLists(repository)])
    }
    await memory?.rememberTags(repository, [...tags])
    return tags
  }

  /** Lists the tags of a group or package without their prefix; none if the root does not list it. */
  async tagsOn({repository, prefix, marker}: Partition): Promise<readonly string[]> {
    try {
      const tags = await this.tags(repository)
      if (prefix === '') return [...tags]
      this.#byPrefix ??= grouped([...tags], tag => tag.slice(0, prefix.length))
      return (this.#byPrefix.get(prefix) ?? []).map(tag => tag.slice(prefix.length))
    } catch (error) {
      if (!isNotReadable(error)) throw error
      if (await this.#isMarked(marker)) throw mayNotRead(repository, error)
      await this.#ports.memory?.rememberTags(repository, [])
      return []
    }
  }

  async #isMarked(marker: string): Promise<boolean> {
    return (await this.#ports.registry?.digestOf(this.#root, marker)) !== undefined
  }

  /** Reads the document of a tag from the registry; undefined offline. Throws as `readDocument` does. */
  async document(
    {repository, prefix}: Place,
    tag: string,
    kind: DocumentKind,
  ): Promise<Uint8Array | undefined> {
    const {registry, report} = this.#ports
    if (registry === undefined) return undefined
    return await readDocument(registry.image(repository, {tag: `${prefix}${tag}`}, report), kind)
  }

  /** Returns the cached document of a tag, if it is valid. */
  async remembered<T>(
    {repository, prefix}: Place,
    tag: string,
    read: (bytes: Uint8Array) => T,
  ): Promise<T | undefined> {
    const bytes = await this.#ports.memory?.indexDocument(repository, `${prefix}${tag}`)
    try {
      return bytes === undefined ? undefined : read(bytes)
    } catch (error) {
      if (error instanceof CrossplaneError) return undefined
      throw error
    }
  }

  async remember({repository, prefix}: Place, tag: string, bytes: Uint8Array): Promise<void> {
    await this.#ports.memory?.rememberIndexDocument(repository, `${prefix}${tag}`, bytes)
  }

  /** Returns why a tag could not be read the last time, which is reported offline. */
  async refusal(place: Place, tag: string): Promise<string | undefined> {
    return await this.remembered(place, tag, bytes => {
      const {refused} = parseJsonObject(bytes, tag)
      return refused === undefined ? undefined : asText(refused)
    })
  }

  /** Caches that reason in place of the document. */
  async rememberRejection(place: Place, tag: string, reason: string): Promise<void> {
    if (this.#ports.registry === undefined) return
    await this.remember(place, tag, Buffer.from(JSON.stringify({refused: reason})))
  }

  /** Reports the number of entries that were read, of those requested until now. */
  report(done: number, total: number): void {
    this.#ports.report?.({kind: 'entry-read', name: formatRepository(this.#root), done, total})
  }

  missing(what: readonly string[]): CrossplaneError {
    const name = formatRepository(this.#root)
    const message = `cannot read the package index ${name} offline: not in the cache: ${listNames(what)}`
    return new CrossplaneError('offline', message, {
      suggestions: ['Run the same command once without --offline'],
    })
  }

  tooLarge(limit: number): CrossplaneError {
    return new CrossplaneError(
      'limit-exceeded',
      `cannot read the package index ${formatRepository(this.#root)}: its entries have more than ${limit} bytes`,
      {suggestions: ['Look up one API group: kubectl crossplane registry index list GROUP --index ROOT']},
    )
  }
}

function isNotReadable(error: unknown): error is CrossplaneError {
  return error instanceof CrossplaneError && ['not-found', 'access-denied'].includes(error.code)
}

function mayNotRead(repository: Repository, cause: CrossplaneError): CrossplaneError {
  return new CrossplaneError(
    'access-denied',
    `cannot read ${formatRepository(repository)}: the index lists it, but it does not exist or permission is denied`,
    {
      cause,
      suggestions: [
        `Log in: kubectl crossplane registry login ${repository.registry}`,
        needsTagLists(repository),
      ],
    },
  )
}
